/**
 * The trigger interval of a query whose newest batches all run over it, from older ones of which only the UI tells: when their first job
 * began. A batch that waits for its trigger starts at a multiple of the interval since 1970, plus the little that planning takes,
 * however long the one before it took; batches that run back to back start as far apart as they are long.
 */
import type { Batch } from '../incident/evidence.ts'
import { USUAL_MS, WAITED_MS } from './trigger.ts'

/** Consecutive starts on one grid that prove it. */
const MIN_STARTS = 6
/** From the trigger to the first job: latestOffset, the offsets file, planning (0.2–0.7 s measured; a slow broker takes longer). */
const FIRST_JOB_MS = 1000
/** The batches' lengths must stray so many times as much as their starts do: back to back, starts stray at least as much. */
const STEADIER = 3

/**
 * @param batches of one query in order of id
 * @param zeroS epoch seconds, on the driver's clock, of time 0 of the batches
 * @returns seconds; null = no stretch of batches shows one
 */
export function heldGrid(batches: readonly Batch[], zeroS: number): number | null {
  const found = USUAL_MS.filter((every) => longestHold(batches, zeroS, every) >= MIN_STARTS)
  return found.length === 0 ? null : Math.max(...found) / 1000
}

/** Most consecutive batches of one run that start one interval after the other, each on the grid, while their lengths stray. */
function longestHold(batches: readonly Batch[], zeroS: number, every: number): number {
  const late = Math.min(FIRST_JOB_MS, every / 4)
  const startMs = (batch: Batch): number => (zeroS + batch.start) * 1000
  let longest = 0
  let held: Batch[] = []
  for (const batch of batches) {
    const before = held.at(-1)
    const on = startMs(batch) % every <= late
    const next =
      before !== undefined &&
      before.id === batch.id - 1 &&
      before.run === batch.run &&
      Math.floor(startMs(batch) / every) - Math.floor(startMs(before) / every) === 1
    held = on ? (next ? [...held, batch] : [batch]) : []
    if (held.length > longest && waits(held, startMs, every)) longest = held.length
  }
  return longest
}

function waits(held: readonly Batch[], startMs: (batch: Batch) => number, every: number): boolean {
  const lengths = held.slice(0, -1).flatMap(({ start, end }) => (end === null ? [] : [(end - start) * 1000]))
  return lengths.length > 0 && spread(lengths) >= Math.max(WAITED_MS, STEADIER * spread(held.map((batch) => startMs(batch) % every)))
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)
