/**
 * The second look: log ends again (growing or not?), the newest points of the history again, and "complete up to" per partition, from
 * the offsets the reader committed. No record is fetched.
 */
import type { Entity, Gap, Series } from '../incident/evidence.ts'
import type { Findings, Seen } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import type { Cluster } from './kafka-cluster.ts'
import type { PartitionReadings } from './kafka-findings.ts'
import { gapFindings, pointSeries, sortReadings } from './kafka-findings.ts'
import type { PartitionFailure } from './kafka-gaps.ts'
import { gapsByFailure, partitionsInWords } from './kafka-gaps.ts'
import { CLOCK_TOLERANCE_MS, historyOf, overlapTimes } from './kafka-history.ts'
import type { OffsetReading, Round } from './kafka-offsets.ts'
import { readOffsets } from './kafka-offsets.ts'
import type { PartitionState } from './kafka-requests.ts'
import { EARLIEST, LATEST } from './kafka-requests.ts'
import type { KnownPoints, Search } from './kafka-search.ts'
import { narrow, nextTime, PRECISION_MS, settled, startSearch } from './kafka-search.ts'
import { findTopic } from './kafka-topic.ts'

const COMPLETE = 'partition.complete_to'
const LOG_END = 'partition.log_end_offset'
/** Halving 34 years to a millisecond takes 40 steps; a search that needs more is going wrong. */
const MOST_STEPS = 45

export async function lookAgainAt(cluster: Cluster, source: string, question: Question, seen: Seen): Promise<Findings> {
  const { pipeline, signal } = question
  const { topic, kafka } = pipeline
  const found = await findTopic(cluster, source, topic, kafka, signal)
  if ('gap' in found) return gapFindings(source, found.gap, [])
  const { partitions } = found
  const mine = seen.findings.filter((findings) => findings.source === source)
  const byRecord = mine.flatMap((findings) => findings.topics).every((facts) => facts.timestamp_type !== 'LogAppendTime')
  const readings: OffsetReading[] = []
  const unread = await readOffsets(cluster, topic, partitions, roundsAgain(partitions, byRecord), signal, (reading) =>
    readings.push(reading),
  )
  const sorted = sortReadings(readings)
  const completeness = await findCompleteness(cluster, source, question, seen, partitions, sorted)
  return {
    ...emptyFindings(source),
    series: [...seriesAgain(source, topic, sorted), ...completeness.series],
    gaps: [
      ...gapsByFailure(
        unread.filter((entry) => entry.round === 'end'),
        { source, signal: LOG_END, topic, access: kafka },
      ),
      ...completeness.gaps,
    ],
  }
}

function roundsAgain(partitions: readonly PartitionState[], byRecord: boolean): Round[] {
  const nowMs = Date.now()
  const at = (name: string, timestamp: number): Round => ({
    name,
    isolation: 'log end',
    timestamps: new Map(partitions.map((state) => [state.partition, timestamp])),
  })
  const past = [at('ahead', nowMs + CLOCK_TOLERANCE_MS), ...overlapTimes(nowMs).map((time) => at(`at ${time}`, time))]
  return [at('end', LATEST), at('start', EARLIEST), ...(byRecord ? past : [])]
}

function seriesAgain(source: string, topic: string, readings: ReadonlyMap<number, PartitionReadings>): Series[] {
  return [...readings].flatMap(([partition, { end, start, ahead, points }]) => {
    if (end === undefined) return []
    const entity = { topic, partition }
    const now = pointSeries(source, LOG_END, entity, end.answeredMs, end.offset)
    if (start === undefined) return [now]
    const first = pointSeries(source, 'partition.log_start_offset', entity, start.answeredMs, start.offset)
    if (ahead === undefined || points.size === 0) return [now, first]
    const { t, v } = historyOf({ start: start.offset, end: end.offset, ahead: ahead.offset, points })
    return t.length === 0 ? [now, first] : [now, first, { signal: LOG_END, entity, source, clock: 'record' as const, t, v }]
  })
}

interface Completeness {
  readonly series: readonly Series[]
  readonly gaps: readonly Gap[]
}

