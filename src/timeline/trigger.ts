/**
 * How often the query is triggered. Spark tells the interval nowhere, but a query that waits for its trigger starts on multiples of
 * it since 1970, and batchTimestampMs follows the start by the few milliseconds of latestOffset (rig-spark.md §2, §3).
 */
import type { BatchSighting } from '../incident/findings.ts'
import type { SeenBatch } from './sightings.ts'
import { joinSightings } from './sightings.ts'

export interface Trigger {
  /** null = not known, or declared as back to back. */
  readonly seconds: number | null
  readonly from: 'declared' | 'inferred' | 'unknown'
}

/** A batch planned later than this after the previous commit waited for its trigger. */
export const WAITED_MS = 250
/** Waits that must agree: three at a tolerance of 8 % agree by chance once in 2,000 times. */
export const MIN_WAITS = 3
/** latestOffset takes longer now and then (a cold start, a slow broker). */
export const AGREE_SHARE = 0.85
const LATEST_OFFSET_MS = 300
/** Intervals that people write, for a query whose waits are too far apart to show the interval as a distance. */
export const USUAL_MS: readonly number[] = [
  500, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 10_000, 12_000, 15_000, 20_000, 30_000, 45_000, 60_000, 120_000, 180_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000,
]

/** @param declaredS what the owners declare; 0 = back to back. */
export function inferTrigger(sightings: readonly BatchSighting[], declaredS: number | null = null): Trigger {
  return triggerOf(joinSightings(sightings), declaredS)
}

export function triggerOf(batches: readonly SeenBatch[], declaredS: number | null): Trigger {
  if (declaredS !== null) return { seconds: declaredS > 0 ? declaredS : null, from: 'declared' }
  const waits = waitedStarts(batches)
  if (waits.length < MIN_WAITS) return { seconds: null, from: 'unknown' }
  const apart = waits.slice(1).map((at, i) => at - (waits[i] as number))
  const nearest = Math.min(...apart)
  // The waits are whole numbers of intervals apart, so the interval is at most the smallest distance (plus the jitter of latestOffset).
  const candidates = new Set<number>()
  for (const step of [1000, 500, 100]) {
    for (const distance of apart) for (const parts of [1, 2, 3, 4]) candidates.add(Math.round(distance / parts / step) * step)
  }
  for (const usual of USUAL_MS) candidates.add(usual)
  const fitting = [...candidates].filter((ms) => ms >= 100 && ms <= nearest + LATEST_OFFSET_MS && agrees(waits, ms))
  return fitting.length === 0 ? { seconds: null, from: 'unknown' } : { seconds: Math.max(...fitting) / 1000, from: 'inferred' }
}

function agrees(waits: readonly number[], ms: number): boolean {
  const tolerance = Math.min(LATEST_OFFSET_MS, ms * 0.25)
  const on = waits.filter((at) => at % ms <= tolerance).length
  return on >= MIN_WAITS && on >= waits.length * AGREE_SHARE
}

/** Starts (or plans) of the batches that did not begin as soon as the one before had ended. */
function waitedStarts(batches: readonly SeenBatch[]): number[] {
  const out: number[] = []
  for (let i = 1; i < batches.length; i++) {
    const [before, batch] = [batches[i - 1], batches[i]]
    if (before === undefined || batch === undefined || before.id !== batch.id - 1) continue
    const at = batch.triggerStartMs ?? batch.plannedAtMs
    // The first batch of a run starts when the query is started, on no trigger.
    if (at === undefined || typeof before.committedMs !== 'number' || before.run !== batch.run) continue
    if (at - before.committedMs > WAITED_MS) out.push(at)
  }
  return out
}
