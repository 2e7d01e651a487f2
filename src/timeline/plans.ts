/**
 * What batches tell of every partition at once: where its log ended when the batch was planned (a reader without a cap takes all there
 * is), and, once committed, how far the work is done. A reader that was free and made no batch has found nothing new at its triggers.
 */
import type { Batch, OffsetsByTopic } from '../incident/evidence.ts'
import type { Line } from './timeline.ts'

/** Offsets that held at a time. */
interface Told {
  readonly at: number
  readonly offsets: OffsetsByTopic
}

export interface Plans {
  readonly arrivals: readonly Told[]
  readonly commits: readonly Told[]
  /** Where the batch in flight began, and at which offsets: all that is known of the position before the first commit. */
  readonly open: Told | null
}

/** Without a trigger interval a reader looks again many times a second, s. */
const BACK_TO_BACK_LOOKS = 1

/** When the end offset of a batch was read from the broker: the end of its latestOffset phase. */
export function plannedAt(batch: Batch): number {
  return batch.planned_at ?? batch.start + (batch.duration_ms?.latestOffset ?? 0) / 1000
}

/** @param batches in order of id */
export function plansOf(batches: readonly Batch[], triggerS: number | null | undefined): Plans {
  const arrivals: Told[] = []
  const commits: Told[] = []
  let open: Told | null = null
  for (const [i, batch] of batches.entries()) {
    const before = batches[i - 1]
    if (before?.to_offset) for (const at of foundNothing(before, batch, triggerS)) arrivals.push({ at, offsets: before.to_offset })
    if (!batch.to_offset) continue
    arrivals.push({ at: plannedAt(batch), offsets: batch.to_offset })
    if (batch.end !== null) commits.push({ at: batch.end, offsets: batch.to_offset })
    else if (batch.from_offset) open ??= { at: batch.start, offsets: batch.from_offset }
  }
  return { arrivals: inOrder(arrivals), commits: inOrder(commits), open }
}

/** By time; of two at one time the later told. */
function inOrder(told: readonly Told[]): Told[] {
  const sorted = [...told].sort((a, b) => a.at - b.at)
  return sorted.filter(({ at }, i) => sorted[i + 1]?.at !== at)
}

/** First and last trigger at which the reader was free before the batch: it looked then, and nothing had come. Empty = none, or not known. */
function foundNothing(before: Batch, batch: Batch, triggerS: number | null | undefined): number[] {
  if (before.id !== batch.id - 1 || before.end === null || before.run !== batch.run) return []
  if (triggerS === undefined || batch.phases_missing?.includes('latestOffset') === true) return []
  const every = triggerS ?? BACK_TO_BACK_LOOKS
  const looks = Math.ceil((batch.start - before.end) / every) - 1
  return looks <= 0 ? [] : [...new Set([looks, 1])].map((n) => batch.start - n * every)
}

/** What was told of one partition. */
export function toldOf(told: readonly Told[], topic: string, partition: number): Line {
  const key = String(partition)
  const t: number[] = []
  const v: number[] = []
  for (const { at, offsets } of told) {
    const offset = offsets[topic]?.[key]
    if (offset === undefined) continue
    t.push(at)
    v.push(offset)
  }
  return { t, v }
}

/** Partitions of which batches tell: those of the newest, and of the oldest for a topic that is read no more. */
export function partitionsTold({ arrivals }: Plans): [topic: string, partition: number][] {
  const ends = [arrivals.at(-1), arrivals[0]].filter((told) => told !== undefined)
  return ends.flatMap(({ offsets }) =>
    Object.entries(offsets).flatMap(([topic, of]) => Object.keys(of).map((partition): [string, number] => [topic, Number(partition)])),
  )
}
