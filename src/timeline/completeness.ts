/** From when to when each series of the timeline was seen: nobody may take silence for calm, nor a short memory for a short incident. */
import type { Completeness, Line, PartitionFlow, SeriesName, TimedBatch, Timeline } from './timeline.ts'

type Parts = Pick<Timeline, 'partitions' | 'lag' | 'batches' | 'executors' | 'slots' | 'freshness'>

export function completeness({ partitions, lag, batches, executors, slots, freshness }: Parts): Completeness[] {
  const found: [SeriesName, Span | null][] = [
    ['intake', common(partitions)],
    ['lag', spanOf(lag)],
    ['batches', ofBatches(batches)],
    ['stages', ofBatches(batches.filter((b) => (b.stages?.length ?? 0) > 0))],
    ['executors', spanOf(executors.t.length > 0 ? executors : slots)],
    ['freshness', spanOf(freshness)],
  ]
  return found.flatMap(([series, span]) => (span === null ? [] : [{ series, from: span[0], to: span[1] }]))
}

/** null = it was not seen at all. */
export function reachOf({ complete }: Pick<Timeline, 'complete'>, series: SeriesName): Completeness | null {
  return complete.find((one) => one.series === series) ?? null
}

type Span = readonly [from: number, to: number]

function spanOf({ t, v }: Line): Span | null {
  const first = v.findIndex((value) => value !== null)
  const last = v.findLastIndex((value) => value !== null)
  return first < 0 ? null : [t[first] as number, t[last] as number]
}

/** Where all partitions were seen: a total needs each of them. One without a single reading is a gap of its own. */
function common(partitions: readonly PartitionFlow[]): Span | null {
  const spans = partitions.map((flow) => spanOf(flow.logEnd)).filter((span) => span !== null)
  if (spans.length === 0) return null
  const from = spans.reduce((latest, [first]) => Math.max(latest, first), Number.NEGATIVE_INFINITY)
  const to = spans.reduce((earliest, [, last]) => Math.min(earliest, last), Number.POSITIVE_INFINITY)
  return from <= to ? [from, to] : null
}

function ofBatches(batches: readonly TimedBatch[]): Span | null {
  const [first, last] = [batches[0], batches.at(-1)]
  return first === undefined || last === undefined ? null : [first.start, last.end ?? last.start + last.seconds]
}
