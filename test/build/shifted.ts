/** Evidence as it would be told by a source whose clock is `seconds` ahead: all that this source stamps moves, and nothing else. */
import type { Batch, Evidence } from '../../src/incident/evidence.ts'

export type Told = 'kafka' | 'spark' | 'delta'

export function shifted(evidence: Evidence, by: Told, seconds: number): Evidence {
  const at = (t: number) => Math.round((t + seconds) * 1e6) / 1e6
  const series = evidence.series.map((s) => (s.source === by ? { ...s, t: s.t.map(at) } : s))
  if (by === 'kafka') return { ...evidence, series }
  if (by === 'delta') return { ...evidence, commits: evidence.commits.map((commit) => ({ ...commit, at: at(commit.at) })) }
  return {
    ...evidence,
    series,
    batches: evidence.batches.map((batch) => moved(batch, at)),
    events: evidence.events.map((event) => ({ ...event, at: at(event.at) })),
  }
}

function moved(batch: Batch, at: (t: number) => number): Batch {
  const ended = (end: number | null) => (end === null ? null : at(end))
  return {
    ...batch,
    start: at(batch.start),
    end: ended(batch.end),
    ...(batch.jobs === undefined ? {} : { jobs: batch.jobs.map((job) => ({ ...job, start: at(job.start), end: ended(job.end) })) }),
  }
}
