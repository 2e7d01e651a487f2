/**
 * When records arrived, from two curves of one partition's log end. By arrival: where the log ended when a batch was planned, or when it
 * was read. By record time: how many records bear a time before t; it reaches back an hour and has a point every few seconds, but
 * shows a record where it says to be made, however late it came.
 *
 * Arrivals are the truth. Record times fill the stretches between two arrivals, and what came before the first, moved by how late
 * records of this partition usually arrive; only where they agree with the arrivals at both ends, and never beyond them.
 */
import { walk } from './line.ts'
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
interface Arrival {
  /** They arrived after the first and not later than the second of these times. */
  readonly after: number
  readonly by: number
  /** Offset of the first of them, and of the first that came later. */
  readonly offset: number
  readonly until: number
  /** Seconds by which it came late at least: its own time to `after`. 0 within the stretch; below 0 where its producer's clock is ahead. */
  readonly late: number
}

/** Visits every stretch in which records came, with how late they were. The value visited is used again: nothing is kept of it. */
export function eachArrival(arrived: Line, made: Line, visit: (arrival: Arrival) => void): void {
  const arrival = { after: 0, by: 0, offset: 0, until: 0, late: 0 }
  let above = 0
  let begun = false
  for (let i = 0; i < arrived.t.length; i++) {
    const v = arrived.v[i] ?? null
    if (v === null) continue
    arrival.by = arrived.t[i] as number
    arrival.until = v
    if (begun && v > arrival.offset) {
      above = firstAbove(made, arrival.offset, above)
      const makes = madeIn(made, above, arrival.offset)
      arrival.late = makes === null ? 0 : Math.max(0, arrival.after - makes) + Math.min(0, arrival.by - makes)
      if (makes !== null) visit(arrival)
    }
    begun = true
    arrival.after = arrival.by
    arrival.offset = v
  }
}

