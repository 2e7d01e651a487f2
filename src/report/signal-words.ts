/** Readings by the name a person would use; what is not listed is shown as the engine names it. */
const words: Readonly<Record<string, string>> = {
  batches: 'the batches of the reader',
  'partition.log_end_offset': 'the log end offsets of the topic',
  'partition.position': 'how far the reader got in each partition',
  'executor.count': 'the number of executors',
  'executor.slots': 'the number of task slots',
  'stage.run_ms': 'the run time of the stages',
  'stage.run_ms against cpu_ms': 'the run time of the stages against their CPU time',
  'stage task times': 'the run times of single tasks',
  'record time': 'the time at which records were made',
  'arrival of records': 'the time at which records arrived',
  'table.freshness_s': 'the age of the newest data in the table',
}

export function signalWord(signal: string): string {
  return Object.hasOwn(words, signal) ? (words[signal] as string) : signal
}
