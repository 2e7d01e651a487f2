/**
 * The requests about one consumer group: where its coordinator is, what it has committed, who its members are. Two describe requests,
 * because classic groups and those of the new protocol (KIP-848) each answer only their own; the other kind says "no such group".
 */
import type { FrameWriter } from './kafka-codec.ts'
import { FrameReader } from './kafka-codec.ts'
import type { Api } from './kafka-requests.ts'

export interface Coordinator {
  readonly key: string
  readonly node: number
  readonly error: number
}

/** Argument: group ids. To any broker. */
export const findCoordinatorApi: Api<readonly string[], readonly Coordinator[]> = {
  key: 10,
  name: 'FindCoordinator',
  oldest: 4,
  newest: 4,
  write(writer, groups) {
    const GROUP = 0
    writer
      .int8(GROUP)
      .array(groups, (group) => writer.string(group))
      .tags()
  },
  read(reader) {
    reader.int32()
    const coordinators = reader.array(14, () => {
      const key = reader.string()
      const node = reader.int32()
      reader.string()
      reader.int32()
      const error = reader.int16()
      reader.nullableString()
      reader.tags()
      return { key, node, error }
    })
    reader.tags()
    return coordinators
  },
}

export interface CommittedOffset {
  readonly partition: number
  /** -1 = nothing committed. */
  readonly offset: number
  readonly error: number
}

export interface GroupOffsets {
  readonly group: string
  readonly error: number
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly CommittedOffset[] }[]
}

/** To the coordinator. Topics without permission are left out of the answer without an error. */
export const offsetFetchApi: Api<
  { readonly group: string; readonly topic: string; readonly partitions: readonly number[] },
  readonly GroupOffsets[]
> = {
  key: 9,
  name: 'OffsetFetch',
  oldest: 8,
  newest: 9,
  write(writer, { group, topic, partitions }, version) {
    writer.array([group], () => {
      writer.string(group)
      if (version >= 9) writer.string(null).int32(-1)
      writer
        .array([topic], () =>
          writer
            .string(topic)
            .array(partitions, (partition) => writer.int32(partition))
            .tags(),
        )
        .tags()
    })
    const REQUIRE_STABLE = false
    writer.bool(REQUIRE_STABLE).tags()
  },
  read(reader) {
    reader.int32()
    const groups = reader.array(5, () => {
      const group = reader.string()
      const topics = reader.array(3, () => {
        const topic = reader.string()
        const partitions = reader.array(20, () => {
          const partition = reader.int32()
          const offset = reader.int64()
          reader.int32()
          reader.nullableString()
          const error = reader.int16()
          reader.tags()
          return { partition, offset, error }
        })
        reader.tags()
        return { topic, partitions }
      })
      const error = reader.int16()
      reader.tags()
      return { group, error, topics }
    })
    reader.tags()
    return groups
  },
}

export interface GroupMember {
  readonly id: string
  readonly clientId: string
  readonly host: string
  readonly assigned: readonly { readonly topic: string; readonly partitions: readonly number[] }[]
}

export interface GroupDescription {
  readonly group: string
  readonly error: number
  readonly state: string
  /** Group epoch of the new protocol; null for classic groups, whose describe request does not tell it. */
  readonly epoch: number | null
  readonly members: readonly GroupMember[]
}

/** Both describe requests ask in the same words. */
function writeGroups(writer: FrameWriter, groups: readonly string[]): void {
  const AUTHORIZED_OPERATIONS = false
  writer
    .array(groups, (group) => writer.string(group))
    .bool(AUTHORIZED_OPERATIONS)
    .tags()
}

/** Classic groups. To the coordinator. Before version 6 a group of another kind reads "Dead" without an error. */
export const describeGroupsApi: Api<readonly string[], readonly GroupDescription[]> = {
  key: 15,
  name: 'DescribeGroups',
  oldest: 5,
  newest: 6,
  write: writeGroups,
  read(reader, version) {
    reader.int32()
    const groups = reader.array(12, () => {
      const error = reader.int16()
      if (version >= 6) reader.nullableString()
      const group = reader.string()
      const state = reader.string()
      reader.string()
      reader.string()
      const members = reader.array(7, () => {
        const id = reader.string()
        reader.nullableString()
        const clientId = reader.string()
        const host = reader.string()
        reader.bytes()
        const assigned = classicAssignment(reader.bytes())
        reader.tags()
        return { id, clientId, host, assigned }
      })
      reader.int32()
      reader.tags()
      return { group, error, state, epoch: null, members }
    })
    reader.tags()
    return groups
  },
}

/**
 * The assignment blob of the classic "consumer" protocol. It is written by clients, so another protocol's blob, or a broken one, is no
 * broken frame: it reads as no assignment.
 */
export function classicAssignment(blob: Buffer): GroupMember['assigned'] {
  if (blob.length === 0) return []
  const reader = new FrameReader(blob)
  reader.int16()
  const topics = reader.oldArray(6, () => ({ topic: reader.oldString(), partitions: reader.oldArray(4, () => reader.int32()) }))
  return reader.broken === null ? topics : []
}

/** Groups of the new protocol. To the coordinator. */
export const consumerGroupDescribeApi: Api<readonly string[], readonly GroupDescription[]> = {
  key: 69,
  name: 'ConsumerGroupDescribe',
  oldest: 0,
  newest: 1,
  write: writeGroups,
  read(reader, version) {
    reader.int32()
    const groups = reader.array(19, () => {
      const error = reader.int16()
      reader.nullableString()
      const group = reader.string()
      const state = reader.string()
      const epoch = reader.int32()
      reader.int32()
      reader.string()
      const members = reader.array(16, () => {
        const id = reader.string()
        reader.nullableString()
        reader.nullableString()
        reader.int32()
        const clientId = reader.string()
        const host = reader.string()
        reader.array(1, () => reader.string())
        reader.nullableString()
        const assigned = assignment(reader)
        assignment(reader)
        if (version >= 1) reader.int8()
        reader.tags()
        return { id, clientId, host, assigned }
      })
      reader.int32()
      reader.tags()
      return { group, error, state, epoch, members }
    })
    reader.tags()
    return groups
  },
}

function assignment(reader: FrameReader): GroupMember['assigned'] {
  const topics = reader.array(19, () => {
    reader.uuid()
    const topic = reader.string()
    const partitions = reader.array(4, () => reader.int32())
    reader.tags()
    return { topic, partitions }
  })
  reader.tags()
  return topics
}
