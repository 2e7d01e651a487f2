/** Reading a line of points: never across a hole, never beyond its ends. */
import type { Line } from './timeline.ts'

export const emptyLine: Line = { t: [], v: [] }

/** Index of the last point at or before `at`; -1 where the line starts later. */
export function indexAt(t: readonly number[], at: number): number {
  let low = 0
  let high = t.length
  while (low < high) {
    const mid = (low + high) >> 1
    if ((t[mid] as number) <= at) low = mid + 1
    else high = mid
  }
  return low - 1
}

/** Value that held at `at` (a step line: positions, slots). null before the first point or where the last reading failed. */
export function heldAt(line: Line, at: number): number | null {
  const i = indexAt(line.t, at)
  return i < 0 ? null : (line.v[i] ?? null)
}

/** Value on the straight line between the neighbours of `at` (offsets). null outside the line, beside a hole, or over more than `maxGap` seconds. */
export function between(line: Line, at: number, maxGap = Number.POSITIVE_INFINITY): number | null {
  const i = indexAt(line.t, at)
  if (i < 0) return null
  const t1 = line.t[i] as number
  const v1 = line.v[i] ?? null
  if (v1 === null || t1 === at) return v1
  const t2 = line.t[i + 1]
  const v2 = line.v[i + 1] ?? null
  if (t2 === undefined || v2 === null || t2 - t1 > maxGap) return null
  return v1 + ((v2 - v1) * (at - t1)) / (t2 - t1)
}

/** Points of [from, to] whose value is known. */
export function known(line: Line, from: number, to: number): (readonly [number, number])[] {
  const out: [number, number][] = []
  for (let i = 0; i < line.t.length; i++) {
    const t = line.t[i] as number
    const v = line.v[i] ?? null
    if (t >= from && t <= to && v !== null) out.push([t, v])
  }
  return out
}

/** Mean increase a second of a counter over [from, to], from its values there; null where either end is not known. */
export function rateBetween(line: Line, from: number, to: number): number | null {
  if (to <= from) return null
  const a = between(line, from)
  const b = between(line, to)
  return a === null || b === null || b < a ? null : (b - a) / (to - from)
}

/** Increases a second between neighbouring points, placed at the later one. A hole or a fall (reset, rewind) gives null. */
export function rates(counter: Line): Line {
  const t: number[] = []
  const v: (number | null)[] = []
  for (let i = 1; i < counter.t.length; i++) {
    const t1 = counter.t[i - 1] as number
    const t2 = counter.t[i] as number
    const a = counter.v[i - 1] ?? null
    const b = counter.v[i] ?? null
    if (t2 <= t1) continue
    t.push(t2)
    v.push(a === null || b === null || b < a ? null : (b - a) / (t2 - t1))
  }
  return { t, v }
}

/** Sum of lines on the times of the one with most points; null wherever one of them is not known. */
export function sum(lines: readonly Line[], read: (line: Line, at: number) => number | null): Line {
  const widest = lines.reduce<Line>((best, line) => (line.t.length > best.t.length ? line : best), emptyLine)
  const v = widest.t.map((at) => {
    let total = 0
    for (const line of lines) {
      const value = read(line, at)
      if (value === null) return null
      total += value
    }
    return total
  })
  return { t: widest.t, v }
}

/** One line from several readings of the same thing. A single one in order of time, which is the rule, is taken as it is. */
export function joined(parts: readonly Line[]): Line {
  const [only] = parts
  if (only === undefined) return emptyLine
  if (parts.length === 1 && rises(only.t)) return { t: only.t, v: only.v }
  return lineOf(parts.flatMap((part) => part.t.map((t, i) => [t, part.v[i] ?? null] as const)))
}

function rises(t: readonly number[]): boolean {
  for (let i = 1; i < t.length; i++) if ((t[i] as number) <= (t[i - 1] as number)) return false
  return true
}

/** One line from points in any order; of two at one time the later given wins. */
export function lineOf(points: readonly (readonly [number, number | null])[]): Line {
  const byTime = new Map<number, number | null>()
  for (const [t, v] of points) byTime.set(t, v)
  const t = [...byTime.keys()].sort((a, b) => a - b)
  return { t, v: t.map((at) => byTime.get(at) ?? null) }
}
