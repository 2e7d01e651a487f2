/**
 * The checkpoint's file times come from the clock of the file system, its batchTimestampMs and the UI from the driver's. Spark does
 * things in order (plan, write offsets, start the execution, end it, write the commit, plan the next), and that order bounds how far the two clocks
 * can be apart; where it cannot hold with equal clocks, the smallest correction that restores it is taken.
 */
import type { SeenBatch } from './sightings.ts'

/** File times are rounded to the kernel's tick (4 ms here), Spark's to 1 ms. */
const ROUNDING_MS = 10
/** Longer between the offsets file and the execution, and the batch was run again after a restart, or planning is the trouble. */
const LONG_PLANNING_MS = 5000

/** Batches that may contradict the others: a file somebody touched must not move the clock of all. */
const ODD_SHARE = 0.05

/** Milliseconds that the file system's clock is ahead of the driver's; 0 where the two agree or nothing tells. */
export function fileClockAhead(batches: readonly SeenBatch[]): number {
  const atLeast: number[] = []
  const atMost: number[] = []
  for (const [i, batch] of batches.entries()) {
    const next = batches[i + 1]
    const { plannedAtMs, offsetsWrittenMs, committedMs, sqlStartMs, sqlDurationMs } = batch
    if (offsetsWrittenMs !== undefined && plannedAtMs !== undefined) atMost.push(offsetsWrittenMs - plannedAtMs)
    if (typeof committedMs === 'number' && next?.id === batch.id + 1 && next.plannedAtMs !== undefined)
      atLeast.push(committedMs - next.plannedAtMs)
    if (sqlStartMs === undefined || batch.ranTwice) continue
    if (offsetsWrittenMs !== undefined && sqlStartMs - offsetsWrittenMs < LONG_PLANNING_MS) atLeast.push(offsetsWrittenMs - sqlStartMs)
    if (typeof committedMs === 'number' && sqlDurationMs !== undefined && batch.sqlRunning !== true) {
      atMost.push(committedMs - (sqlStartMs + sqlDurationMs))
    }
  }
  const most = nearlyLowest(atMost)
  const least = -nearlyLowest(atLeast.map((ms) => -ms))
  if (least > most + ROUNDING_MS) return 0
  if (most < -ROUNDING_MS) return Math.round(most)
  if (least > ROUNDING_MS) return Math.round(Math.min(least, most))
  return 0
}

/** Lowest but for the odd ones; infinite for none. */
function nearlyLowest(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * ODD_SHARE)] ?? Number.POSITIVE_INFINITY
}

/** File times moved onto the driver's clock. */
export function onDriverClock(batch: SeenBatch, aheadMs: number): SeenBatch {
  if (aheadMs === 0) return batch
  return {
    ...batch,
    ...(batch.offsetsWrittenMs === undefined ? {} : { offsetsWrittenMs: batch.offsetsWrittenMs - aheadMs }),
    ...(typeof batch.committedMs === 'number' ? { committedMs: batch.committedMs - aheadMs } : {}),
  }
}