/** First point above the offset, looked for from `from` on, as an index; the line's length where there is none. */
function firstAbove({ v }: Line, offset: number, from: number): number {
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

/** How late records of one partition usually arrive, s; null = too little came to tell. 0 stands for all that is on time. */
export function usuallyLate(arrived: Line, made: Line): number | null {
  const late: number[] = []
  let onTime = 0
  eachArrival(arrived, made, (arrival) => {
    late.push(arrival.late)
    if (Math.abs(arrival.late) <= ON_TIME_SECONDS) onTime++
  })
  if (late.length < FEW) return null
  return onTime > late.length / 2 ? 0 : median(late)
}

/** The same over partitions of which none tells enough for itself. */
export function usualLateness(partitions: readonly { readonly arrived: Line; readonly made: Line }[]): number | null {
  const late: number[] = []
  for (const { arrived, made } of partitions) eachArrival(arrived, made, (arrival) => late.push(arrival.late))
  return late.length === 0 ? null : median(late)
}

/** Which points make up a line by arrival: of arrivals (their index) and of record times (~ their index), with the times they stand at. */
interface Weave {
  readonly known: readonly number[]
  readonly made: readonly number[]
  readonly shift: number
  readonly fits: readonly boolean[]
  readonly from: readonly number[]
  readonly t: readonly number[]
}

/** Makes lines by arrival. Partitions of one topic are asked and planned at the same times: what one was woven from serves the next. */
export function arrivalLines(): (arrived: Line, made: Line, late: number) => Line {
  let last: Weave | null = null
  /** @param late how late records usually arrive, s: less than ON_TIME_SECONDS counts as nothing */
  return (arrived, lookedUp, late) => {
    const known = knownApart(arrived)
    const made = apart(lookedUp)
    const shift = Math.abs(late) > ON_TIME_SECONDS ? late : 0
    if (made.t.length === 0) return known
    if (known.t.length === 0) return shift === 0 ? made : moved(made, shift)
    const fits = fitting(known, made, shift)
    const same =
      last !== null &&
      last.known === known.t &&
      last.made === made.t &&
      last.shift === shift &&
      fits.every((fit, i) => fit === last?.fits[i])
    const weave = same && last !== null ? last : weaveOf(known.t, made.t, shift, fits)
    last = weave
    return woven(weave, known, made)
  }
}

function weaveOf(known: readonly number[], made: readonly number[], shift: number, fits: readonly boolean[]): Weave {
  const from: number[] = []
  const t: number[] = []
  let k = 0
  const end = shift > 0 ? (made.at(-1) as number) : Number.POSITIVE_INFINITY
  for (let i = 0; i <= known.length; i++) {
    const [after, to] = [known[i - 1] ?? Number.NEGATIVE_INFINITY, known[i] ?? Number.POSITIVE_INFINITY]
    const agree = i === 0 || i === known.length || (fits[i - 1] === true && fits[i] === true)
    for (; k < made.length && (made[k] as number) + shift < Math.min(to, end); k++) {
      const at = (made[k] as number) + shift
      if (!agree || at < after + BETWEEN || at > to - BETWEEN) continue
      from.push(~k)
      t.push(at)
    }
    if (i === known.length) break
    from.push(i)
    t.push(known[i] as number)
  }
  return { known, made, shift, fits, from, t }
}

function woven({ from, t }: Weave, known: Line, made: Line): Line {
  const v = new Array<number | null | undefined>(from.length)
  let next = 0
  let low = Number.NEGATIVE_INFINITY
  let high = known.v[0] as number
  let left = 0
  for (let i = 0; i < from.length; i++) {
    const source = from[i] as number
    if (source >= 0) {
      v[i] = low = high
      next = source + 1
      high = next < known.v.length ? (known.v[next] as number) : Number.POSITIVE_INFINITY
      continue
    }
    const value = made.v[~source] as number | null
    // Beyond the ends only the arrival next to them bounds record times; between two arrivals a hole in them hides nothing.
    const outside = next === 0 || next === known.v.length
    if (value === null ? outside : !outside || (value <= high && value >= low)) {
      v[i] = value === null ? null : Math.min(high, Math.max(low, value))
    } else left++
  }
  if (left === 0) return { t, v: v as (number | null)[] }
  return { t: t.filter((_, i) => v[i] !== undefined), v: v.filter((value) => value !== undefined) }
}

/** Later by `shift`, up to the time at which it was read: what is beyond has not been. */
function moved({ t, v }: Line, shift: number): Line {
  const kept = t.filter((at) => shift < 0 || at + shift <= (t.at(-1) as number)).length
  return { t: t.slice(0, kept).map((at) => at + shift), v: v.slice(0, kept) }
}

/** Known readings that are far enough apart for a rate. */
function knownApart(arrived: Line): Line {
  const { t, v } = arrived
  if (v.every((value) => value !== null)) return apart(arrived)
  return apart({ t: t.filter((_, i) => v[i] !== null), v: v.filter((value) => value !== null) })
}

/** Points that are far enough apart for a rate; the newest is always kept. */
function apart(line: Line): Line {
  const { t: at, v: value } = line
  if (at.every((t, i) => i === 0 || t - (at[i - 1] as number) >= APART)) return line
  const t: number[] = []
  const v: (number | null)[] = []
  for (let i = 0; i < at.length; i++) {
    const now = at[i] as number
    if (now - (t.at(-1) ?? Number.NEGATIVE_INFINITY) < APART) {
      if (i < at.length - 1 || t.length < 2) continue
      t.pop()
      v.pop()
    }
    t.push(now)
    v.push(value[i] ?? null)
  }
  return { t, v }
}

/** Whether record times, moved, show each arrival within what counts as on time. */
function fitting(known: Line, made: Line, shift: number): boolean[] {
  const [earlier, later] = [walk(made), walk(made)]
  const end = made.t.at(-1) ?? 0
  return known.t.map((t, i) => {
    const v = known.v[i] as number
    const [low, high] = [earlier(Math.min(end, t - shift - ON_TIME_SECONDS)), later(Math.min(end, t - shift + ON_TIME_SECONDS))]
    return low !== null && low <= v && (high === null || high >= v)
  })
}
