/** Reading a line of the timeline: what it shows at an instant, at its end, and between two instants. */
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

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
