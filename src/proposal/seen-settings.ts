/** What the batches themselves show of a reader's settings, from a time on: the same reading before a change and after it. */
import type { Stage } from '../incident/evidence.ts'
import { batchRows } from '../timeline/intake.ts'
import type { TimedBatch, Timeline } from '../timeline/timeline.ts'

export interface BatchTasks {
  /** Tasks of the stage that reads the topic. */
  readonly tasks: number
  /** Partitions of which the batch has records. */
  readonly ranges: number
  /** Their records. */
  readonly rows: readonly number[]
}

/** Rows within this share of each other are pinned by a cap. */
const PINNED = 0.01
const ENOUGH_BATCHES = 5

/** The stage that reads the topic: marked so, or the only one. */
export function sourceStage(batch: TimedBatch): Stage | null {
  const stages = batch.stages ?? []
  return stages.find((stage) => stage.name === 'source') ?? (stages.length === 1 ? (stages[0] ?? null) : null)
}

/** A habit needs no more batches than this, and a wide topic makes each of them dear. */
const MOST_BATCHES = 20

/** The newest batches from `from` on (seconds since window.from) of which both the tasks and the offsets were seen, oldest first. */
export function batchesWithTasks(timeline: Timeline, from: number): BatchTasks[] {
  const out: BatchTasks[] = []
  for (const batch of timeline.batches.toReversed()) {
    if (batch.start < from || out.length === MOST_BATCHES) break
    const tasks = sourceStage(batch)?.tasks
    const rows = tasks === undefined ? [] : batchRows(timeline, batch.id).flatMap((one) => (one.rows > 0 ? [one.rows] : []))
    if (tasks !== undefined && rows.length > 0) out.unshift({ tasks, ranges: rows.length, rows })
  }
  return out
}

/** The newest batches that all took the same number of records; null = they did not, or there are too few. */
export function pinnedRows(
  timeline: Timeline,
  from: number,
): { readonly least: number; readonly most: number; readonly batches: number } | null {
  const rows = timeline.batches.filter((b) => b.start >= from && b.to_offset && typeof b.rows === 'number').map((b) => b.rows as number)
  let most = Number.NEGATIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  let batches = 0
  for (const n of rows.toReversed()) {
    const [low, high] = [Math.min(least, n), Math.max(most, n)]
    if (high - low > PINNED * high) break
    ;[least, most] = [low, high]
    batches++
  }
  return batches < ENOUGH_BATCHES ? null : { least, most, batches }
}
