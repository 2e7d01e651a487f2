/**
 * From a committed offset to a time: up to when is a partition complete? Pure: one search per partition, driven from outside.
 *
 * R(T) = first offset stamped at or after T. R never falls as T grows, and R(T) <= committed means: of the records below T, none is
 * left to be read. So the greatest such T is what we want, and ListOffsets is R: bisection finds T without fetching a record. Each
 * answer also tells the stamp of the record it found, which usually ends the search well before halving would.
 */

import { CLOCK_TOLERANCE_MS } from './kafka-history.ts'

/** The answer is at most this much too early, never too late. */
export const PRECISION_MS = 100

export interface Search {
  readonly partition: number
  readonly committed: number
  /** Largest time known with R <= committed, epoch ms; null = none known yet. */
  readonly lowMs: number | null
  /** Smallest time known with R > committed; null = none known yet. */
  readonly highMs: number | null
  readonly nowMs: number
  /** `lowMs` is the stamp of the first unread record itself: one look just behind it settles the search. */
  readonly close: boolean
  /** Why no time can be told; null = it can. */
  readonly trouble: 'future' | 'removed' | null
}

/** What the first look already knows: [epoch ms, log end by record time] in rising order; `end` = log end when it was taken. */
export interface KnownPoints {
  readonly points: readonly (readonly [timeMs: number, offset: number])[]
  readonly end: number
}

export function startSearch(partition: number, committed: number, known: KnownPoints | null, nowMs: number): Search {
  let lowMs: number | null = null
  let highMs: number | null = null
  for (const [timeMs, offset] of known?.points ?? []) {
    if (timeMs > nowMs) break
    // A point at the log end of that look only says "no later record then": it can bound from above, not from below.
    if (offset > committed) {
      highMs = timeMs
      break
    }
    if (offset < (known?.end ?? 0)) lowMs = timeMs
  }
  return { partition, committed, lowMs, highMs, nowMs, close: false, trouble: null }
}

export function settled(search: Search): boolean {
  if (search.trouble !== null) return true
  return search.lowMs !== null && search.highMs !== null && search.highMs - search.lowMs <= PRECISION_MS
}

/** The next time to ask R for, epoch ms; null = settled. */
export function nextTime(search: Search): number | null {
  if (settled(search)) return null
  if (search.highMs === null) return aheadOf(search)
  // The oldest record there is: its stamp is a lower bound however old it is.
  if (search.lowMs === null) return OLDEST_MS
  return search.close ? search.lowMs + 1 : Math.floor((search.lowMs + search.highMs) / 2)
}

/** A time that only a wrong stamp reaches. */
function aheadOf(search: Search): number {
  return search.nowMs + CLOCK_TOLERANCE_MS
}

const OLDEST_MS = 1

/** The search after R(askedMs) was answered: `offset` -1 = no such record; `timestamp` = stamp of the record found. */
export function narrow(
  search: Search,
  askedMs: number,
  { offset, timestamp }: { readonly offset: number; readonly timestamp: number },
): Search {
  if (offset < 0 || offset > search.committed) {
    const removed = askedMs === OLDEST_MS
    return { ...search, highMs: Math.min(search.highMs ?? askedMs, askedMs), close: false, trouble: removed ? 'removed' : search.trouble }
  }
  // A record already read is stamped in the future: by record time nothing can be told of this partition.
  if (askedMs >= aheadOf(search)) return { ...search, trouble: 'future' }
  const lowMs = Math.max(askedMs, Math.min(timestamp, (search.highMs ?? aheadOf(search)) - 1))
  return { ...search, lowMs: Math.max(search.lowMs ?? lowMs, lowMs), close: offset === search.committed }
}
