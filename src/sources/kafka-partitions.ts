/**
 * The source "kafka": log end, log start and last stable offset of every partition now, and the log end over the last hour, which no
 * broker was asked for before. No record is fetched, no group joined, nothing written.
 *
 * The topic's records are stamped either by producers (CreateTime: the history is "by record time", when records were made) or by
 * brokers (LogAppendTime: when they arrived). The two are never mixed: readings of now are always by arrival.
 */
import type { Findings } from '../incident/findings.ts'
import type { Pipeline } from '../incident/pipeline.ts'
import type { Question, Source } from '../workflow/ports.ts'
import type { Cluster } from './kafka-cluster.ts'
import { openCluster } from './kafka-cluster.ts'
import { lookAgainAt } from './kafka-complete.ts'
import { findingsOf, gapFindings } from './kafka-findings.ts'
import { CLOCK_TOLERANCE_MS, historyTimes } from './kafka-history.ts'
import type { OffsetReading, Round } from './kafka-offsets.ts'
import { readOffsets } from './kafka-offsets.ts'
import type { PartitionState } from './kafka-requests.ts'
import { EARLIEST, LATEST } from './kafka-requests.ts'
import { findTopic, readTopicFacts } from './kafka-topic.ts'

const SOURCE = 'kafka'
/** Points in one look (partitions x times), about 45 bytes each on the wire: a very wide topic gets fewer times, the most telling ones. */
const MOST_POINTS = 240_000
const LEAST_TIMES = 20

export const kafkaPartitions: Source = {
  name: SOURCE,
  applies: configured,
  absent: (pipeline) =>
    configured(pipeline)
      ? null
      : {
          source: SOURCE,
          signal: 'partition.log_end_offset',
          reason: 'no Kafka brokers are configured: intake, lag and freshness per partition cannot be seen',
          mend: 'kafka: { brokers: ["host:9092"] } in the configuration',
        },
  collect: (question) => withCluster(question, (cluster) => firstLook(cluster, question)),
  lookAgain: (question, seen) => withCluster(question, (cluster) => lookAgainAt(cluster, SOURCE, question, seen)),
}

function configured(pipeline: Pipeline): boolean {
  return pipeline.kafka.brokers.length > 0
}

/** Opens, looks, closes. Whatever goes wrong inside, even a mistake of ours, ends as a gap. */
async function withCluster(question: Question, look: (cluster: Cluster) => Promise<Findings>): Promise<Findings> {
  const cluster = openCluster(question.pipeline.kafka, question.signal)
  try {
    const findings = await look(cluster)
    return { ...findings, traffic: cluster.traffic() }
  } catch (cause) {
    return gapFindings(
      SOURCE,
      { source: SOURCE, signal: null, reason: `Kafka could not be read: ${cause instanceof Error ? cause.message : 'unknown error'}` },
      cluster.traffic(),
    )
  } finally {
    cluster.close()
  }
}

async function firstLook(cluster: Cluster, question: Question): Promise<Findings> {
  const { pipeline, signal } = question
  const found = await findTopic(cluster, SOURCE, pipeline.topic, pipeline.kafka, signal)
  if ('gap' in found) return gapFindings(SOURCE, found.gap, [])
  const { partitions } = found
  const nowMs = Date.now()
  const all = historyTimes(Math.min(question.toMs, nowMs))
  const most = Math.max(LEAST_TIMES, Math.floor(MOST_POINTS / partitions.length))
  const [times, spared] = [all.slice(0, most), all.slice(most)]
  const readings: OffsetReading[] = []
  const tell = progressTeller(question, partitions.length)
  const [facts, unread] = await Promise.all([
    readTopicFacts(cluster, SOURCE, pipeline.topic, pipeline.kafka),
    readOffsets(cluster, pipeline.topic, partitions, roundsOf(partitions, times, nowMs), signal, (reading) => {
      readings.push(reading)
      if (reading.round.startsWith('at ')) tell(readings.length, times.length)
    }),
  ])
  return findingsOf({ source: SOURCE, pipeline, partitions, facts, times, spared, readings, unread, nowMs })
}

/** Now first (end and last stable side by side, so that they can be compared), then the past, the most telling points first. */
function roundsOf(partitions: readonly PartitionState[], times: readonly number[], nowMs: number): Round[] {
  const at = (name: string, timestamp: number, isolation: Round['isolation'] = 'log end'): Round => ({
    name,
    isolation,
    timestamps: new Map(partitions.map((state) => [state.partition, timestamp])),
  })
  return [
    at('end', LATEST),
    at('stable', LATEST, 'last stable'),
    at('start', EARLIEST),
    at('ahead', nowMs + CLOCK_TOLERANCE_MS),
    ...times.map((time) => at(`at ${time}`, time)),
  ]
}

/** A line at most every 200 ms. */
function progressTeller(question: Question, partitions: number): (readings: number, points: number) => void {
  const everyMs = 200
  let nextMs = Date.now() + everyMs
  return (readings, points) => {
    if (Date.now() < nextMs) return
    nextMs = Date.now() + everyMs
    question.progress(`Kafka: ${partitions} partitions, ${Math.min(points, Math.floor(readings / partitions))} of ${points} points in time`)
  }
}
