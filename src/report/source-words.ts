/** What a source is called by people; one that is not ours by what it calls itself. */
import { clean } from './clean.ts'
import { shorten } from './wrap.ts'

const words: Readonly<Record<string, string>> = {
  kafka: 'Kafka',
  checkpoint: 'checkpoint',
  spark: 'Spark',
  'spark-ui': 'Spark UI',
  'event-log': 'event log',
  delta: 'table log',
}

const longestName = 40

export function sourceWord(source: string): string {
  return Object.hasOwn(words, source) ? words[source]! : shorten(clean(source), longestName)
}
