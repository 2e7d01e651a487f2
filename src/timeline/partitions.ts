/** What each partition took in, how far the reader got, and what lies between. Offsets in, rates and lag out. */
import type { Batch, Evidence, Series } from '../incident/evidence.ts'
import type { Arrival } from './arrival.ts'
import { arrivalsOf, byArrival, usuallyLate } from './arrival.ts'
import { between, emptyLine, heldAt, joined, lineOf, rates } from './line.ts'
import type { Line, PartitionFlow } from './timeline.ts'

const LOG_END = 'partition.log_end_offset'
/** Log ends that the looks of one diagnosis read. */
const FEW_READINGS = 3
/** Without a trigger interval a reader looks again many times a second, s. */
const BACK_TO_BACK_LOOKS = 1

function keyOf(topic: string, partition: number): string {
  return `${topic}\u0000${partition}`
}

/** When the end offset of a batch was read from the broker: the end of its latestOffset phase. */
export function plannedAt(batch: Batch): number {
  return batch.planned_at ?? batch.start + (batch.duration_ms?.latestOffset ?? 0) / 1000
}

interface Offsets {
  readonly arrived: Map<string, [number, number][]>
  readonly position: Map<string, [number, number][]>
}

/**
 * Batches tell two things of a partition: where its log ended when the batch was planned (a reader without a cap takes all there is),
 * and, once committed, how far the work is done. A reader that was free and made no batch has found nothing new at its triggers.
 */
function offsetsOfBatches(batches: readonly Batch[], triggerS: number | null | undefined): Offsets {
  const arrived = new Map<string, [number, number][]>()
  const position = new Map<string, [number, number][]>()
  const add = (map: Map<string, [number, number][]>, key: string, t: number, v: number) => {
    const list = map.get(key)
    if (list) list.push([t, v])
    else map.set(key, [[t, v]])
  }
  for (const [i, batch] of batches.entries()) {
    const idle = foundNothing(batches[i - 1], batch, triggerS)
    for (const [topic, ends] of Object.entries(batch.to_offset ?? {})) {
      for (const [partition, end] of Object.entries(ends)) {
        const key = keyOf(topic, Number(partition))
        const same = batches[i - 1]?.to_offset?.[topic]?.[partition]
        if (same !== undefined) for (const at of idle) add(arrived, key, at, same)
        add(arrived, key, plannedAt(batch), end)
        if (batch.end !== null) add(position, key, batch.end, end)
        else {
          const from = batch.from_offset?.[topic]?.[partition]
          if (from !== undefined && !position.has(key)) add(position, key, batch.start, from)
        }
      }
    }
  }
  return { arrived, position }
}

/** First and last trigger at which the reader was free before the batch: it looked then, and nothing had come. Empty = none, or not known. */
function foundNothing(before: Batch | undefined, batch: Batch, triggerS: number | null | undefined): number[] {
  if (before === undefined || before.id !== batch.id - 1 || before.end === null || before.run !== batch.run) return []
  if (triggerS === undefined || batch.phases_missing?.includes('latestOffset') === true) return []
  const every = triggerS ?? BACK_TO_BACK_LOOKS
  const looks = Math.ceil((batch.start - before.end) / every) - 1
  return looks <= 0 ? [] : [...new Set([looks, 1])].map((n) => batch.start - n * every)
}