async function findCompleteness(
  cluster: Cluster,
  source: string,
  question: Question,
  seen: Seen,
  partitions: readonly PartitionState[],
  readings: ReadonlyMap<number, PartitionReadings>,
): Promise<Completeness> {
  const { topic, kafka } = question.pipeline
  const committed = seen.committed?.[topic]
  if (committed === undefined) {
    return {
      series: [],
      gaps: [
        {
          source,
          signal: COMPLETE,
          reason: `how far the reader of ${topic} has committed is not known, so neither is up to when its output is complete`,
        },
      ],
    }
  }
  const known = knownPoints(seen, source, topic)
  const series: Series[] = []
  const searches: Search[] = []
  const puzzles = { none: [] as number[], beyond: [] as number[], removed: [] as number[], future: [] as number[], coarse: [] as number[] }
  const say = (partition: number, atMs: number, valueMs: number): void => {
    series.push(pointSeries(source, COMPLETE, entityOf(topic, partition), atMs, valueMs / 1000))
  }
  for (const { partition } of partitions) {
    const offset = committed[String(partition)]
    const { end, start } = readings.get(partition) ?? {}
    if (offset === undefined) puzzles.none.push(partition)
    else if (end === undefined) continue
    else if (offset > end.offset) puzzles.beyond.push(partition)
    // Read to its end: complete up to the moment the end was asked for.
    else if (offset === end.offset) say(partition, end.answeredMs, end.sentMs)
    else if (start !== undefined && offset < start.offset) puzzles.removed.push(partition)
    else searches.push(startSearch(partition, offset, known.get(partition) ?? null, end.sentMs))
  }
  const { done, failed } = await runSearches(cluster, question, partitions, searches)
  for (const search of done) {
    if (search.trouble !== null) puzzles[search.trouble].push(search.partition)
    // Not narrowed to the end it is still true, only earlier than it could be.
    else if (search.lowMs !== null) say(search.partition, search.nowMs, Math.min(search.lowMs, search.nowMs))
    if (search.trouble === null && search.lowMs !== null && !settled(search)) puzzles.coarse.push(search.partition)
  }
  const gap = (some: readonly number[], reason: string): Gap[] =>
    some.length === 0 ? [] : [{ source, signal: COMPLETE, reason: `${partitionsInWords(some)} of ${topic}: ${reason}` }]
  return {
    series,
    gaps: [
      ...gap(puzzles.none, 'the reader has no committed offset here'),
      ...gap(puzzles.beyond, 'the committed offset lies beyond the log end: the topic was created anew or its log was cut back'),
      ...gap(puzzles.removed, 'retention has removed records that the reader had not read yet'),
      ...gap(puzzles.future, 'a record stamped in the future has been read, so record times do not tell up to when it is complete'),
      ...gap(puzzles.coarse, `time was up before "complete up to" was found to ${PRECISION_MS} ms: it may be later than shown`),
      ...gapsByFailure(failed, { source, signal: COMPLETE, topic, access: kafka }),
    ],
  }
}

function entityOf(topic: string, partition: number): Entity {
  return { topic, partition }
}

/**
 * What the first look read of each partition's past. By record time where the topic has it: the log end of now is then no answer to
 * "how many records are stamped before now".
 */
function knownPoints(seen: Seen, source: string, topic: string): ReadonlyMap<number, KnownPoints> {
  const series = seen.findings
    .filter((findings) => findings.source === source)
    .flatMap((findings) => findings.series)
    .filter((one) => one.signal === LOG_END && one.entity.topic === topic)
  const known = new Map<number, KnownPoints>()
  for (const [partition, some] of Map.groupBy(series, (one) => one.entity.partition ?? -1)) {
    const byRecord = some.filter((one) => one.clock === 'record')
    const points = (byRecord.length > 0 ? byRecord : some)
      .flatMap((one) => one.t.flatMap((t, index) => pointOf(t, one.v[index] ?? null)))
      .sort(([a, x], [b, y]) => a - b || x - y)
    const ends = some.filter((one) => one.clock !== 'record').flatMap((one) => one.v.at(-1) ?? [])
    if (ends.length > 0) known.set(partition, { points, end: Math.max(...ends) })
  }
  return known
}

function pointOf(t: number, value: number | null): [timeMs: number, offset: number][] {
  return value === null ? [] : [[Math.round(t * 1000), value]]
}

/** All searches step by step together: one request per broker and step. */
async function runSearches(
  cluster: Cluster,
  question: Question,
  partitions: readonly PartitionState[],
  searches: readonly Search[],
): Promise<{ readonly done: readonly Search[]; readonly failed: readonly PartitionFailure[] }> {
  const { signal } = question
  const current = new Map(searches.map((search) => [search.partition, search]))
  const failed: PartitionFailure[] = []
  for (let step = 0; step < MOST_STEPS && !signal.aborted; step += 1) {
    const timestamps = new Map<number, number>()
    for (const search of current.values()) {
      const timeMs = nextTime(search)
      if (timeMs !== null) timestamps.set(search.partition, timeMs)
    }
    if (timestamps.size === 0) break
    const asked = partitions.filter((state) => timestamps.has(state.partition))
    const unread = await readOffsets(
      cluster,
      question.pipeline.topic,
      asked,
      [{ name: 'search', isolation: 'log end', timestamps }],
      signal,
      (reading) => {
        const search = current.get(reading.partition)
        const timeMs = timestamps.get(reading.partition)
        if (search !== undefined && timeMs !== undefined) current.set(reading.partition, narrow(search, timeMs, reading))
      },
    )
    for (const { partition, failure } of unread) {
      if (failure.kind === 'stopped') continue
      current.delete(partition)
      failed.push({ partition, failure })
    }
  }
  return { done: [...current.values()], failed }
}
