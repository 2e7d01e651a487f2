import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameWriter } from '../../src/sources/kafka-codec.ts'
import {
  classicAssignment,
  consumerGroupDescribeApi,
  describeGroupsApi,
  findCoordinatorApi,
  offsetFetchApi,
} from '../../src/sources/kafka-group-requests.ts'
import type { Api } from '../../src/sources/kafka-requests.ts'
import { decode, describeConfigsApi, encode, listOffsetsApi, metadataApi } from '../../src/sources/kafka-requests.ts'

interface Recorded {
  readonly name: string
  readonly api: string
  readonly version: number
  readonly hex: string
}

const { frames } = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/kafka/frames.json'), 'utf8')) as { frames: Recorded[] }
const apis = [
  metadataApi,
  listOffsetsApi,
  describeConfigsApi,
  findCoordinatorApi,
  offsetFetchApi,
  describeGroupsApi,
  consumerGroupDescribeApi,
] as readonly Api<never, unknown>[]

function apiNamed(name: string): Api<never, unknown> {
  const found = apis.find((api) => api.name === name)
  if (found === undefined) throw new Error(`no api ${name}`)
  return found
}

function read<T>(api: Api<never, T>, name: string, version: number): T {
  const frame = frames.find((one) => one.api === api.name && one.name === name && one.version === version)
  if (frame === undefined) throw new Error(`no frame ${api.name} v${version}: ${name}`)
  const outcome = decode(api, Buffer.from(frame.hex, 'hex'), version)
  if (!outcome.ok) throw new Error(outcome.failure.sentence)
  return outcome.value
}

describe('recorded answers of Kafka 4.4.0', () => {
  test('a healthy topic, in both versions of Metadata', () => {
    for (const version of [11, 12]) {
      const { brokers, topics } = read(metadataApi, 'healthy topic', version)
      expect(brokers.map((broker) => broker.id)).toEqual([1, 2, 3])
      expect(topics[0]).toMatchObject({ name: 'orders', error: 0 })
      expect(topics[0]?.partitions.map((state) => state.partition).sort()).toEqual([0, 1, 2, 3, 4, 5])
      expect(topics[0]?.partitions.every((state) => state.leader > 0 && state.isr.length === 1)).toBe(true)
    }
  })

  test('a partition without a leader leaves the others readable', () => {
    const { brokers, topics } = read(metadataApi, 'one partition without a leader', 12)
    const lost = topics[0]?.partitions.filter((state) => state.error === 5) ?? []
    expect(brokers.map((broker) => broker.id)).toEqual([1, 2])
    expect(lost.map((state) => [state.leader, state.replicas, state.isr.length])).toEqual(lost.map(() => [-1, [3], 0]))
    expect(topics[0]?.partitions.filter((state) => state.error === 0)).toHaveLength(6 - lost.length)
  })

  test('an unknown topic carries code 3', () => {
    expect(read(metadataApi, 'unknown topic', 12).topics).toEqual([{ name: 'nowhere', error: 3, partitions: [] }])
  })

  test('offsets in every version of ListOffsets', () => {
    for (const version of [6, 7, 8, 9, 10, 11]) {
      const answers = read(listOffsetsApi, 'log end', version)
      expect(answers.map((answer) => [answer.error, answer.offset])).toEqual(answers.map(() => [0, 20]))
    }
  })

  test('an open transaction holds the last stable offset back', () => {
    expect(read(listOffsetsApi, 'log end, open transaction', 11)[0]).toMatchObject({ offset: 25, error: 0 })
    expect(read(listOffsetsApi, 'last stable, open transaction', 11)[0]).toMatchObject({ offset: 20, error: 0 })
  })

  test('by time: the record found and its stamp, or -1', () => {
    expect(read(listOffsetsApi, 'first at or after a time', 11)[0]).toMatchObject({ offset: 5, timestamp: 1_796_000_005_000 })
    expect(read(listOffsetsApi, 'nothing at or after a time', 11)[0]).toMatchObject({ offset: -1, timestamp: -1 })
  })

  test('error codes are in the rows, not in the call', () => {
    expect(read(listOffsetsApi, 'not the leader', 11)[0]).toMatchObject({ error: 6, offset: -1 })
    expect(read(listOffsetsApi, 'a special time the version does not know', 6)[0]?.error).toBe(35)
    expect(read(offsetFetchApi, 'not the coordinator', 9)[0]).toMatchObject({ error: 16, topics: [] })
  })

  test('topic configuration', () => {
    const { error, values } = read(describeConfigsApi, 'topic configuration', 4)
    expect(error).toBe(0)
    expect(Object.fromEntries(values)).toEqual({
      'cleanup.policy': 'delete',
      'retention.ms': '3600000',
      'message.timestamp.type': 'LogAppendTime',
      'retention.bytes': '1048576',
    })
  })

  test('a group that only commits', () => {
    for (const version of [8, 9]) {
      const rows = read(offsetFetchApi, 'commits: commits only', version)[0]?.topics[0]?.partitions
      expect(rows?.map((row) => row.offset)).toEqual([7, 20, -1, -1, -1, -1])
    }
    expect(read(describeGroupsApi, 'described as classic: commits only', 6)[0]).toMatchObject({ error: 0, state: 'Empty', members: [] })
    expect(read(findCoordinatorApi, 'coordinator of a group: commits only', 4)[0]).toMatchObject({ key: 'paid', error: 0 })
  })

  test('a classic group with its assignment', () => {
    for (const version of [5, 6]) {
      const group = read(describeGroupsApi, 'described as classic: classic', version)[0]
      expect(group).toMatchObject({ group: 'billing', state: 'Stable', epoch: null })
      expect(group?.members[0]?.assigned).toEqual([{ topic: 'orders', partitions: [0, 1, 2, 3, 4, 5] }])
    }
    expect(read(consumerGroupDescribeApi, 'described as new protocol: classic', 1)[0]?.error).toBe(69)
  })

  test('a group of the new protocol: its epoch, and "Dead" to the old request', () => {
    for (const version of [0, 1]) {
      const group = read(consumerGroupDescribeApi, 'described as new protocol: new protocol', version)[0]
      expect(group).toMatchObject({ group: 'shipping', error: 0, state: 'Stable', epoch: 2 })
      expect(group?.members[0]?.assigned).toEqual([{ topic: 'orders', partitions: [0, 1, 2, 3, 4, 5] }])
    }
    expect(read(describeGroupsApi, 'described as classic: new protocol', 5)[0]).toMatchObject({ error: 0, state: 'Dead' })
    expect(read(describeGroupsApi, 'described as classic: new protocol', 6)[0]).toMatchObject({ error: 69, state: 'Dead' })
  })
})

