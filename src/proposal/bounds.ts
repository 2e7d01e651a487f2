/**
 * How far a change may go, and when it is not worth making. Every proposal passes here: a cause wishes, these numbers clamp the wish or
 * refuse it with the reason a person would ask for.
 */

import { duration, share } from '../incident/format.ts'
import type { Tried } from '../incident/incident.ts'
import type { Knob } from '../incident/knob.ts'
import { wasSetTo } from '../incident/setting-words.ts'

export const bounds = {
  /** One step at most doubles a setting, or halves it (engine.md §3.8). */
  largestStep: 2,
  /** A change that makes batches less than a tenth shorter, or the reader less than a tenth faster, is not worth a restart. */
  smallestEffect: 1.1,
  /** Share of its time that a reader should need for what arrives (DS2 and Flink's autoscaler: 0.7). */
  utilisation: 0.7,
  /** Share of a trigger that a batch may fill. */
  fillsTrigger: 0.95,
  /** A backlog should be gone after this long, s (Flink's autoscaler: 30 min). */
  catchUpSeconds: 1800,
  /** From the stop of a query to its first new batch, s: 10-35 s on a small rig (rig-spark.md §1), a cluster that has to find room takes longer. */
  restartSeconds: 60,
  /** Rates measured on a saturated reader are 5-31 % too low, so its capacity lies between the measured one and this many times it. */
  hiddenCapacity: 1.45,
  /** Heap that a batch may fill. */
  heapShare: 0.6,
  /** The same setting is not moved again before this, s: a second step needs the first one's effect. */
  coolDownSeconds: 900,
} as const

export interface Limit {
  readonly at: number
  /** e.g. "the topic has 12 partitions, and one task reads one". */
  readonly why: string
}

export interface Step {
  readonly to: number
  /** The limit that held the wish; null = the wish itself fits. */
  readonly heldBy: string | null
}

/** @returns null where the limits leave no step above `from` at all; see `tightest` for the reason */
export function stepUp(from: number, wanted: number, limits: readonly Limit[]): Step | null {
  const limit = tightest(from, limits)
  const to = Math.floor(Math.min(Math.ceil(wanted), limit.at))
  return to <= from ? null : { to, heldBy: Math.ceil(wanted) > limit.at ? limit.why : null }
}

/** @returns null where the wish is no step down */
export function stepDown(from: number, wanted: number): Step | null {
  const least = Math.ceil(from / bounds.largestStep)
  const to = Math.max(least, Math.floor(wanted))
  return to >= from ? null : { to, heldBy: Math.floor(wanted) < least ? `one step at most halves a setting` : null }
}

/** The lowest of the limits above `from`, the largest step among them; of equal ones the first. */
export function tightest(from: number, limits: readonly Limit[]): Limit {
  const step = { at: from * bounds.largestStep, why: 'one step at most doubles a setting' }
  return limits.reduce((low, limit) => (limit.at < low.at ? limit : low), step)
}

/** Whether a setting may be moved now. @returns why not, or null */
export function mayMove(knob: Knob, tried: readonly Tried[], nowMs: number): string | null {
  const last = tried.filter((one) => one.knob === knob).at(-1)
  if (last === undefined) return null
  const since = (nowMs - last.appliedAtMs) / 1000
  if (last.outcome === 'no_effect' || last.outcome === 'worse') {
    return `${wasSetTo(knob, last.to)} before, ${duration(since)} ago, and it ${last.outcome === 'worse' ? 'made things worse' : 'had no effect'}`
  }
  if (last.takenBack === true && last.outcome === null)
    return `${wasSetTo(knob, last.to)} before, ${duration(since)} ago, and taken back before its effect was judged`
  return since < bounds.coolDownSeconds
    ? `${wasSetTo(knob, last.to)} only ${duration(since)} ago; a second step waits ${duration(bounds.coolDownSeconds)} for the effect of the first`
    : null
}

/**
 * @param gain time before / time after, or rate after / rate before
 * @param what e.g. "batches"
 * @returns why a change is not worth making, or null
 */
export function worthIt(gain: number, what: string): string | null {
  if (gain >= bounds.smallestEffect) return null
  if (gain < 1.01) return `it would not make ${what} any faster`
  return `it would make ${what} ${share(gain - 1)} faster at best, and less than ${share(bounds.smallestEffect - 1)} is not worth a change`
}