/** @param capped whether the reader takes less than there is in a batch: then its end offsets do not show the log end. */
export function partitionFlows(evidence: Evidence, now: number, capped: boolean): PartitionFlow[] {
  const byKey = new Map<string, { topic: string; partition: number; series: Series[] }>()
  const { group, kind } = evidence.pipeline.reader
  // A Spark reader commits to no group: where none is named, every group is somebody else's.
  const isSpark = kind === 'spark-structured-streaming' || kind === 'spark-dstreams'
  for (const s of evidence.series) {
    if (!s.signal.startsWith('partition.') || s.entity.topic === undefined || s.entity.partition === undefined) continue
    // Another group's commits are a bystander's.
    if (s.entity.group !== undefined && s.entity.group !== group && (group !== undefined || isSpark)) continue
    const key = keyOf(s.entity.topic, s.entity.partition)
    const entry = byKey.get(key) ?? { topic: s.entity.topic, partition: s.entity.partition, series: [] }
    entry.series.push(s)
    byKey.set(key, entry)
  }
  const offsets = offsetsOfBatches(evidence.batches, isSpark ? evidence.pipeline.reader.trigger_s : undefined)
  for (const batch of evidence.batches) {
    for (const [topic, ends] of Object.entries(batch.to_offset ?? {})) {
      for (const partition of Object.keys(ends).map(Number)) {
        const key = keyOf(topic, partition)
        if (!byKey.has(key)) byKey.set(key, { topic, partition, series: [] })
      }
    }
  }
  const seen = [...byKey.entries()].map(([key, { topic, partition, series }]): Seen => {
    const of = (signal: string, clock?: 'record' | 'arrival') =>
      series.filter((s) => s.signal === signal && (clock === undefined || (s.clock ?? 'arrival') === clock))
    const readings = joined(of(LOG_END, 'arrival'))
    const made = joined(of(LOG_END, 'record'))
    const planned = capped ? [] : (offsets.arrived.get(key) ?? [])
    const arrived = lineOf([...planned, ...readings.t.map((t, i) => [t, readings.v[i] ?? null] as const)])
    return { key, topic, partition, of, readings, made, arrived, arrivals: arrivalsOf(arrived, made) }
  })
  const lateOf = latenessByTopic(seen)
  const flows = seen.map((one) => {
    const { key, topic, partition, of, made, arrived } = one
    const logEnd = logEndOf(one, lateOf.get(topic) ?? 0)
    const committed = joined([...of('partition.committed_offset'), ...of('partition.position')])
    const position = committed.t.length > 0 && !offsets.position.has(key) ? committed : lineOf(offsets.position.get(key) ?? [])
    const complete = of('partition.complete_to').flatMap((s) => s.v.filter((v) => v !== null))
    return {
      topic,
      partition,
      logEnd,
      arrived,
      made,
      position,
      intake: rates(logEnd),
      lag: lagLine(logEnd, arrived, position, now, joined(of('partition.lag'))),
      completeTo: complete.at(-1) ?? null,
      ...unreadNow(of('partition.leader'), of(LOG_END)),
    }
  })
  return flows.sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.partition - b.partition))
}

/** Readings of one partition, before they become one line. */
interface Seen {
  readonly key: string
  readonly topic: string
  readonly partition: number
  readonly of: (signal: string, clock?: 'record' | 'arrival') => Series[]
  readonly readings: Line
  readonly made: Line
  readonly arrived: Line
  readonly arrivals: readonly Arrival[]
}

/** How late the records of each topic usually arrive, s: for partitions that tell nothing of their own. */
function latenessByTopic(seen: readonly Seen[]): Map<string, number> {
  const byTopic = Map.groupBy(seen, (one) => one.topic)
  return new Map(
    [...byTopic].map(([topic, some]) => [
      topic,
      usuallyLate(
        some.flatMap((one) => one.arrivals),
        1,
      ) ?? 0,
    ]),
  )
}

/** By arrival where arrivals are known; else by record time, moved by how late records of the topic come. */
function logEndOf({ readings, made, arrived, arrivals }: Seen, lateInTopic: number): Line {
  if (made.t.length === 0) return readings.t.length > FEW_READINGS - 1 ? readings : byArrival(arrived, made, 0)
  return byArrival(arrivalsKnown(arrived) ? arrived : emptyLine, made, usuallyLate(arrivals) ?? lateInTopic)
}

/** The two looks alone tell what arrives now, not what arrived. */
export function arrivalsKnown(arrived: Line): boolean {
  return arrived.t.length > FEW_READINGS
}

/** The cluster names a leader of every partition; one whose log end is missing all the same was asked for and not read. */
function unreadNow(leaders: readonly Series[], ends: readonly Series[]): Pick<PartitionFlow, 'unread'> {
  const leader = leaders.flatMap((one) => one.v).at(-1)
  if (typeof leader !== 'number') return {}
  if (leader < 0) return { unread: 'no leader' }
  return ends.length === 0 ? { unread: 'no answer' } : {}
}

/**
 * Lag just before and just after every commit, and now: between them it rises with intake alone, so these points are the whole saw-tooth.
 * A lag that somebody else measured is used only where offsets are missing.
 */
function lagLine(logEnd: Line, arrived: Line, position: Line, now: number, reported: Line): Line {
  if (position.t.length === 0 || logEnd.t.length === 0) return reported
  const ends = (at: number) => between(logEnd, at) ?? between(arrived, at)
  const points: [number, number | null][] = []
  for (let i = 0; i < position.t.length; i++) {
    const t = position.t[i] as number
    const end = ends(t)
    const before = i > 0 ? (position.v[i - 1] ?? null) : null
    const after = position.v[i] ?? null
    if (end === null) continue
    if (before !== null) points.push([t - 0.001, Math.max(0, end - before)])
    points.push([t, after === null ? null : Math.max(0, end - after)])
  }
  const last = between(arrived, now) ?? heldAt(arrived, now) ?? heldAt(logEnd, now)
  const done = heldAt(position, now)
  if (last !== null && done !== null) points.push([now, Math.max(0, last - done)])
  return lineOf(points)
}
