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
  const total: (number | null)[] = widest.t.map(() => 0)
  for (const line of lines) {
    for (let i = 0; i < total.length; i++) {
      const sofar = total[i] as number | null
      if (sofar === null) continue
      // Lines of one axis need no search: a wide topic has thousands of them.
      const value = line.t === widest.t ? (line.v[i] ?? null) : read(line, widest.t[i] as number)
      total[i] = value === null ? null : sofar + value
    }
  }
  return { t: widest.t, v: total }
}

/** Hands back an axis that was made before where it is the same again: the lines of a wide topic share theirs. */
export function sharedAxes(): (t: readonly number[]) => readonly number[] {
  let last: readonly number[] = []
  return (t) => {
    let same = t.length === last.length
    for (let i = 0; same && i < t.length; i++) same = t[i] === last[i]
    if (!same) last = t
    return last
  }
}

/** Reads a line as `between` does, at times that never fall: one walk instead of a search each. */
export function walk(line: Line): (at: number) => number | null {
  const { t, v } = line
  let i = -1
  return (at) => {
    while (i + 1 < t.length && (t[i + 1] as number) <= at) i++
    if (i < 0) return null
    const [t1, v1] = [t[i] as number, v[i] ?? null]
    if (v1 === null || t1 === at) return v1
    const v2 = v[i + 1] ?? null
    return v2 === null ? null : v1 + ((v2 - v1) * (at - t1)) / ((t[i + 1] as number) - t1)
  }
}

/** Two lines in order of time as one; of two points at one time that of the second counts. */
export function merged(first: Line, second: Line): Line {
  if (first.t.length === 0 || second.t.length === 0) return first.t.length === 0 ? second : first
  if ((first.t.at(-1) as number) < (second.t[0] as number)) return { t: first.t.concat(second.t), v: first.v.concat(second.v) }
  const t: number[] = []
  const v: (number | null)[] = []
  let i = 0
  let j = 0
  while (i < first.t.length || j < second.t.length) {
    const [a, b] = [first.t[i] ?? Number.POSITIVE_INFINITY, second.t[j] ?? Number.POSITIVE_INFINITY]
    const [line, at] = a < b ? [first, i] : [second, j]
    t.push(Math.min(a, b))
    v.push(line.v[at] ?? null)
    if (a <= b) i++
    if (b <= a) j++
  }
  return { t, v }
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
