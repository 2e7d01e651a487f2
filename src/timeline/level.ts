/** The level of a flow over a window: what came a second, without the pauses that would lower it and the burst that would lift it. */
import { between, indexAt, known, rateBetween } from './line.ts'
import { median } from './robust.ts'
import type { Line, PartitionFlow } from './timeline.ts'

/** A rate up to this share of the usual is a pause (engine.md: source_stall); so many rates tell what is usual. */
export const QUIET = 0.2
const FEW_RATES = 3
/** Records that would usually have come in a silence which is a pause. */
const PAUSE_RECORDS = 50
/** Of less time than the rest no level can be read. */
const MOST_PAUSED = 0.8
/** More than usual, and a rise of at most this many seconds (or one batch) that is over is a burst. */
const MORE = 1.5
const BURST_SECONDS = 12
/** Shorter windows say little about a rate. */
export const SHORTEST_WINDOW = 8

/**
 * Part of a window in which next to nothing came. The level before a change is that of the time in which records flowed: after a pause
 * the usual flow would else look like a surge. A short silence of a line with few records is no pause.
 */
export function pausedShare(line: Line, [from, to]: readonly [number, number]): number {
  const rates = known(line, from, to)
  const flowing = rates.map(([, v]) => v).filter((v) => v > 0)
  if (flowing.length < FEW_RATES) return 0
  const usual = median(flowing)
  let paused = 0
  let quiet = 0
  for (let i = 1; i < rates.length; i++) {
    const [t, v] = rates[i] as readonly [number, number]
    quiet = v <= QUIET * usual ? quiet + t - (rates[i - 1] as readonly [number, number])[0] : 0
    const next = rates[i + 1]
    if (quiet * usual >= PAUSE_RECORDS && (next === undefined || next[1] > QUIET * usual)) paused += quiet
  }
  return Math.min(MOST_PAUSED, paused / (to - from))
}

/** The same of one partition, whose rates are worked out only where one of them may be quiet. */
export function pausedIn(flow: PartitionFlow, window: readonly [number, number]): number {
  const [least, most] = rateRange(flow.logEnd, ...window)
  return least <= QUIET * most ? pausedShare(flow.intake, window) : 0
}

/** Least and most rate of a counter over [from, to]: what most partitions of a wide topic need no list of rates for. */
function rateRange({ t, v }: Line, from: number, to: number): readonly [number, number] {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let i = Math.max(1, indexAt(t, from) + 1); i < t.length && (t[i] as number) <= to; i++) {
    const [a, b] = [v[i - 1] ?? null, v[i] ?? null]
    if (a === null || b === null) continue
    const rate = (b - a) / ((t[i] as number) - (t[i - 1] as number))
    if (rate < least) least = rate
    if (rate > most) most = rate
  }
  return [least, most]
}

/**
 * The rate since `from` where more than usual came only once and shortly: what a producer kept back for some seconds is no level.
 * null = nothing more came, or it came for longer, or it may still come.
 */
export function withoutBurst(logEnd: Line, from: number, usual: number): number | null {
  if (rateRange(logEnd, from, Number.POSITIVE_INFINITY)[1] <= MORE * usual) return null
  const points = known(logEnd, from, Number.POSITIVE_INFINITY)
  let burst: { readonly from: number; to: number; records: number; stretches: number } | null = null
  for (let i = 1; i < points.length; i++) {
    const [[t1, v1], [t2, v2]] = [points[i - 1] as readonly [number, number], points[i] as readonly [number, number]]
    if ((v2 - v1) / (t2 - t1) <= MORE * usual) continue
    if (burst !== null && burst.to !== t1) return null
    burst ??= { from: t1, to: t1, records: 0, stretches: 0 }
    burst.to = t2
    burst.records += v2 - v1
    burst.stretches++
  }
  const [first, last] = [points[0], points.at(-1)]
  if (burst === null || first === undefined || last === undefined || last[0] - burst.to < SHORTEST_WINDOW) return null
  const seconds = burst.to - burst.from
  if (burst.stretches > 1 && seconds > BURST_SECONDS) return null
  return Math.max(0, last[1] - first[1] - burst.records) / (last[0] - first[0] - seconds)
}

/** Rate over a window, clipped to what was seen of it (at least half). */
export function rateIn(flow: Pick<PartitionFlow, 'logEnd' | 'arrived'>, [from, to]: readonly [number, number]): number | null {
  for (const line of [flow.logEnd, flow.arrived]) {
    const first = between(line, from) !== null ? from : knownFrom(line, from, to)
    const last = between(line, to) !== null ? to : knownUntil(line, from, to)
    if (first === undefined || last === undefined || last - first < (to - from) / 2) continue
    const rate = rateBetween(line, first, last)
    if (rate !== null) return rate
  }
  return null
}

/** Times of the first and the last known point of a window. */
function knownFrom({ t, v }: Line, from: number, to: number): number | undefined {
  for (let i = Math.max(0, indexAt(t, from)); i < t.length && (t[i] as number) <= to; i++) {
    if ((t[i] as number) >= from && (v[i] ?? null) !== null) return t[i]
  }
  return undefined
}

function knownUntil({ t, v }: Line, from: number, to: number): number | undefined {
  for (let i = indexAt(t, to); i >= 0 && (t[i] as number) >= from; i--) if ((v[i] ?? null) !== null) return t[i]
  return undefined
}
