/** Records that have arrived by a time, all partitions together, as a curve that only rises; and back: when the n-th of them arrived. */
import { indexAt } from '../timeline/line.ts'
import type { Line } from '../timeline/timeline.ts'

export interface Arrivals {
  /** Records by a time, counted from the first reading. */
  readonly by: (t: number) => number
  /** When so many had arrived. */
  readonly when: (records: number) => number
}

/**
 * @param rates records/s, each over the time since the reading before it; where one is missing `level` stands for it, as it does before
 *   the first and after the last
 * @param since from then on arrivals are `share` of what was seen
 */
export function arrivalsOf(rates: Line, level: number, since: number, share: number): Arrivals {
  const { t, v } = knotted(rates, since)
  const total = new Float64Array(t.length)
  const grown = (from: number, to: number, rate: number) => rate * (from >= since ? share : 1) * (to - from)
  for (let i = 1; i < t.length; i++) total[i] = (total[i - 1] as number) + grown(t[i - 1] as number, t[i] as number, v[i] ?? level)
  const first = t[0] ?? 0
  const last = t.at(-1) ?? 0
  const most = total.at(-1) ?? 0
  // A line that stands still would have no time for a record: a trickle keeps both ways defined.
  const before = Math.max(TRICKLE, level)
  const after = Math.max(TRICKLE, level * (last >= since ? share : 1))
  return {
    by(at) {
      if (at <= first) return before * (at - first)
      if (at >= last) return most + after * (at - last)
      const i = indexAt(t, at)
      return (total[i] as number) + grown(t[i] as number, at, v[i + 1] ?? level)
    },
    when(records) {
      if (records <= 0) return first + records / before
      if (records >= most) return last + (records - most) / after
      const i = lastBelow(total, records)
      const [low, high] = [total[i] as number, total[i + 1] as number]
      return (t[i] as number) + (((t[i + 1] as number) - (t[i] as number)) * (records - low)) / (high - low)
    },
  }
}

/** Records that came at once: after the first and not later than the second of these times. */
export interface Upload {
  readonly records: number
  readonly arrived: readonly [number, number]
}

/** The same rates without these records; what else arrived in the meantime stays. */
export function withoutUploads(rates: Line, uploads: readonly Upload[]): Line {
  return uploads.reduce(withoutUpload, rates)
}

function withoutUpload({ t, v }: Line, { records, arrived: [after, by] }: Upload): Line {
  const inside = t.map((to, i) => Math.max(0, Math.min(by, to) - Math.max(after, t[i - 1] ?? to)))
  const came = inside.reduce((sum, seconds, i) => sum + seconds * (v[i] ?? 0), 0)
  const share = came > 0 ? Math.min(1, records / came) : 0
  return {
    t,
    v: v.map((rate, i) => {
      const seconds = inside[i] as number
      return rate === null || seconds <= 0 ? rate : rate * (1 - (share * seconds) / ((t[i] as number) - (t[i - 1] as number)))
    }),
  }
}

const TRICKLE = 1e-6

/** The same line with a point at `since`, so that between two points arrivals are steady. */
function knotted({ t, v }: Line, since: number): Line {
  const i = indexAt(t, since)
  if (i < 0 || i === t.length - 1 || t[i] === since) return { t, v }
  return { t: [...t.slice(0, i + 1), since, ...t.slice(i + 1)], v: [...v.slice(0, i + 1), v[i + 1] ?? null, ...v.slice(i + 1)] }
}

/** Index of the last total below `records`, so that the next one reaches it. */
function lastBelow(total: Float64Array, records: number): number {
  let [low, high] = [0, total.length - 1]
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if ((total[mid] as number) < records) low = mid
    else high = mid - 1
  }
  return low
}