describe('frames that no broker sends', () => {
  test('every recorded frame, cut anywhere, is malformed', () => {
    for (const { api, version, hex } of frames) {
      const frame = Buffer.from(hex, 'hex')
      for (let length = 0; length < frame.length; length += 1) {
        const outcome = decode(apiNamed(api), frame.subarray(0, length), version)
        expect(outcome.ok ? `${api} v${version} cut at ${length}` : outcome.failure.kind).toBe('malformed')
      }
    }
  })

  test('bytes too many are malformed', () => {
    for (const { api, version, hex } of frames) {
      expect(decode(apiNamed(api), Buffer.from(`${hex}00`, 'hex'), version).ok).toBe(false)
    }
  })

  test('whatever the bytes, reading ends at once and throws nothing', () => {
    const one = fc.constantFrom(...frames)
    const spoil = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(one, spoil, ({ api, version, hex }, places) => {
        const frame = Buffer.from(hex, 'hex')
        for (const [at, value] of places) frame[at % frame.length] = value
        decode(apiNamed(api), frame, version)
      }),
      { numRuns: 3_000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...apis), (bytes, api) => {
        decode(api, Buffer.from(bytes), api.newest)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a list longer than its frame allocates nothing', () => {
    const frame = new FrameWriter().tags().int32(0).uvarint(0x7fff_ffff).frame()
    const startMs = performance.now()
    const outcome = decode(listOffsetsApi, Buffer.concat([frame, Buffer.alloc(1_000)]), 11)
    expect(outcome.ok ? '' : outcome.failure.sentence).toContain('a list of')
    expect(performance.now() - startMs).toBeLessThan(50)
  })

  test('an offset beyond 2^53 is refused, not rounded', () => {
    const frame = new FrameWriter().tags().int32(0)
    frame.array(['t'], () => frame.string('t').array([0], () => frame.int32(0).int16(0).int64(-1)))
    const huge = Buffer.concat([frame.frame(), Buffer.from('7fffffffffffffff', 'hex'), Buffer.from('00000000000000', 'hex')])
    const outcome = decode(listOffsetsApi, huge, 11)
    expect(outcome.ok ? '' : outcome.failure.sentence).toContain('2^53')
  })

  test("a member's blob of another protocol is no assignment, not a broken frame", () => {
    expect(classicAssignment(Buffer.from('00017fffffff', 'hex'))).toEqual([])
    expect(classicAssignment(Buffer.from('hello'))).toEqual([])
    expect(classicAssignment(Buffer.alloc(0))).toEqual([])
  })
})

test('requests are written as the protocol tables say', () => {
  const body = encode(listOffsetsApi, { topic: 'ab', isolation: 'last stable', partitions: [{ partition: 7, timestamp: -2 }] }, 11)
  expect(body.toString('hex')).toBe(
    `00${'ffffffff'}01${'02'}036162${'02'}00000007${'ffffffff'}${'fffffffffffffffe'}00${'00'}000007d0${'00'}`,
  )
  // Auto creation of topics is off, whatever the caller does.
  expect(encode(metadataApi, ['a'], 12).toString('hex')).toBe(`00${'02'}${'00'.repeat(16)}026100${'00'}00${'00'}`)
})

test('long strings and lists carry lengths of several bytes', () => {
  const long = 'x'.repeat(300)
  const body = encode(findCoordinatorApi, [long], 4)
  expect(body.subarray(3, 5).toString('hex')).toBe('ad02')
})
