/** Reading a line of the timeline: what it shows at an instant, at its end, and between two instants. */
import { median } from '../timeline/robust.ts'
import type { Line, PartitionFlow } from '../timeline/timeline.ts'

export interface Point {
  readonly t: number
  readonly v: number
}

/** Points with a value, in time order. */
export function seen(line: Line, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): Point[] {
  const points: Point[] = []
  line.t.forEach((t, i) => {
    const v = line.v[i]
    if (v !== null && v !== undefined && Number.isFinite(v) && t >= from && t <= to) points.push({ t, v })
  })
  return points
}

/**
 * Largest value of the lines between two instants, outside of the stretches given; 0 where nothing was seen. Ten thousand
 * partitions are no arguments of one call.
 */
export function highestOf(
  lines: readonly Line[],
  from: number,
  to: number,
  without: readonly { readonly from: number; readonly to: number }[] = [],
): number {
  const counts = ({ t }: Point): boolean => !without.some((hole) => t > hole.from && t < hole.to)
  return lines.reduce(
    (most, line) =>
      seen(line, from, to)
        .filter(counts)
        .reduce((so, point) => Math.max(so, point.v), most),
    0,
  )
}

export function lastSeen(line: Line): Point | null {
  return seen(line).at(-1) ?? null
}

/** The newest value not later than `at`. */
export function valueAt(line: Line, at: number): number | null {
  return seen(line, Number.NEGATIVE_INFINITY, at).at(-1)?.v ?? null
}

/** Log ends older than this do not tell the lag of now, s. */
const oldestEnd = 5

/**
 * A line of lag as far as it was read. The timeline works out the lag of now from the newest log end, whenever that was read, so
 * its last point stands where that log end does: held until now it would look like calm. Where the reader got further since, it
 * would be too low, down to zero, and goes.
 * @param flows the partitions of which it is the lag
 */
export function lagRead(line: Line, flows: readonly PartitionFlow[], now: number): Line {
  const read = flows.flatMap((flow) => [flow.arrived.t.at(-1) ?? 0, flow.logEnd.t.at(-1) ?? 0]).reduce((a, b) => Math.max(a, b), 0)
  if (flows.length === 0 || now - read <= oldestEnd || (line.t.at(-1) ?? 0) < now) return line
  const [t, v] = [line.t.slice(0, -1), line.v.slice(0, -1)]
  const moved = flows.some(({ position }) => (position.t.at(-1) ?? Number.NEGATIVE_INFINITY) > read)
  return !moved && read > (t.at(-1) ?? Number.NEGATIVE_INFINITY) ? { t: [...t, read], v: [...v, line.v.at(-1) ?? null] } : { t, v }
}

/** Shorter than this a level is one jump of the line. */
const leastLevelS = 15
const mostLevelS = 60

/** "Now" as a level: the median of the last minute, or of less where less than that has passed since `since`. */
export function levelNow(line: Line, now: number, since: number | null): number | null {
  const passed = since === null ? mostLevelS : now - since
  const points = seen(line, Number.NEGATIVE_INFINITY, now)
  const recent = points.filter((point) => point.t > now - Math.min(mostLevelS, Math.max(leastLevelS, passed * 0.6)))
  return points.length === 0 ? null : median((recent.length > 0 ? recent : points.slice(-1)).map((point) => point.v))
}
