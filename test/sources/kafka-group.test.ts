import { afterEach, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { FrameWriter } from '../../src/sources/kafka-codec.ts'
import { failureOf } from '../../src/sources/kafka-failure.ts'
import { kafkaGroup } from '../../src/sources/kafka-group.ts'
import type { GroupLook } from '../../src/sources/kafka-group-findings.ts'
import { groupFindings } from '../../src/sources/kafka-group-findings.ts'
import type { FakeBroker } from './kafka-fake-broker.ts'
import { metadataReply, startFakeBroker } from './kafka-fake-broker.ts'
import { pipelineOn, question } from './kafka-question.ts'

const member = (id: string, clientId: string, partitions: number[]) => ({
  id,
  clientId,
  host: '/10.0.0.7',
  assigned: [
    { topic: 'orders', partitions },
    { topic: 'other', partitions: [0, 1] },
  ],
})

const look: GroupLook = {
  source: 'kafka-group',
  topic: 'orders',
  group: 'billing',
  access: { brokers: ['b:9092'], clientId: 'headwater', tls: false, sasl: null },
  partitions: [0, 1, 2, 3],
  offsets: [
    { partition: 0, offset: 10, error: 0 },
    { partition: 1, offset: 0, error: 0 },
    { partition: 2, offset: -1, error: 0 },
  ],
  description: {
    ok: true,
    value: {
      group: 'billing',
      error: 0,
      state: 'Stable',
      epoch: null,
      members: [member('zz', 'worker-a', [2]), member('aa', 'worker-b', [0, 1])],
    },
  },
  atMs: 1_796_000_000_500,
}

function values(findings: Findings, signal: string): unknown[] {
  return findings.series
    .filter((one) => one.signal === signal)
    .map((one) => [one.entity.partition ?? one.entity.member ?? one.entity.group, one.v[0]])
}

describe('what a coordinator tells, as findings', () => {
  test('commits, with a commit of 0 told from no commit and from no answer', () => {
    const findings = groupFindings(look)
    expect(values(findings, 'partition.committed_offset')).toEqual([
      [0, 10],
      [1, 0],
    ])
    expect(findings.series[0]).toMatchObject({ entity: { topic: 'orders', partition: 0, group: 'billing' }, t: [1_796_000_000.5] })
    expect(findings.gaps.map((gap) => gap.reason)).toEqual([
      'partition 3 of orders: the coordinator told nothing about group billing here (it leaves out what this login may not see)',
      'partition 2 of orders: group billing has not committed an offset',
    ])
  })

  test('members keep their number when a rebalance changes their ids', () => {
    const findings = groupFindings(look)
    expect(values(findings, 'group.members')).toEqual([['billing', 2]])
    expect(values(findings, 'group.state')).toEqual([['billing', 0]])
    expect(values(findings, 'member.assigned_partitions')).toEqual([
      ['m0', 1],
      ['m1', 2],
    ])
    expect(values(findings, 'member.partition_owner')).toEqual([
      [2, 0],
      [0, 1],
      [1, 1],
    ])
    expect(findings.reader).toEqual({ kind: 'consumer-group', group: 'billing', protocol: 'classic' })
    expect(values(findings, 'group.generation')).toEqual([])
  })

  test('the new protocol has an epoch', () => {
    const findings = groupFindings({
      ...look,
      description: { ok: true, value: { group: 'billing', error: 0, state: 'Reconciling', epoch: 7, members: [] } },
    })
    expect(values(findings, 'group.generation')).toEqual([['billing', 7]])
    expect(values(findings, 'group.state')).toEqual([['billing', 1]])
    expect(findings.reader.protocol).toBe('consumer')
  })

  test('an older broker calls a group of the new protocol dead: with commits its state is unknown, not dead', () => {
    const findings = groupFindings({
      ...look,
      description: { ok: true, value: { group: 'billing', error: 0, state: 'Dead', epoch: null, members: [] } },
    })
    expect(values(findings, 'group.state')).toEqual([])
    expect(findings.gaps.find((gap) => gap.signal === 'group.state')?.reason).toContain('not known')
    expect(values(findings, 'partition.committed_offset')).toHaveLength(2)
  })

  test('neither commits nor description: the group is not known, and the configuration line is named', () => {
    const findings = groupFindings({
      ...look,
      offsets: look.partitions.map((partition) => ({ partition, offset: -1, error: 0 })),
      description: { ok: false, failure: failureOf(69) },
    })
    expect(findings.series).toEqual([])
    expect(findings.gaps).toEqual([
      {
        source: 'kafka-group',
        signal: null,
        reason: 'group billing is not known to its coordinator: it never committed, or its commits have expired',
        mend: 'group in the configuration',
      },
    ])
  })
})

const running: FakeBroker[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.stop()))
})

