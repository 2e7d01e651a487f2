/** Reading a line of the timeline: what it shows at an instant, at its end, and between two instants. */
import { median } from '../timeline/robust.ts'
import type { Line } from '../timeline/timeline.ts'

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

export function lastSeen(line: Line): Point | null {
  return seen(line).at(-1) ?? null
}

/** The newest value not later than `at`. */
export function valueAt(line: Line, at: number): number | null {
  return seen(line, Number.NEGATIVE_INFINITY, at).at(-1)?.v ?? null
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
