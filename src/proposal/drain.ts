/**
 * How long a backlog lasts: with capacity C above intake λ it is gone after L / (C - λ); a restart of R seconds adds λ R records before
 * (engine.md §3.8). Published ±25 %, for that is how far such estimates were off.
 */
import type { Interval } from './interval.ts'

const OFF = 0.25

export interface Backlog {
  readonly lag: number
  /** Records/s. */
  readonly intake: number
  /** Seconds in which nothing is read. */
  readonly restart: number
}

/** Seconds from the change on; the later end is null where the lower capacity does not drain it, all is null where no capacity does. */
export function drainOf({ lag, intake, restart }: Backlog, capacity: Interval): readonly [number, number | null] | null {
  const seconds = (perSecond: number) => restart + (lag + intake * restart) / (perSecond - intake)
  if (capacity[1] <= intake) return null
  return [seconds(capacity[1]) * (1 - OFF), capacity[0] <= intake ? null : seconds(capacity[0]) * (1 + OFF)]
}
