/** The terms of ln(demand / capacity) by the names a person uses. */
const words: Readonly<Record<string, string>> = {
  intake: 'more intake',
  skew_or_wait: 'uneven tasks or waiting',
  cost: 'cost per record',
  slots: 'fewer task slots',
  sink: 'writing to the sink',
  fixed: 'fixed time per batch',
}

export function pressureWord(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : name.replaceAll('_', ' ')
}
