/**
 * When records arrived, from two curves of one partition's log end. By arrival: where the log ended when a batch was planned, or when it
 * was read. By record time: how many records bear a time before t; it reaches back an hour and has a point every few seconds, but
 * shows a record where it says to be made, however late it came.
 *
 * Arrivals are the truth. Record times fill the stretches between two arrivals, and what came before the first, moved by how late
 * records of this partition usually arrive; only where they agree with the arrivals at both ends, and never beyond them.
 */
import { emptyLine } from './line.ts'
import { median } from './robust.ts'
import type { Line } from './timeline.ts'

/** Clocks of producer and driver differ, and producers linger: less than this is on time, s. */
export const ON_TIME_SECONDS = 10
/** Fewer arrivals than this tell nothing of a partition's habits. */
const FEW = 3
/** Between two points a rate is read; closer ones than this say more of their clocks than of the flow, s. */
const APART = 0.9
/** Record times stay this far from the arrivals that they stand between, s. */
const BETWEEN = 2.5

/** Records that arrived between two readings of the log end. */
export interface Arrival {
  /** They arrived after the first and not later than the second of these times. */
  readonly after: number
  readonly by: number
  /** Offset of the first of them. */
  readonly offset: number
  /** Seconds by which it came late at least: its own time to `after`. 0 within the stretch; below 0 where its producer's clock is ahead. */
  readonly late: number
}

/** Every stretch in which records came, with how late they were. Both lines rise. */
export function arrivalsOf(arrived: Line, made: Line): Arrival[] {
  const out: Arrival[] = []
  let at = 0
  let after: number | null = null
  let offset = 0
  for (let i = 0; i < arrived.t.length; i++) {
    const v = arrived.v[i] ?? null
    if (v === null) continue
    const t = arrived.t[i] as number
    if (after !== null && v > offset) {
      at = segmentOf(made, offset, at)
      const makes = madeIn(made, at, offset)
      if (makes !== null) out.push({ after, by: t, offset, late: Math.max(0, after - makes) + Math.min(0, t - makes) })
    }
    ;[after, offset] = [t, v]
  }
  return out
}

/** First point above the offset, looked for from `from` on, as an index; the line's length where there is none. */
function segmentOf({ v }: Line, offset: number, from: number): number {
  let i = from > 0 && (v[from - 1] ?? 0) > offset ? 0 : from
  while (i < v.length && (v[i] ?? Number.NEGATIVE_INFINITY) <= offset) i++
  return i
}

/** When the record at `offset` was made, on the straight line to the first point above it; null = older than the line, or not on it. */
function madeIn({ t, v }: Line, above: number, offset: number): number | null {
  const [low, high] = [v[above - 1] ?? null, v[above] ?? null]
  if (low === null || high === null) return null
  const [from, to] = [t[above - 1] as number, t[above] as number]
  return from + ((offset - low) / (high - low)) * (to - from)
}

/** How late records usually arrive, s; null = too little came to tell. */
export function usuallyLate(arrivals: readonly Arrival[], few = FEW): number | null {
  return arrivals.length < few ? null : median(arrivals.map((arrival) => arrival.late))
}

/** @param late how late records usually arrive, s: less than ON_TIME_SECONDS counts as nothing */
export function byArrival(arrived: Line, made: Line, late: number): Line {
  const known = apart(arrived)
  const shift = Math.abs(late) > ON_TIME_SECONDS ? late : 0
  if (known.t.length === 0) return shift === 0 ? made : moved(made, shift)
  const fits = fitting(known, made, shift)
  const t: number[] = []
  const v: (number | null)[] = []
  let k = 0
  const last = known.t.length
  const end = shift > 0 ? (made.t.at(-1) as number) : Number.POSITIVE_INFINITY
  for (let i = 0; i <= last; i++) {
    const [from, to] = [known.t[i - 1] ?? Number.NEGATIVE_INFINITY, known.t[i] ?? Number.POSITIVE_INFINITY]
    const [low, high] = [known.v[i - 1] ?? Number.NEGATIVE_INFINITY, known.v[i] ?? Number.POSITIVE_INFINITY]
    const outside = i === 0 || i === last
    const inside = outside || (fits[i - 1] === true && fits[i] === true)
    for (; k < made.t.length && (made.t[k] as number) + shift < Math.min(to, end); k++) {
      const at = (made.t[k] as number) + shift
      const value = made.v[k] ?? null
      if (!inside || at < from + BETWEEN || at > to - BETWEEN) continue
      // Beyond the ends only the arrival next to them bounds record times; between two arrivals a hole in them hides nothing.
      if (value === null ? !outside : outside && (value > high || value < low)) continue
      t.push(at)
      v.push(value === null ? null : Math.min(high, Math.max(low, value)))
    }
    if (i < last) {
      t.push(known.t[i] as number)
      v.push(known.v[i] ?? null)
    }
  }
  return { t, v }
}

/** Later by `shift`, up to the time at which it was read: what is beyond has not been. */
function moved({ t, v }: Line, shift: number): Line {
  const kept = t.filter((at) => shift < 0 || at + shift <= (t.at(-1) as number)).length
  return { t: t.slice(0, kept).map((at) => at + shift), v: v.slice(0, kept) }
}

/** Known arrivals that are far enough apart for a rate; the newest is always kept. */
function apart(arrived: Line): Line {
  const t: number[] = []
  const v: number[] = []
  for (let i = 0; i < arrived.t.length; i++) {
    const [at, value] = [arrived.t[i] as number, arrived.v[i] ?? null]
    if (value === null) continue
    if (at - (t.at(-1) ?? Number.NEGATIVE_INFINITY) < APART) {
      if (i < arrived.t.length - 1 || t.length < 2) continue
      t.pop()
      v.pop()
    }
    t.push(at)
    v.push(value)
  }
  return t.length === 0 ? emptyLine : { t, v }
}

/** Whether record times, moved, show each arrival within what counts as on time. */
function fitting(known: Line, made: Line, shift: number): boolean[] {
  const [earlier, later] = [walk(made), walk(made)]
  return known.t.map((t, i) => {
    const v = known.v[i] as number
    const [low, high] = [earlier(t - shift - ON_TIME_SECONDS), later(t - shift + ON_TIME_SECONDS)]
    return low !== null && low <= v && (high === null || high >= v)
  })
}

/** Values of a line at rising times: straight between points, the last one beyond the end; null before the first and beside a hole. */
function walk({ t, v }: Line): (at: number) => number | null {
  let i = -1
  return (at) => {
    while (i + 1 < t.length && (t[i + 1] as number) <= at) i++
    if (i < 0) return null
    const low = v[i] ?? null
    const [to, high] = [t[i + 1], v[i + 1] ?? null]
    if (low === null || to === undefined) return low
    return high === null ? null : low + ((high - low) * (at - (t[i] as number))) / (to - (t[i] as number))
  }
}
