/** The terms of ln(demand / capacity) by the names a person uses. */
const words: Readonly<Record<string, string>> = {
  intake: 'more intake',
  skew: 'uneven partitions',
  cost: 'cost per record',
  cost_per_record: 'cost per record',
  slots: 'fewer task slots',
  fixed: 'fixed time per batch',
  fixed_overhead: 'fixed time per batch',
  overhead: 'fixed time per batch',
  waiting: 'waiting',
  wait: 'waiting',
}

export function pressureWord(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : name.replaceAll('_', ' ')
}
