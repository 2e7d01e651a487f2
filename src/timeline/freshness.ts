/** Age of a table: seconds since its newest commit that brought data. OPTIMIZE and VACUUM do not make data fresh. */
import type { Commit, Series } from '../incident/evidence.ts'
import { lineOf } from './line.ts'
import type { Line } from './timeline.ts'

/** Saw-tooth from data commits: the age just before each commit, 0 at it, and the age now. Without commits the measured gauge, if any. */
export function freshnessLine(commits: readonly Commit[], series: readonly Series[], now: number): Line {
  const data = commits.filter((c) => c.kind === 'data' && c.at <= now).map((c) => c.at)
  if (data.length === 0) {
    const gauge = series.find((s) => s.signal === 'table.freshness_s')
    return gauge ? { t: gauge.t, v: gauge.v } : { t: [], v: [] }
  }
  const times = [...new Set(data)].sort((a, b) => a - b)
  const points: [number, number][] = []
  times.forEach((at, i) => {
    const before = times[i - 1]
    if (before !== undefined) points.push([at - 0.001, at - before])
    points.push([at, 0])
  })
  const last = times.at(-1) as number
  if (now > last) points.push([now, now - last])
  return lineOf(points)
}
