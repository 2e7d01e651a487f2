/**
 * The requests about topics that we write ourselves: Metadata, ListOffsets, DescribeConfigs. All flexible versions, so that one
 * encoding serves; the oldest broker they all reach is Kafka 3.0. What kafkajs offers for the same fails as a whole when one
 * partition has no leader, knows no special timestamps, and answers with the last stable offset where the log end was meant.
 */
import { FrameReader, FrameWriter } from './kafka-codec.ts'
import type { Outcome } from './kafka-failure.ts'
import { failed } from './kafka-failure.ts'

/** One request we can send: how it is written and how its answer is read, for every version from `oldest` to `newest`. */
export interface Api<Argument, Answer> {
  readonly key: number
  readonly name: string
  readonly oldest: number
  readonly newest: number
  readonly write: (writer: FrameWriter, argument: Argument, version: number) => void
  readonly read: (reader: FrameReader, version: number) => Answer
}

/** The request body. kafkajs writes request header v1; what header v2 adds to it, an empty tag buffer, has to lead the body. */
export function encode<Argument>(api: Api<Argument, unknown>, argument: Argument, version: number): Buffer {
  const writer = new FrameWriter().tags()
  api.write(writer, argument, version)
  return writer.frame()
}

/** A response from after its correlation id. A frame that is cut, padded or impossible ends in a failure of kind `malformed`. */
export function decode<Answer>(api: Api<never, Answer>, frame: Buffer, version: number): Outcome<Answer> {
  const reader = new FrameReader(frame)
  reader.tags()
  const value = api.read(reader, version)
  if (reader.broken !== null) return failed('malformed', `the answer to ${api.name} could not be read: ${reader.broken}`)
  if (reader.left > 0) return failed('malformed', `the answer to ${api.name} could not be read: ${reader.left} bytes too many`)
  return { ok: true, value }
}

export interface BrokerAddress {
  readonly id: number
  readonly host: string
  readonly port: number
}

export interface PartitionState {
  readonly partition: number
  /** Error code; 5 = no leader. */
  readonly error: number
  /** Broker id, -1 = none. */
  readonly leader: number
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
}

export interface TopicState {
  readonly name: string
  readonly error: number
  readonly partitions: readonly PartitionState[]
}

export interface Metadata {
  readonly brokers: readonly BrokerAddress[]
  readonly topics: readonly TopicState[]
}

/** Argument: topic names; none = brokers only. Auto creation is switched off in the request itself. */
export const metadataApi: Api<readonly string[], Metadata> = {
  key: 3,
  name: 'Metadata',
  oldest: 11,
  newest: 12,
  write(writer, topics) {
    writer
      .array(topics, (topic) => writer.zeroUuid().string(topic).tags())
      .bool(false)
      .bool(false)
      .tags()
  },
  read(reader) {
    reader.int32()
    const brokers = reader.array(11, () => {
      const broker = { id: reader.int32(), host: reader.string(), port: reader.int32() }
      reader.nullableString()
      reader.tags()
      return broker
    })
    reader.nullableString()
    reader.int32()
    const topics = reader.array(26, () => readTopic(reader))
    reader.tags()
    return { brokers, topics }
  },
}

function readTopic(reader: FrameReader): TopicState {
  const error = reader.int16()
  const name = reader.string()
  reader.uuid()
  reader.bool()
  const partitions = reader.array(18, () => {
    const error = reader.int16()
    const partition = reader.int32()
    const leader = reader.int32()
    reader.int32()
    const replicas = reader.array(4, () => reader.int32())
    const isr = reader.array(4, () => reader.int32())
    reader.array(4, () => reader.int32())
    reader.tags()
    return { partition, error, leader, replicas, isr }
  })
  reader.int32()
  reader.tags()
  return { name, error, partitions }
}

/** Special values of ListOffsets in place of a time. */
export const LATEST = -1
export const EARLIEST = -2

/** `log end` counts every record (high watermark), `last stable` ends before the first open transaction. */
export type Isolation = 'log end' | 'last stable'

export interface OffsetQuestion {
  readonly topic: string
  readonly isolation: Isolation
  /** One partition may stand in one request only once. `timestamp` in epoch ms, or LATEST, EARLIEST. */
  readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[]
}

export interface OffsetAnswer {
  readonly partition: number
  readonly error: number
  /** First offset, in offset order, whose record is stamped at or after the time asked; -1 = no such record. */
  readonly offset: number
  /** Stamp of that record, epoch ms; -1 = none (special timestamps do not give one). */
  readonly timestamp: number
}

/** How long the broker itself may work on one ListOffsets (it may have to ask tiered storage), ms. */
const LIST_OFFSETS_TIMEOUT_MS = 2_000

/** To the partition's leader. */
export const listOffsetsApi: Api<OffsetQuestion, readonly OffsetAnswer[]> = {
  key: 2,
  name: 'ListOffsets',
  oldest: 6,
  newest: 11,
  write(writer, question, version) {
    writer.int32(-1).int8(question.isolation === 'log end' ? 0 : 1)
    writer.array([question], () => {
      writer.string(question.topic)
      writer.array(question.partitions, ({ partition, timestamp }) => writer.int32(partition).int32(-1).int64(timestamp).tags()).tags()
    })
    if (version >= 10) writer.int32(LIST_OFFSETS_TIMEOUT_MS)
    writer.tags()
  },
  read(reader) {
    reader.int32()
    const topics = reader.array(3, () => {
      reader.string()
      const partitions = reader.array(27, () => {
        const answer = { partition: reader.int32(), error: reader.int16(), timestamp: reader.int64(), offset: reader.int64() }
        reader.int32()
        reader.tags()
        return answer
      })
      reader.tags()
      return partitions
    })
    reader.tags()
    return topics.flat()
  },
}

export interface TopicConfig {
  readonly error: number
  readonly values: ReadonlyMap<string, string | null>
}

/** Argument: one topic and the names wanted. To any broker; needs DescribeConfigs on the topic. */
export const describeConfigsApi: Api<{ readonly topic: string; readonly names: readonly string[] }, TopicConfig> = {
  key: 32,
  name: 'DescribeConfigs',
  oldest: 4,
  newest: 4,
  write(writer, { topic, names }) {
    const TOPIC = 2
    writer.array([topic], () =>
      writer
        .int8(TOPIC)
        .string(topic)
        .array(names, (name) => writer.string(name))
        .tags(),
    )
    writer.bool(false).bool(false).tags()
  },
  read(reader) {
    reader.int32()
    const results = reader.array(8, () => {
      const error = reader.int16()
      reader.nullableString()
      reader.int8()
      reader.string()
      const values = new Map<string, string | null>()
      reader.array(9, () => {
        values.set(reader.string(), reader.nullableString())
        reader.bool()
        reader.int8()
        reader.bool()
        reader.array(4, () => {
          reader.string()
          reader.nullableString()
          reader.int8()
          reader.tags()
        })
        reader.int8()
        reader.nullableString()
        reader.tags()
      })
      reader.tags()
      return { error, values }
    })
    reader.tags()
    return results[0] ?? { error: -1, values: new Map() }
  },
}
