/** Readings of one look at a topic as findings: series, topic facts, events, and a gap for everything that was not read. Pure. */
import type { Entity, EvidenceEvent, Gap, Series } from '../incident/evidence.ts'
import type { Findings, Traffic } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import { gapsByFailure, partitionsInWords } from './kafka-gaps.ts'
import type { Answer, PartitionHistory } from './kafka-history.ts'
import { CLOCK_TOLERANCE_MS, FINE_MS, HISTORY_MS, historyOf } from './kafka-history.ts'
import type { OffsetReading, Unread } from './kafka-offsets.ts'
import type { PartitionState } from './kafka-requests.ts'
import type { TopicFacts } from './kafka-topic.ts'

export interface FirstLook {
  readonly source: string
  readonly pipeline: Pipeline
  readonly partitions: readonly PartitionState[]
  readonly facts: TopicFacts
  /** Times asked for, epoch ms. */
  readonly times: readonly number[]
  /** Times not asked for, to spare the brokers of a very wide topic. */
  readonly spared: readonly number[]
  readonly readings: readonly OffsetReading[]
  readonly unread: readonly Unread[]
  readonly nowMs: number
}

export function gapFindings(source: string, gap: Gap, traffic: readonly Traffic[]): Findings {
  return emptyFindings(source, { gaps: [gap], traffic })
}

/** One reading as a series of one point, placed at the time its answer came. */
export function pointSeries(source: string, signal: string, entity: Entity, atMs: number, value: number | null): Series {
  return { signal, entity, source, clock: 'arrival', t: [atMs / 1000], v: [value] }
}

export function findingsOf(look: FirstLook): Findings {
  const { source, pipeline, partitions, facts, nowMs } = look
  const topic = pipeline.topic
  const byRecord = facts.topic.timestamp_type !== 'LogAppendTime'
  const sorted = sortReadings(look.readings)
  const series: Series[] = []
  const histories = new Map<number, PartitionHistory>()
  /** Partitions of which neither the log start nor a record of the last hour was read. */
  const blind: number[] = []
  let openTransaction = false
  for (const state of partitions) {
    const entity = { topic, partition: state.partition }
    const now = sorted.get(state.partition)
    series.push(pointSeries(source, 'partition.leader', entity, nowMs, state.leader))
    series.push(pointSeries(source, 'partition.isr_size', entity, nowMs, state.isr.length))
    if (now === undefined) continue
    const { end, start, stable, ahead, points } = now
    if (end !== undefined) series.push(pointSeries(source, 'partition.log_end_offset', entity, end.answeredMs, end.offset))
    if (start !== undefined) series.push(pointSeries(source, 'partition.log_start_offset', entity, start.answeredMs, start.offset))
    if (stable !== undefined) series.push(pointSeries(source, 'partition.last_stable_offset', entity, stable.answeredMs, stable.offset))
    // The end was asked first: a last stable offset below it is an open transaction, not a race.
    if (end !== undefined && stable !== undefined && stable.offset < end.offset) openTransaction = true
    if (end === undefined || points.size === 0) continue
    const oldest = start?.offset ?? oldestSeen(points)
    if (oldest === null) {
      blind.push(state.partition)
      continue
    }
    const read = historyOf({ start: oldest, end: end.offset, ahead: ahead?.offset ?? null, points })
    // Without a log start, nothing can be said of what retention took away.
    const history = start === undefined ? { ...read, cutAt: null, emptied: false } : read
    histories.set(state.partition, history)
    if (history.t.length > 0)
      series.push({
        signal: 'partition.log_end_offset',
        entity,
        source,
        clock: byRecord ? 'record' : 'arrival',
        t: history.t,
        v: history.v,
      })
  }
  return {
    ...emptyFindings(source),
    series,
    // Brokers keep time by NTP; of the clocks of producers nothing is known.
    clocks: byRecord ? [] : [{ source, skew_bound_s: CLOCK_TOLERANCE_MS / 1000 }],
    topics: [
      {
        name: topic,
        partitions: partitions.length,
        replicas: Object.fromEntries(partitions.map((state) => [state.partition, state.replicas])),
        ...facts.topic,
        ...(openTransaction ? { transactional: true } : {}),
      },
    ],
    events: [...hiddenEvents(source, topic, histories), ...compactionEvents(source, topic, facts, nowMs)],
    gaps: [
      ...(facts.gap === null ? [] : [facts.gap]),
      ...unreadGaps(look),
      ...blindGaps(source, topic, blind, nowMs),
      ...historyGaps(source, topic, histories, nowMs),
    ],
  }
}

/** The oldest record that an answer names: where the log starts, or later. */
function oldestSeen(points: ReadonlyMap<number, Answer>): number | null {
  const offsets = [...points.values()].map((point) => point.offset).filter((offset) => offset >= 0)
  return offsets.length === 0 ? null : Math.min(...offsets)
}

/** What one look read of one partition; absent = not answered. */
export interface PartitionReadings {
  end?: OffsetReading
  start?: OffsetReading
  stable?: OffsetReading
  ahead?: OffsetReading
  readonly points: Map<number, Answer>
}

export function sortReadings(readings: readonly OffsetReading[]): Map<number, PartitionReadings> {
  const sorted = new Map<number, PartitionReadings>()
  for (const reading of readings) {
    const entry = sorted.get(reading.partition) ?? { points: new Map<number, Answer>() }
    sorted.set(reading.partition, entry)
    const { round } = reading
    if (round === 'end' || round === 'start' || round === 'stable' || round === 'ahead') entry[round] = reading
    else entry.points.set(timeOf(round), reading)
  }
  return sorted
}

