/**
 * Where batches must have been and none was seen. An empty stretch would look like an idle reader, which it is only where nothing
 * arrived, or before the query's first batch.
 */
import { median } from '../../timeline/robust.ts'
import type { TimedBatch, Timeline } from '../../timeline/timeline.ts'
import { seen } from '../line.ts'
import type { Hole } from './holes.ts'
import type { ShownWindow } from './shown-window.ts'

/** So many times the usual distance between two starts is more than a pause. */
const patience = 2

/** @param batches those of the window, at least one */
export function noBatchSeen(timeline: Timeline, batches: readonly TimedBatch[], window: ShownWindow): Hole[] {
  const [first, last] = [batches[0] as TimedBatch, batches.at(-1) as TimedBatch]
  const usual =
    batches.length < 2 ? first.seconds : median(batches.slice(1).map((batch, i) => batch.start - (batches[i] as TimedBatch).start))
  const holes: Hole[] = []
  // A driver keeps only its newest batches.
  if (timeline.batches[0] === first && first.id !== 0 && first.start - window.from > patience * usual)
    holes.push({ from: window.from, to: first.start })
  for (const [before, next] of missed(timeline, batches)) holes.push({ from: before.start + before.seconds, to: next.start })
  // A batch that runs is often told only when it has ended.
  const end = last.start + last.seconds
  if (timeline.batches.at(-1) === last && !last.open && window.to - end > patience * usual && !nothingArrived(timeline, end, window.to))
    holes.push({ from: end, to: window.to })
  return holes
}

/** Where batches were missed, so were their commits: the reader got further, and the lag from then on is too high until the next. */
export function missedCommits(timeline: Timeline, window: ShownWindow): Hole[] {
  return missed(timeline, timeline.batches)
    .map(([before, next]) => ({ from: before.start + before.seconds, to: next.start + next.seconds }))
    .filter((hole) => hole.to > window.from && hole.from < window.to)
}

/** Neighbours with others between them. Only batches of Structured Streaming are numbered one by one. */
function missed({ pipeline }: Timeline, batches: readonly TimedBatch[]): (readonly [TimedBatch, TimedBatch])[] {
  if (pipeline.reader.kind !== 'spark-structured-streaming') return []
  return batches.slice(1).flatMap((next, i) => {
    const before = batches[i] as TimedBatch
    return next.id > before.id + 1 ? [[before, next] as const] : []
  })
}

function nothingArrived({ intake }: Timeline, from: number, to: number): boolean {
  const rates = seen(intake, from, to)
  return rates.length > 0 && rates.every((point) => point.v === 0)
}
