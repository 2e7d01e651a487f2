/** Has the topic gone quiet, and is that unusual for it? */
import { between, known } from './line.ts'
import { median } from './robust.ts'
import type { Line, Timeline } from './timeline.ts'

export interface Stall {
  /** It went quiet between these times. */
  readonly between: readonly [number, number]
  /** Seconds of quiet up to now. */
  readonly seconds: number
  /** Usual records/s before. */
  readonly usual: number
  /** Records/s since. */
  readonly now: number
  /** Longest earlier pause in what was seen, s, and how many were as long as this one. */
  readonly longestBefore: number
  readonly asLongBefore: number
}

/** Intake at or below this share of the usual counts as quiet (engine.md: source_stall). */
const QUIET = 0.2
/** Fewer expected records than this in the quiet time say nothing. */
const EXPECTED_RECORDS = 50
const SHORTEST_STALL = 12

/**
 * The quiet stretch that reaches up to now. A line by record time ends at "now" with the end offset, so silence is a flat end.
 * null = records still come, or too little was seen.
 */
export function findStall(timeline: Timeline): Stall | null {
  const rates = known(timeline.intake, Number.NEGATIVE_INFINITY, timeline.now)
  if (rates.length < 6) return null
  const positive = rates.map(([, v]) => v).filter((v) => v > 0)
  if (positive.length < 3) return null
  // Recent busy points say what is usual: an hour may hold several levels.
  const usual = median(positive.slice(-24))
  let i = rates.length - 1
  while (i >= 0 && (rates[i] as readonly [number, number])[1] <= QUIET * usual) i--
  if (i === rates.length - 1 || i < 0) return null
  const lastBusy = (rates[i] as readonly [number, number])[0]
  const firstQuiet = (rates[i + 1] as readonly [number, number])[0]
  const end = (rates.at(-1) as readonly [number, number])[0]
  // The last busy point may be busy for a part of its interval only: the silence began somewhere inside it.
  const previous = (rates[i - 1] ?? rates[i]) as readonly [number, number]
  const seconds = end - lastBusy
  if (seconds < SHORTEST_STALL || seconds * usual < EXPECTED_RECORDS) return null
  const came = amount(
    timeline.partitions.map((p) => p.logEnd),
    lastBusy,
    end,
  )
  const pauses = earlierPauses(rates.slice(0, i), usual)
  return {
    between: [Math.min(previous[0], lastBusy), firstQuiet],
    seconds,
    usual,
    now: came === null ? 0 : came / seconds,
    longestBefore: pauses.length === 0 ? 0 : Math.max(...pauses),
    asLongBefore: pauses.filter((p) => p >= seconds).length,
  }
}

/** Nothing at all came in all the time that was seen: seconds of it. null = something came, or too little was seen. */
export function alwaysQuiet(timeline: Timeline): number | null {
  const rates = known(timeline.intake, Number.NEGATIVE_INFINITY, timeline.now)
  const [first] = rates
  const last = rates.at(-1)
  return first && last && rates.length >= 6 && rates.every(([, v]) => v === 0) ? last[0] - first[0] : null
}

function amount(lines: readonly Line[], from: number, to: number): number | null {
  let total = 0
  for (const line of lines) {
    const a = between(line, from)
    const b = between(line, to)
    if (a === null || b === null) return null
    total += b - a
  }
  return total
}

/** Lengths of quiet stretches between busy points, seconds. What precedes the first record ever is not a pause. */
function earlierPauses(rates: readonly (readonly [number, number])[], usual: number): number[] {
  const out: number[] = []
  let busySince: number | null = null
  let quietFrom: number | null = null
  for (const [t, v] of rates) {
    if (v > QUIET * usual) {
      if (quietFrom !== null && busySince !== null) out.push(t - quietFrom)
      quietFrom = null
      busySince = t
    } else if (busySince !== null && quietFrom === null) quietFrom = busySince
  }
  return out
}
