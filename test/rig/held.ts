// Faults that are held for long. A reader without a cap takes all that waits: batch n + 1 holds what arrived during batch n,
// so T(n+1) = a + d T(n), with a the fixed cost and d the work that arrives per second over what the slots can do.
//
// d > 1, as in a short drill: T grows by d each time, and since the batches add up to the time that has passed, linearly
// with it: T = (1 - 1/d) t. After 30 min at d = 1.5 one batch takes ten minutes, half a million records lie in it, and all
// of the incident is some fifteen batches. Nothing of it has left what Spark keeps (100 batches in a checkpoint, 1,000
// jobs, four a batch), so the question of such a drill, what a verdict says when the beginning is no longer kept, would not
// even come up; and the machine would have to drain for longer than the fault lasted.
// d < 1: T settles at a / (1 - d) after a minute or two. Batches stay above the trigger, lag stays where it is, 30 min are
// more than a hundred batches, and a minute after the fault all is calm. So a long fault of load is drawn by where its
// batches settle. A slow sink or host adds to a, not to d, and settles by itself; a stopped source makes no batches at all.
import { FIXED_SECONDS } from './capacity.ts'

/** From the fault to the question, s: beyond this a fault of load must settle. */
export const LONGEST_GROWING_SECONDS = 60

/** Demand over capacity for a fault of load. Held for long, batches settle at `drawn` triggers instead. */
export function overloadFor(drawn: number, triggerSeconds: number, heldSeconds: number): number {
  return heldSeconds <= LONGEST_GROWING_SECONDS ? drawn : 1 - FIXED_SECONDS / (drawn * triggerSeconds)
}

/** Seconds at which batches settle under a demand below 1. */
export const settlesAt = (demand: number): number => FIXED_SECONDS / (1 - demand)

/** What is visibly on although no backlog grows; null where it does grow, and demand over capacity says all. */
export function settledMechanism(demand: number, triggerSeconds: number): string | null {
  if (demand >= 1) return null
  const seconds = settlesAt(demand)
  return `every batch takes ${seconds.toFixed(1)} s, ${(seconds / triggerSeconds).toFixed(1)} triggers`
}

/** Kafka's log and the table's files, per record; what Spark and the broker write besides. Measured: 170 and 32 bytes. */
const BYTES = { record: 250, besides: 1e9 } as const

/** Free disk that a drill must find. `ratePerSecond`: records, at the fault's peak. */
export function bytesNeeded(heldSeconds: number, ratePerSecond: number): number {
  return BYTES.besides + heldSeconds * ratePerSecond * BYTES.record
}
