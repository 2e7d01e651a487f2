/** How an option of a streaming query is set, tried and taken back, as steps for a person. Restarting with the same checkpoint is allowed for all of them. */

import { count, duration } from '../incident/format.ts'
import type { Setting } from '../incident/knob.ts'
import type { Grounds } from './grounds.ts'

export type SparkOption = 'minPartitions' | 'maxRecordsPerPartition' | 'maxOffsetsPerTrigger'

export function applyOption(grounds: Grounds, query: string, option: SparkOption, to: number): string[] {
  return [`Where ${query} reads Kafka, set .option("${option}", "${to}").`, ...restartSteps(grounds)]
}

/** Spark 4.1.0 and 4.1.1 (rig-spark.md T16: seen in 2 of 2 restarts, mended in 4.2.0). */
const endsOnceMore = /^Spark (4\.1\.[01]) /

export function restartSteps({ evidence }: Grounds): string[] {
  const started = evidence.events.findLast((e) => e.kind === 'app_started')?.text ?? ''
  const [, version] = endsOnceMore.exec(started) ?? []
  return [
    'Stop the query between two batches and start it with the same checkpoint: it goes on where it stopped, and does a batch that was cut off anew.',
    ...(version === undefined
      ? []
      : [`Spark ${version}: a query that was stopped inside a batch may end once more after that batch (SPARK-55271). Watch for it.`]),
  ]
}

export function undoOption(query: string, option: SparkOption, from: Setting): string[] {
  const back = from.value === null ? `remove the option "${option}" again` : `set .option("${option}", "${from.value}") again`
  return [`In ${query} ${back}, and restart it with the same checkpoint.`]
}

/** A command that shows the tasks of the newest stages, and what it should print. */
export function testTasks({ evidence }: Grounds, tasks: number, longestSeconds: number): string[] {
  const { look } = evidence.pipeline
  const base = `${look?.spark ?? 'http://DRIVER:4040'}/api/v1/applications/${look?.app ?? 'APP'}`
  return [
    'Let five batches pass after the restart: cold JVMs and the backlog make them slow.',
    `curl -s '${base}/stages?status=complete&details=false&length=5' → the stage that reads the records has "numTasks" of about ${tasks}`,
    `In the Spark UI the longest task of a batch with one trigger's records takes at most ${duration(longestSeconds)}.`,
  ]
}

/** Rules that hold for every restart. */
export function stopRules(longestBatch: number, restart: number, lag: number): string[] {
  return [
    `no batch is committed within ${duration(5 * restart)} of the restart: take it back`,
    `from the sixth batch on one takes longer than ${duration(longestBatch)}, the longest so far: take it back`,
    ...(lag > 0 ? [`the lag passes ${count(lag)} records and still rises after 10 min: take it back`] : []),
  ]
}
