/**
 * Scheduling delay: how long after its trigger a batch began.
 *
 * Structured Streaming reports none by name. But a processing-time trigger fires at multiples of its interval since 1970, and a batch
 * that runs over makes the next one begin as soon as it has ended, later than the trigger that was due by then (rig-spark.md §3):
 *     due   = first multiple of the interval after the batch before had begun
 *     delay = start - due
 * A trigger that finds nothing to read makes no batch, so one that begins at a later multiple although the reader was free is on time.
 * DStreams name the time at which a batch was due. Back to back there is no trigger to be late for: then nothing is said, never 0.
 */
import type { Batch, Reader } from '../incident/evidence.ts'
import { AGREE_SHARE, MIN_WAITS, WAITED_MS } from './trigger.ts'

/** Why no delay can be told. */
export type NoDelay = 'back to back' | 'no interval' | 'no grid'

/** What is known of the triggers of a query. */
export interface Triggers {
  readonly reader: Pick<Reader, 'trigger_s'>
  /** Epoch seconds, on the driver's clock, of time 0 of the batches. */
  readonly zeroS: number
}

export interface Scheduling {
  /** Milliseconds from trigger to start by batch id; absent = not known. */
  readonly delayMs: ReadonlyMap<number, number>
  /** Time (as of the batches) of the oldest trigger that waits for the batch in flight; null = none does, or not known. */
  readonly waitsSince: number | null
  readonly unknown: NoDelay | null
}

/** A start this soon after its trigger is on it: the thread needs a moment to wake up. */
const ON_TICK_MS = 300
/** Times are rounded, and a start that is rounded down is still that of its trigger. */
const ROUNDING_MS = 20

/** @param batches of one query in order of id. What a source says of a batch's delay counts more than what follows from its start. */
export function schedulingOf(batches: readonly Batch[], triggers: Triggers): Scheduling {
  const told = new Map(batches.flatMap((batch) => toldOf(batch)))
  const { trigger_s: interval } = triggers.reader
  const nothing = (unknown: NoDelay): Scheduling => ({ delayMs: told, waitsSince: null, unknown: told.size > 0 ? null : unknown })
  if (interval === undefined) return nothing('no interval')
  if (interval === null || interval <= 0) return nothing('back to back')
  const every = interval * 1000
  const at = (seconds: number) => Math.round((triggers.zeroS + seconds) * 1000)
  const phase = phaseOf(batches, every, at)
  if (phase === null) return nothing('no grid')
  const tickBefore = (ms: number) => Math.floor((ms + ROUNDING_MS - phase) / every) * every + phase
  const delayMs = new Map(told)
  for (let i = 1; i < batches.length; i++) {
    const [before, batch] = [batches[i - 1] as Batch, batches[i] as Batch]
    if (delayMs.has(batch.id) || !follows(before, batch)) continue
    const [start, ended] = [at(batch.start), at(before.end as number)]
    const due = tickBefore(at(before.start)) + every
    const tick = tickBefore(start)
    // Where a trigger lies between the reader being free and the start, those before it found nothing to read.
    delayMs.set(batch.id, Math.max(0, start - (tick > Math.max(due, ended + WAITED_MS) ? tick : due)))
  }
  const last = batches.at(-1)
  const next = last?.end === null && startKnown(last) ? tickBefore(at(last.batch_time ?? last.start)) + every : null
  return { delayMs, waitsSince: next === null ? null : next / 1000 - triggers.zeroS, unknown: null }
}

/** The batches with their delays filled in, as far as they are known. */
export function withDelays<B extends Batch>(batches: readonly B[], { delayMs }: Scheduling): B[] {
  return batches.map((batch) => {
    const delay = delayMs.get(batch.id)
    return delay === undefined ? batch : { ...batch, scheduling_delay_ms: delay }
  })
}

function toldOf(batch: Batch): [number, number][] {
  if (typeof batch.scheduling_delay_ms === 'number') return [[batch.id, batch.scheduling_delay_ms]]
  if (typeof batch.batch_time === 'number') return [[batch.id, Math.max(0, Math.round((batch.start - batch.batch_time) * 1000))]]
  return []
}

/** Whether the start of a batch can be held against the one before: same run, both starts known, and the end between them. */
function follows(before: Batch, batch: Batch): boolean {
  return (
    before.id === batch.id - 1 &&
    (before.run === undefined || batch.run === undefined || before.run === batch.run) &&
    before.end !== null &&
    before.end_bounds === undefined &&
    batch.replayed !== true &&
    startKnown(batch)
  )
}

/** Where the trigger start could not be told, `start` is the plan, which is later by latestOffset. */
function startKnown(batch: Batch): boolean {
  return batch.phases_missing?.includes('latestOffset') !== true
}

/**
 * Where in the interval its triggers fall, ms: 0 is Spark's rule. Batches that waited for their trigger tell it: where they agree on
 * another instant the clock of these times is off by that; where they agree on none, the interval is not the true one: null.
 */
function phaseOf(batches: readonly Batch[], every: number, at: (seconds: number) => number): number | null {
  const waited = batches.flatMap((batch, i) => {
    const before = batches[i - 1]
    if (before === undefined || !follows(before, batch)) return []
    return at(batch.start) - at(before.end as number) > WAITED_MS ? [at(batch.start) % every] : []
  })
  if (waited.length < MIN_WAITS) return 0
  const near = Math.min(ON_TICK_MS, every / 4)
  const offBy = (rest: number, phase: number) => ((rest - phase + every * 1.5) % every) - every / 2
  const agreeing = (phase: number) => waited.map((rest) => offBy(rest, phase)).filter((off) => Math.abs(off) <= near)
  const enough = (phase: number) => agreeing(phase).length >= waited.length * AGREE_SHARE
  const seen = waited.findLast(enough)
  return enough(0) ? 0 : seen === undefined ? null : seen + Math.min(...agreeing(seen))
}
