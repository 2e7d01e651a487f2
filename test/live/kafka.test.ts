/**
 * The Kafka sources on three real brokers: exact against our own produce log, and with one broker frozen, then killed.
 * It is also the contract test of kafkajs's private parts (`kafka-connection.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kafka } from 'kafkajs'
import { CompressionTypes } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { kafkaGroup } from '../../src/sources/kafka-group.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import { startBrokers } from '../rig/broker.ts'
import { kafkaJars } from '../rig/jars.ts'
import { kafkaClient } from '../rig/kafka.ts'
import type { Rig } from '../rig/layout.ts'
import { CACHE, createRig } from '../rig/layout.ts'
import { choosePorts } from '../rig/ports.ts'
import { processStat } from '../rig/proc.ts'
import { signal } from '../rig/processes.ts'
import { missingTools } from '../rig/toolchain.ts'
import { pipelineOn, question } from '../sources/kafka-question.ts'

const lacking = missingTools()
const skipped = lacking.length > 0 && process.env.CI !== 'true'
const MINUTE = 60_000
const PARTITIONS = 100

let rig: Rig
let client: Kafka
/** Stamps of every record of "history", by partition and offset: the truth. */
const stamps: number[][] = []

function look(topic: string, group: string | null = null, limitMs = 10_000): Promise<Findings> {
  return (group === null ? kafkaPartitions : kafkaGroup).collect(question(pipelineOn(rig.brokers, topic, group), limitMs))
}

function value(findings: Findings, name: string, partition: number): number | null | undefined {
  return findings.series.find((one) => one.signal === name && one.entity.partition === partition && one.clock === 'arrival')?.v.at(-1)
}

async function createTopic(topic: string, partitions: number, replicas: number, config: Record<string, string> = {}): Promise<void> {
  const admin = client.admin({ retry: { retries: 12, initialRetryTime: 200 } })
  await admin.connect()
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }))
  await admin.createTopics({
    topics: [{ topic, numPartitions: partitions, replicationFactor: replicas, configEntries }],
    waitForLeaders: true,
  })
  await admin.disconnect()
}

/** Each record once: kafkajs sends a whole batch again when a leader of a fresh topic is not ready, unless it is idempotent. */
async function produce(topic: string, byPartition: readonly (readonly number[])[], compression = CompressionTypes.None): Promise<void> {
  const producer = client.producer({ idempotent: true, maxInFlightRequests: 1, retry: { retries: 12, initialRetryTime: 200 } })
  await producer.connect()
  const messages = byPartition.flatMap((some, partition) => some.map((stamp) => ({ partition, timestamp: `${stamp}`, value: 'x' })))
  await producer.send({ topic, messages, compression })
  await producer.disconnect()
}