/** The time in a history round's name ("at 1700000000000"). */
function timeOf(round: string): number {
  return Number(round.slice(3))
}

const LOG_END = 'partition.log_end_offset'
const SIGNAL_OF: Readonly<Record<string, string>> = {
  end: LOG_END,
  start: 'partition.log_start_offset',
  stable: 'partition.last_stable_offset',
}

function unreadGaps(look: FirstLook): Gap[] {
  const { source, pipeline, unread, times, nowMs } = look
  const about = { source, topic: pipeline.topic, access: pipeline.kafka }
  // A partition whose log end cannot be read has told nothing: one gap says it, not four.
  const silent = new Set(unread.filter((entry) => entry.round === 'end').map((entry) => entry.partition))
  const rest = unread.filter((entry) => entry.round === 'end' || !silent.has(entry.partition))
  const present = Object.entries(SIGNAL_OF).flatMap(([round, signal]) =>
    gapsByFailure(
      rest.filter((entry) => entry.round === round),
      { ...about, signal },
    ),
  )
  const past = rest.filter((entry) => entry.round.startsWith('at '))
  const stopped = past.filter((entry) => entry.failure.kind === 'stopped')
  const refused = past.filter((entry) => entry.failure.kind !== 'stopped')
  const oldest = times.length === 0 ? nowMs : Math.min(...times)
  return [
    ...present,
    ...gapsByFailure(refused, { ...about, signal: LOG_END, from: oldest / 1000, to: nowMs / 1000 }),
    ...stretchGaps(
      [...new Set(stopped.map((entry) => timeOf(entry.round)))],
      'time was up',
      `${partitionsInWords(stopped.map((entry) => entry.partition))} of ${pipeline.topic}`,
      look,
    ),
    ...stretchGaps(look.spared, 'so wide a topic is asked for fewer points, to spare its brokers', pipeline.topic, look),
  ]
}

/** Parts of the hour that were not read, one stretch per grid: points are asked newest first. */
function stretchGaps(times: readonly number[], why: string, where: string, { source, nowMs }: FirstLook): Gap[] {
  const fineFrom = nowMs - FINE_MS
  const stretch = (some: readonly number[], reason: string): Gap[] =>
    some.length === 0 ? [] : [{ source, signal: LOG_END, from: Math.min(...some) / 1000, to: Math.max(...some) / 1000, reason }]
  return [
    ...stretch(
      times.filter((time) => time < fineFrom),
      `history of ${where} was not read this far back: ${why}`,
    ),
    ...stretch(
      times.filter((time) => time >= fineFrom),
      `history of ${where} has one point a minute here, not one every 5 s: ${why}`,
    ),
  ]
}

function blindGaps(source: string, topic: string, blind: readonly number[], nowMs: number): Gap[] {
  if (blind.length === 0) return []
  const reason = `${partitionsInWords(blind)} of ${topic}: the log start was not read and no record is newer than the hour, so past intake is not known`
  return [{ source, signal: LOG_END, from: (nowMs - HISTORY_MS) / 1000, to: nowMs / 1000, reason }]
}

function historyGaps(source: string, topic: string, histories: ReadonlyMap<number, PartitionHistory>, nowMs: number): Gap[] {
  const signal = LOG_END
  const from = (nowMs - HISTORY_MS) / 1000
  const all = [...histories]
  const cut = all.flatMap(([partition, { cutAt }]) => (cutAt === null ? [] : [{ partition, cutAt }]))
  const emptied = all.filter(([, history]) => history.emptied).map(([partition]) => partition)
  const hidden = all.flatMap(([partition, { hiddenFrom }]) => (hiddenFrom === null ? [] : [{ partition, hiddenFrom }]))
  return [
    ...(cut.length === 0
      ? []
      : [
          {
            source,
            signal,
            from,
            to: Math.max(...cut.map((entry) => entry.cutAt)),
            reason: `${partitionsInWords(cut.map((entry) => entry.partition))} of ${topic}: retention has already removed the records of this time, so intake then is not known`,
          },
        ]),
    ...(emptied.length === 0
      ? []
      : [
          {
            source,
            signal,
            from,
            to: nowMs / 1000,
            reason: `${partitionsInWords(emptied)} of ${topic}: retention has removed every record, so past intake is not known`,
          },
        ]),
    ...(hidden.length === 0
      ? []
      : [
          {
            source,
            signal,
            from: Math.min(...hidden.map((entry) => entry.hiddenFrom)),
            to: nowMs / 1000,
            reason: `${partitionsInWords(hidden.map((entry) => entry.partition))} of ${topic}: a record stamped in the future hides when the records after it were made`,
          },
        ]),
  ]
}

function hiddenEvents(source: string, topic: string, histories: ReadonlyMap<number, PartitionHistory>): EvidenceEvent[] {
  return [...histories].flatMap(([partition, { hiddenFrom }]) =>
    hiddenFrom === null
      ? []
      : [{ at: hiddenFrom, kind: 'note', entity: { topic, partition }, text: 'a record stamped in the future arrived about here', source }],
  )
}

function compactionEvents(source: string, topic: string, { compacted }: TopicFacts, nowMs: number): EvidenceEvent[] {
  return compacted
    ? [
        {
          at: nowMs / 1000,
          kind: 'note',
          entity: { topic },
          text: 'the topic is compacted: differences of offsets count more records than there are',
          source,
        },
      ]
    : []
}
