/**
 * What is no number is no reading. A body with an absurd time or a division by nothing in a collector must not cost the whole
 * verdict: such readings are left out, and how many is said.
 */
import type { Series } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'

export function soundFindings(findings: Findings): Findings {
  let odd = 0
  const keep = <T>(items: readonly T[]): readonly T[] => {
    const kept = items.filter(isSound)
    odd += items.length - kept.length
    return kept
  }
  const series = findings.series.flatMap((one) => {
    const mended = soundSeries(one)
    odd += one.t.length - mended.t.length
    return mended.t.length === 0 && one.t.length > 0 ? [] : [mended]
  })
  const rest = {
    sightings: keep(findings.sightings),
    commits: keep(findings.commits),
    events: keep(findings.events),
    clocks: keep(findings.clocks),
    topics: keep(findings.topics),
  }
  const reader = isSound(findings.reader) ? findings.reader : {}
  if (odd === 0) return { ...findings, reader }
  const reason = `${odd} reading${odd === 1 ? ' was' : 's were'} no number and left out`
  return { ...findings, ...rest, reader, series, gaps: [...findings.gaps, { source: findings.source, signal: null, reason }] }
}

/** Points whose time or value is no number go; `null` (asked, not answered) stays. */
function soundSeries(series: Series): Series {
  const good = series.t.flatMap((at, i) => (isSound(at) && isSound(series.v[i]) ? [i] : []))
  if (good.length === series.t.length) return series
  return { ...series, t: good.map((i) => series.t[i]!), v: good.map((i) => series.v[i] ?? null) }
}

function isSound(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isSound)
}
