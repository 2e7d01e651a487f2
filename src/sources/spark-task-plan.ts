/**
 * Which stages are worth reading task by task. All of them would be megabytes and a second of the driver's CPU; enough to tell
 * skew, slow executors and cost per row now from before are: what runs, the newest finished batches, and a few of the past.
 */

import type { SparkBatch } from './spark-batches.ts'
import { isOpen, sourceStage } from './spark-batches.ts'
import type { SparkStage } from './spark-stages.ts'

const NEWEST = 4
const BASELINE = 6
/** First batches after a start are slow by nature (rig-spark.md T13): no baseline. */
const WARM_UP = 5
const RUNNING = 2
/** Of so many newest finished batches also a stage that worked longer than the source stage (state, shuffle, sink). */
const HEAVIER = 2

/** Stages in the order of their worth: should time run out, the tail is missing. `batches` oldest first. */
export function stagesWorthReading(batches: readonly SparkBatch[]): SparkStage[] {
  const running = batches
    .filter(isOpen)
    .flatMap((batch) => batch.stages.filter((stage) => stage.running))
    .slice(-RUNNING)
  const withSource = batches.flatMap((batch) => {
    const stage = sourceStage(batch)
    return stage === null || stage.completedMs === null ? [] : [{ batch, stage }]
  })
  const newest = withSource.slice(-NEWEST).toReversed()
  const heavier = newest.slice(0, HEAVIER).flatMap(({ batch, stage }) => {
    const other = batch.stages
      .filter((candidate) => candidate !== stage && candidate.completedMs !== null)
      .toSorted((a, b) => b.runMs - a.runMs)[0]
    return other !== undefined && other.runMs > stage.runMs ? [other] : []
  })
  const warm = new Set(batches.flatMap((batch) => (nthOfRun(batches, batch) < WARM_UP ? [batch] : [])))
  const past = withSource.slice(0, Math.max(0, withSource.length - NEWEST)).filter(({ batch }) => !warm.has(batch))
  const chosen = [...running, ...newest.map((entry) => entry.stage), ...heavier, ...spread(past, BASELINE).map((entry) => entry.stage)]
  return [...new Map(chosen.map((stage) => [stage.id, stage])).values()]
}

/** Batch numbers continue over restarts, so the place within the run counts; only a run whose begin is listed has a known place. */
function nthOfRun(batches: readonly SparkBatch[], batch: SparkBatch): number {
  const run = batches.filter((other) => other.run === batch.run)
  const first = run[0]
  const startIsListed = first !== undefined && (first.id === 0 || first !== batches[0])
  return startIsListed ? run.indexOf(batch) : Number.POSITIVE_INFINITY
}

/** `count` entries at even distance, first and last among them. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / (count - 1))]).filter(
    (entry): entry is T => entry !== undefined,
  )
}
