/** The terms of ln(demand / capacity) by the names a person uses. */
const words: Readonly<Record<string, string>> = {
  intake: 'more intake',
  skew_or_wait: 'uneven tasks or waiting',
  cost: 'task time per record',
  slots: 'fewer task slots',
  sink: 'commit of the table',
  checkpoint: 'checkpoint files',
  driver: 'driver time',
}

export function pressureWord(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : name.replaceAll('_', ' ')
}