describe.skipIf(skipped)(`Kafka sources on three brokers${skipped ? ` (skipped: ${lacking.join(', ')} missing)` : ''}`, () => {
  beforeAll(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headwater-kafka-'))
    rig = createRig(dir, await choosePorts(3, 0), { kafka: await kafkaJars(CACHE), sparkHome: '', app: '' })
    await startBrokers(rig)
    client = kafkaClient(rig.brokers, 'live-test')
    await createTopic('history', PARTITIONS, 1)
    const nowMs = Date.now()
    // Uneven intake over 65 minutes, a tenth of the partitions compressed, all in order within a partition.
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const ages = Array.from({ length: 60 + ((partition * 37) % 120) }, () => Math.floor(Math.random() ** 2 * 65 * MINUTE))
      stamps.push(ages.map((age) => nowMs - age).sort((a, b) => a - b))
    }
    await produce(
      'history',
      stamps.map((some, partition) => (partition % 10 === 0 ? [] : some)),
    )
    await produce(
      'history',
      stamps.map((some, partition) => (partition % 10 === 0 ? some : [])),
      CompressionTypes.GZIP,
    )
  })

  afterAll(async () => {
    if (rig === undefined) return
    await Promise.all(['consumer', ...rig.brokers.map((_, index) => `broker${index + 1}`)].map((name) => rig.processes.stop(name, 5_000)))
    rmSync(rig.dir, { recursive: true, force: true })
  })

  test('an hour of 100 partitions nobody watched: every point exact, within 1.5 s', async () => {
    const ticks = (): number =>
      rig.brokers.reduce((sum, _, index) => sum + (processStat(rig.processes.get(`broker${index + 1}`)?.pid ?? 0)?.cpuTicks ?? 0), 0)
    const seconds: number[] = []
    let findings = await look('history')
    for (let round = 0; round < 3; round += 1) {
      const [startMs, cpu, brokers] = [performance.now(), process.cpuUsage(), ticks()]
      findings = await look('history')
      seconds.push((performance.now() - startMs) / 1_000)
      const { user, system } = process.cpuUsage(cpu)
      const sum = (key: 'requests' | 'bytes'): number => findings.traffic.reduce((total, entry) => total + entry[key], 0)
      console.log(
        `history: ${seconds.at(-1)?.toFixed(2)} s, our CPU ${((user + system) / 1e6).toFixed(2)} s, brokers' CPU ${((ticks() - brokers) / 100).toFixed(2)} s, ${sum('requests')} requests, ${sum('bytes')} bytes`,
      )
    }
    expect(findings.gaps).toEqual([])
    const history = { name: 'history', partitions: PARTITIONS, timestamp_type: 'CreateTime', retention_ms: 604_800_000 }
    expect(findings.topics).toMatchObject([history])
    // One copy each, on one of the three brokers.
    const copies = Object.values(findings.topics[0]?.replicas ?? {})
    expect(copies.map((brokers) => brokers.length)).toEqual(Array.from({ length: PARTITIONS }, () => 1))
    expect(new Set(copies.flat())).toEqual(new Set([1, 2, 3]))
    let minutes = 0
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const truth = stamps[partition] ?? []
      expect(value(findings, 'partition.log_end_offset', partition)).toBe(truth.length)
      expect(value(findings, 'partition.last_stable_offset', partition)).toBe(truth.length)
      const past = findings.series.find((one) => one.clock === 'record' && one.entity.partition === partition)
      expect(past?.v).toEqual(past?.t.map((t) => truth.filter((stamp) => stamp < t * 1_000).length))
      minutes += past?.t.filter((t) => t % 60 === 0).length ?? 0
    }
    expect(minutes).toBe(PARTITIONS * 60)
    expect(Math.min(...seconds)).toBeLessThanOrEqual(1.5)
  })

  test('complete up to: 100 committed offsets as time, to 100 ms', async () => {
    const committed = stamps.map((some) => Math.floor(Math.random() * (some.length + 1)))
    const first = await look('history')
    const startMs = performance.now()
    const asked = { committed: { history: Object.fromEntries(committed.entries()) }, findings: [first] }
    const again = await kafkaPartitions.lookAgain?.(question(pipelineOn(rig.brokers, 'history')), asked)
    console.log(`complete up to: ${((performance.now() - startMs) / 1_000).toFixed(2)} s`)
    if (again === undefined) throw new Error('no second look')
    expect(again.gaps).toEqual([])
    for (const [partition, offset] of committed.entries()) {
      const truthMs = stamps[partition]?.[offset] ?? Date.now()
      const foundMs = (value(again, 'partition.complete_to', partition) ?? 0) * 1_000
      expect(truthMs - foundMs).toBeLessThanOrEqual(offset === stamps[partition]?.length ? 5_000 : 100.001)
      expect(foundMs - truthMs).toBeLessThanOrEqual(0.001)
    }
  })

  test('an open transaction: the last stable offset stays behind the log end', async () => {
    await createTopic('paid', 1, 3)
    const producer = client.producer({
      transactionalId: 'open',
      idempotent: true,
      maxInFlightRequests: 1,
      retry: { retries: 20, initialRetryTime: 100 },
    })
    await producer.connect()
    await produce('paid', [[Date.now(), Date.now()]])
    const transaction = await producer.transaction()
    await transaction.send({ topic: 'paid', messages: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] })
    const findings = await look('paid')
    await transaction.abort()
    await producer.disconnect()
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(5)
    expect(value(findings, 'partition.last_stable_offset', 0)).toBe(2)
    expect(findings.topics[0]?.transactional).toBe(true)
    expect(value(findings, 'partition.isr_size', 0)).toBe(3)
  })

  test('where retention cuts in, and where a record from the future hides the rest', async () => {
    const nowMs = Date.now()
    const every = Array.from({ length: 40 }, (_, index) => nowMs - (40 - index) * MINUTE)
    await createTopic('cut', 1, 1, { 'retention.ms': '7200000' })
    await createTopic('future', 1, 1)
    await produce('cut', [every])
    await produce('future', [[...every.slice(0, 20), nowMs + 30 * MINUTE, ...every.slice(20)]])
    const admin = client.admin()
    await admin.connect()
    // Without it kafkajs does not know the topic's leaders and refuses.
    await admin.fetchTopicOffsets('cut')
    await admin.deleteTopicRecords({ topic: 'cut', partitions: [{ partition: 0, offset: '15' }] })
    await admin.disconnect()
    const [cut, future] = await Promise.all([look('cut'), look('future')])
    const past = cut.series.find((one) => one.clock === 'record')
    expect([past?.t[0], past?.v[0]]).toEqual([(every[15] ?? 0) / 1_000, 15])
    expect(value(cut, 'partition.log_start_offset', 0)).toBe(15)
    expect(cut.topics[0]?.retention_ms).toBe(7_200_000)
    expect(cut.gaps[0]?.reason).toContain('retention has already removed')
    expect(cut.gaps[0]?.to).toBe((every[15] ?? 0) / 1_000)
    expect(future.gaps[0]?.reason).toContain('stamped in the future')
    const hidden = future.series.find((one) => one.clock === 'record')
    expect(hidden?.v.at(-1)).toBeNull()
    expect(value(future, 'partition.log_end_offset', 0)).toBe(41)
  })

  test('a topic stamped by its brokers is by arrival', async () => {
    await createTopic('arrivals', 2, 1, { 'message.timestamp.type': 'LogAppendTime' })
    const beforeMs = Date.now()
    await produce('arrivals', [[beforeMs - 30 * MINUTE, beforeMs - 20 * MINUTE], [beforeMs]])
    const findings = await look('arrivals')
    expect(findings.topics[0]?.timestamp_type).toBe('LogAppendTime')
    const past = findings.series.filter((one) => one.signal === 'partition.log_end_offset' && one.t.length > 1)
    expect(past.map((one) => one.clock)).toEqual(['arrival', 'arrival'])
    expect(past.flatMap((one) => one.v.filter((_, index) => (one.t[index] ?? 0) * 1_000 <= beforeMs))).not.toContain(1)
  })

  test('groups, asked by name: commits only, classic, the new protocol, and one that is not there', async () => {
    const admin = client.admin({ retry: { retries: 20, initialRetryTime: 100 } })
    await admin.connect()
    await admin.setOffsets({ groupId: 'plain', topic: 'cut', partitions: [{ partition: 0, offset: '23' }] })
    await admin.disconnect()
    const classpath = join(rig.jars.kafka, '*')
    const tool = [
      '-Xmx128m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      classpath,
      'org.apache.kafka.tools.consumer.ConsoleConsumer',
    ]
    const args = [
      '--bootstrap-server',
      rig.brokers[0] ?? '',
      '--topic',
      'cut',
      '--group',
      'modern',
      '--command-property',
      'group.protocol=consumer',
    ]
    rig.processes.start('consumer', 'java', [...tool, ...args])
    const consumer = client.consumer({ groupId: 'classic', retry: { retries: 20, initialRetryTime: 100 } })
    await consumer.connect()
    await consumer.subscribe({ topic: 'cut', fromBeginning: true })
    await consumer.run({ autoCommitInterval: 100, eachMessage: async () => undefined })

    const plain = await look('cut', 'plain')
    expect(value(plain, 'partition.committed_offset', 0)).toBe(23)
    expect(plain.series.find((one) => one.signal === 'group.state')?.v).toEqual([2])

    await expect.poll(async () => (await look('cut', 'classic')).reader.protocol, { timeout: 15_000, interval: 500 }).toBe('classic')
    await expect
      .poll(async () => value(await look('cut', 'classic'), 'partition.committed_offset', 0), { timeout: 15_000, interval: 500 })
      .toBe(40)
    const classic = await look('cut', 'classic')
    expect(value(classic, 'member.partition_owner', 0)).toBe(0)

    await expect
      .poll(async () => value(await look('cut', 'modern'), 'member.partition_owner', 0), { timeout: 20_000, interval: 500 })
      .toBe(0)
    const modern = await look('cut', 'modern')
    expect(modern.reader.protocol).toBe('consumer')
    expect(modern.series.find((one) => one.signal === 'group.generation')?.v[0]).toBeGreaterThan(0)

    const nobody = await look('cut', 'nobody')
    expect(nobody.gaps[0]?.reason).toContain('is not known to its coordinator')
    await consumer.disconnect()
    await rig.processes.stop('consumer', 5_000)
  })

  test('one broker frozen: the rest is read inside the deadline and its partitions are gaps', async () => {
    const frozen = rig.processes.get('broker3')
    if (frozen === undefined) throw new Error('broker 3 is not running')
    signal(frozen, 'SIGSTOP')
    const startMs = performance.now()
    const findings = await look('history')
    const seconds = (performance.now() - startMs) / 1_000
    signal(frozen, 'SIGCONT')
    console.log(`one of three frozen: ${seconds.toFixed(2)} s`)
    expect(seconds).toBeLessThan(5)
    const read = findings.series.filter((one) => one.signal === 'partition.log_end_offset' && one.clock === 'record')
    expect(read.length).toBeGreaterThan(PARTITIONS / 2)
    const gap = findings.gaps.find((one) => one.signal === 'partition.log_end_offset')
    expect(gap?.reason).toMatch(/partitions .* of history: broker .* did not answer within 2.5 s/)
    await expect.poll(async () => (await look('history')).gaps, { timeout: 20_000, interval: 500 }).toEqual([])
  })

  test('one broker killed: a gap at once, then partitions without a leader, and the rest exact', async () => {
    const killed = rig.processes.get('broker3')
    if (killed === undefined) throw new Error('broker 3 is not running')
    signal(killed, 'SIGKILL')
    await expect.poll(() => rig.processes.get('broker3'), { timeout: 5_000 }).toBeUndefined()
    const atOnce = await look('history')
    expect(atOnce.gaps.find((one) => one.signal === 'partition.log_end_offset')?.reason).toMatch(
      /refused|closed the connection|not in the cluster|no leader/,
    )
    await expect
      .poll(async () => (await look('history')).gaps.map((gap) => gap.reason).join(), { timeout: 25_000, interval: 1_000 })
      .toMatch(/no leader: no broker with an up-to-date copy is up \(copies on broker 3\)/)
    const startMs = performance.now()
    const findings = await look('history')
    console.log(`one of three gone: ${((performance.now() - startMs) / 1_000).toFixed(2)} s`)
    const leaders = new Map(
      findings.series.filter((one) => one.signal === 'partition.leader').map((one) => [one.entity.partition ?? -1, one.v[0]]),
    )
    for (const [partition, leader] of leaders) {
      const past = findings.series.find((one) => one.clock === 'record' && one.entity.partition === partition)
      if (leader === -1) expect(past).toBeUndefined()
      else expect(past?.v).toEqual(past?.t.map((t) => (stamps[partition] ?? []).filter((stamp) => stamp < t * 1_000).length))
    }
    expect([...leaders.values()].filter((leader) => leader === -1).length).toBeGreaterThan(20)
  })
})
