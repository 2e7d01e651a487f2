// How long a batch takes, from the rig's own knobs: T(N) = fixed + the slots' makespan of the partitions' work. With it
// a drill is drawn healthy before its fault and overloaded in it, and the injector says beforehand what must be visible.
import { SLOTS, SLOTS_PER_WORKER } from './layout.ts'

/** Planning, Delta's snapshot jobs and commit, task start; measured 1.2–1.9 s on two cores without other load. */
export const FIXED_SECONDS = 1.5
/** A healthy batch is drawn to take at most this part of the trigger; calm is judged at 0.7, a neighbour may cost some. */
const HEALTHY = 0.52
/** Work never above this part of the trigger, or long triggers would leave no room to overload by rate alone. */
const MOST_WORK = 0.36

/**
 * Time until the last of the tasks is done, in units of the sum of `work`, when slots take them in order. `times`: how many
 * times as long the same task takes in a slot.
 */
export function makespan(work: readonly number[], slots = SLOTS, times: (slot: number) => number = () => 1): number {
  const busyUntil = new Array<number>(slots).fill(0)
  for (const amount of work) {
    const next = busyUntil.indexOf(Math.min(...busyUntil))
    busyUntil[next] = (busyUntil[next] ?? 0) + amount * times(next)
  }
  return Math.max(...busyUntil)
}

/** Seconds of one batch that holds one trigger's intake. `rates`: records/s by partition; `recordSeconds`: cost of one. */
export function batchSecondsAt(rates: readonly number[], recordSeconds: number, triggerSeconds: number): number {
  return FIXED_SECONDS + makespan(rates) * recordSeconds * triggerSeconds
}

/** Work arriving per second over the work that the slots can do, fixed cost aside: above 1 no batch size catches up. */
export function demandOverCapacity(rates: readonly number[], recordSeconds: number): number {
  return makespan(rates) * recordSeconds
}

/** The largest part of the trigger that the records' work may take in a healthy batch. */
export function mostWorkShare(triggerSeconds: number): number {
  return Math.min(MOST_WORK, HEALTHY - FIXED_SECONDS / triggerSeconds)
}

/** Rows of tasks that the slots run after one another. */
export const waves = (tasks: number, slots = SLOTS): number => Math.ceil(tasks / slots)

/** What one host has to do for a batch beside its records (taking tasks over, Delta's snapshot): a host with a tenth of a core made batches 11 s longer (measured). */
const HOST_FIXED_SECONDS = 1.1

/** Seconds of one batch that holds one trigger's intake while one host works `times` slower. */
export function slowHostBatchSeconds(rates: readonly number[], recordSeconds: number, triggerSeconds: number, times: number): number {
  const slots = makespan(rates, SLOTS, (slot) => (slot < SLOTS_PER_WORKER ? 1 : times))
  return FIXED_SECONDS + HOST_FIXED_SECONDS * (times - 1) + slots * recordSeconds * triggerSeconds
}
