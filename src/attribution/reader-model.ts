/**
 * A micro-batch reader as arithmetic: records arrive, a batch takes all there is when it begins (or its cap), needs a time for them, and
 * the next begins at the next trigger, or at once when that has passed. This integrates lag' = arrivals - consumption exactly.
 */
import type { Arrivals } from './arrivals.ts'

export interface ReaderModel {
  readonly arrivals: Arrivals
  /** Seconds that a batch which begins at `start` needs for `rows`. */
  readonly seconds: (start: number, rows: number) => number
  /** First trigger after a time; null = back to back. */
  readonly nextTrigger: ((after: number) => number) | null
  /** Records a batch may take. */
  readonly cap: number
}

export interface Course {
  /** Records that wait at the end. */
  readonly lag: number
  /** Longest that a record had waited at one time, s: the time-lag at its peak. */
  readonly longestWait: number
}

/** A batch is not shorter than this, s: a reader that has nothing to do looks again no sooner. */
const SHORTEST_BATCH = 0.1

/**
 * How long the oldest record that waits has waited, s: the next one after those that were read. 0 where all was read: however long ago the
 * last of them came, nobody waits.
 */
export function waitAt(arrivals: Arrivals, read: number, at: number): number {
  return arrivals.by(at) - read < 1 ? 0 : at - arrivals.when(read + 1)
}

/**
 * @param from when the first batch begins, and the lag then
 * @param until right edge
 */
export function courseOf(
  { arrivals, seconds, nextTrigger, cap }: ReaderModel,
  from: { readonly at: number; readonly lag: number },
  until: number,
): Course {
  let position = arrivals.by(from.at) - from.lag
  let start = from.at
  let longestWait = 0
  while (start < until) {
    const rows = Math.max(0, Math.min(cap, arrivals.by(start) - position))
    const end = start + Math.max(SHORTEST_BATCH, seconds(start, rows))
    longestWait = Math.max(longestWait, waitAt(arrivals, position, Math.min(end, until)))
    if (end > until) break
    position += rows
    start = nextTrigger === null ? end : Math.max(end, nextTrigger(start))
  }
  longestWait = Math.max(longestWait, waitAt(arrivals, position, until))
  return { lag: Math.max(0, arrivals.by(until) - position), longestWait }
}