const [METADATA, OFFSET_FETCH, FIND_COORDINATOR, CONSUMER_GROUP_DESCRIBE] = [3, 9, 10, 69]

function coordinatorReply(error = 0): Buffer {
  return new FrameWriter()
    .tags()
    .int32(0)
    .array(['billing'], (key, writer) =>
      writer
        .string(key)
        .int32(error === 0 ? 1 : -1)
        .string('')
        .int32(-1)
        .int16(error)
        .string(null)
        .tags(),
    )
    .tags()
    .frame()
}

function offsetsReply(error: number, offsets: readonly number[]): Buffer {
  const writer = new FrameWriter().tags().int32(0)
  writer.array(['billing'], () => {
    writer.string('billing')
    writer.array(error === 0 ? ['orders'] : [], (topic) => {
      writer.string(topic)
      writer
        .array([...offsets.entries()], ([partition, offset]) => writer.int32(partition).int64(offset).int32(-1).string('').int16(0).tags())
        .tags()
    })
    writer.int16(error).tags()
  })
  return writer.tags().frame()
}

function describedReply(error: number): Buffer {
  const writer = new FrameWriter().tags().int32(0)
  writer.array(['billing'], (group) =>
    writer
      .int16(error)
      .string(null)
      .string(group)
      .string('Stable')
      .int32(4)
      .int32(4)
      .string('uniform')
      .array([], () => undefined)
      .int32(0)
      .tags(),
  )
  return writer.tags().frame()
}

/** One broker; `answers` gives the reply per api key, called once per request. */
async function brokerWith(answers: Readonly<Record<number, () => Buffer>>): Promise<FakeBroker> {
  const broker = await startFakeBroker((key, _version, body) => {
    if (key !== METADATA) return answers[key]?.() ?? 'close'
    const topics = body.array(1, () => {
      body.uuid()
      const name = body.string()
      body.tags()
      return name
    })
    const override = answers[METADATA]?.()
    if (override !== undefined && topics[0] === '__consumer_offsets') return override
    return metadataReply(new Map([[1, broker.port]]), topics[0] ?? '', [
      { partition: 0, leader: 1 },
      { partition: 1, leader: 1 },
    ])
  })
  running.push(broker)
  return broker
}

describe('asking the coordinator', () => {
  test('moving and loading coordinators are asked again, from FindCoordinator on', async () => {
    const codes = [16, 14, 0]
    const broker = await brokerWith({
      [FIND_COORDINATOR]: () => coordinatorReply(),
      [OFFSET_FETCH]: () => offsetsReply(codes.shift() ?? 0, [5, 6]),
      [CONSUMER_GROUP_DESCRIBE]: () => describedReply(0),
    })
    const findings = await kafkaGroup.collect(question(pipelineOn([`127.0.0.1:${broker.port}`], 'orders', 'billing')))
    expect(values(findings, 'partition.committed_offset')).toEqual([
      [0, 5],
      [1, 6],
    ])
    expect(values(findings, 'group.generation')).toEqual([['billing', 4]])
    expect(findings.gaps).toEqual([])
    expect(broker.asked.filter((key) => key === FIND_COORDINATOR)).toHaveLength(3)
    expect(broker.asked).not.toContain(16)
  })

  test('without permission: the line that grants it', async () => {
    const broker = await brokerWith({ [FIND_COORDINATOR]: () => coordinatorReply(30) })
    const findings = await kafkaGroup.collect(question(pipelineOn([`127.0.0.1:${broker.port}`], 'orders', 'billing')))
    expect(findings.gaps[0]?.reason).toBe('group billing: no permission to describe the group')
    expect(findings.gaps[0]?.mend).toContain('--operation Describe --group billing')
  })

  test('no offsets topic yet: no coordinator is asked for, since that would create it', async () => {
    const broker = await brokerWith({ [METADATA]: () => metadataReply(new Map([[1, 1]]), '__consumer_offsets', [], 3) })
    const findings = await kafkaGroup.collect(question(pipelineOn([`127.0.0.1:${broker.port}`], 'orders', 'billing')))
    expect(findings.gaps[0]?.reason).toContain('no group has ever committed')
    expect(broker.asked).not.toContain(FIND_COORDINATOR)
  })

  test('a pipeline without a group does not miss one', () => {
    expect(kafkaGroup.applies(pipelineOn(['b:9092'], 'orders'))).toBe(false)
    expect(kafkaGroup.absent(pipelineOn(['b:9092'], 'orders'))).toBeNull()
  })
})
