import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import type { FakeBroker, FakePartition, Reply } from './kafka-fake-broker.ts'
import { configReply, metadataReply, offsetsAsked, offsetsReply, startFakeBroker } from './kafka-fake-broker.ts'
import { pipelineOn, question } from './kafka-question.ts'

const running: FakeBroker[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.stop()))
})

const METADATA = 3
const LIST_OFFSETS = 2
const DESCRIBE_CONFIGS = 32

type OffsetRow = { readonly offset: number; readonly error?: number; readonly timestamp?: number }

interface ClusterPlan {
  /** Leader per partition; called for every Metadata request. */
  readonly partitions: () => readonly FakePartition[]
  /** The answer of a broker for one partition and time; a reply of its own for the whole request, or null = leave the row out. */
  readonly offset: (node: number, partition: number, timestamp: number) => OffsetRow | null
  readonly instead?: (node: number, apiKey: number) => Reply | null
  readonly listed?: readonly number[]
  /** The topic's configuration; absent = no permission. */
  readonly config?: Readonly<Record<string, string>>
}

/** Two brokers, ids 1 and 2, topic "orders". */
async function startCluster(
  plan: ClusterPlan,
): Promise<{ readonly brokers: readonly FakeBroker[]; readonly addresses: readonly string[] }> {
  const ports = new Map<number, number>()
  for (const node of [1, 2]) {
    const broker = await startFakeBroker((key, _version, body) => {
      const instead = plan.instead?.(node, key) ?? null
      if (instead !== null) return instead
      if (key === METADATA)
        return metadataReply(new Map([...ports].filter(([id]) => plan.listed?.includes(id) ?? true)), 'orders', plan.partitions())
      if (key === DESCRIBE_CONFIGS) return plan.config === undefined ? configReply({}) : configReply(plan.config, 0)
      if (key !== LIST_OFFSETS) return 'close'
      const { topic, asked } = offsetsAsked(body)
      const rows = asked.flatMap(({ partition, timestamp }) => {
        const row = plan.offset(node, partition, timestamp)
        return row === null ? [] : [{ partition, ...row }]
      })
      return offsetsReply(topic, rows)
    })
    running.push(broker)
    ports.set(node, broker.port)
  }
  const brokers = running.slice(-2)
  return { brokers, addresses: brokers.map((broker) => `127.0.0.1:${broker.port}`) }
}

const LATEST = -1
/** A log that began long ago at offset 0 and grows by one record a second up to `end`. */
function steadyLog(end: number): (timestamp: number) => OffsetRow {
  const lastMs = Date.now() - 500
  return (timestamp) => {
    if (timestamp === LATEST) return { offset: end }
    if (timestamp < 0) return { offset: 0 }
    const offset = Math.max(0, end - 1 - Math.floor((lastMs - timestamp) / 1_000))
    return offset >= end ? { offset: -1 } : { offset, timestamp: lastMs - (end - 1 - offset) * 1_000 }
  }
}

function value(findings: Findings, signal: string, partition: number, clock: 'arrival' | 'record' = 'arrival'): number | null | undefined {
  const found = findings.series.find((one) => one.signal === signal && one.entity.partition === partition && one.clock === clock)
  return found?.v.at(-1)
}

const bothHealthy = (): readonly FakePartition[] => [
  { partition: 0, leader: 1 },
  { partition: 1, leader: 2 },
]

describe('a look at a healthy topic', () => {
  test('reads now and the past of every partition, each from its leader', async () => {
    const log = steadyLog(5_000)
    const { addresses, brokers } = await startCluster({ partitions: bothHealthy, offset: (_node, _partition, timestamp) => log(timestamp) })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    for (const partition of [0, 1]) {
      expect(value(findings, 'partition.log_end_offset', partition)).toBe(5_000)
      expect(value(findings, 'partition.log_start_offset', partition)).toBe(0)
      expect(value(findings, 'partition.last_stable_offset', partition)).toBe(5_000)
      expect(value(findings, 'partition.leader', partition)).toBe(partition + 1)
      const past = findings.series.find((one) => one.entity.partition === partition && one.clock === 'record')
      expect(past?.t.length).toBeGreaterThanOrEqual(114)
      expect(past?.v.every((v, index) => index === 0 || (v ?? 0) >= (past.v[index - 1] ?? 0))).toBe(true)
    }
    expect(findings.topics[0]).toMatchObject({ name: 'orders', partitions: 2 })
    expect(findings.traffic.map((entry) => entry.to).sort()).toEqual(addresses.map((address) => `broker ${address}`).sort())
    expect(findings.traffic.every((entry) => entry.requests > 100 && entry.bytes > 1_000)).toBe(true)
    expect(findings.gaps).toHaveLength(1)
    expect(findings.gaps[0]?.reason).toContain('configuration of topic orders: no permission')
    expect(findings.gaps[0]?.mend).toContain('--operation DescribeConfigs --topic orders')
    expect(brokers.every((broker) => broker.asked.every((key) => [2, 3, 18, 32].includes(key)))).toBe(true)
  })

  test("by the brokers' own clock where the topic is LogAppendTime; compaction is said", async () => {
    const log = steadyLog(5_000)
    const { addresses } = await startCluster({
      partitions: bothHealthy,
      offset: (_node, _partition, timestamp) => log(timestamp),
      config: {
        'message.timestamp.type': 'LogAppendTime',
        'retention.ms': '3600000',
        'retention.bytes': '-1',
        'cleanup.policy': 'compact,delete',
      },
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(findings.series.filter((one) => one.clock === 'record')).toEqual([])
    expect(findings.series.filter((one) => one.signal === 'partition.log_end_offset' && one.t.length > 100)).toHaveLength(2)
    expect(findings.topics).toEqual([
      { name: 'orders', partitions: 2, replicas: { 0: [1, 2], 1: [1, 2] }, timestamp_type: 'LogAppendTime', retention_ms: 3_600_000 },
    ])
    expect(findings.events[0]?.text).toContain('compacted')
    expect(findings.gaps).toEqual([])
  })

  test('an open transaction shows as a last stable offset below the end', async () => {
    let ends = 0
    const { addresses } = await startCluster({
      partitions: () => [{ partition: 0, leader: 1 }],
      offset: (_node, _partition, timestamp) =>
        timestamp === LATEST ? { offset: ends++ === 0 ? 50 : 20 } : { offset: timestamp < 0 ? 0 : -1 },
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(50)
    expect(value(findings, 'partition.last_stable_offset', 0)).toBe(20)
    expect(findings.topics[0]?.transactional).toBe(true)
  })

  test('a very wide topic is asked for fewer points, the most telling ones, and says so', async () => {
    const log = steadyLog(5_000)
    const wide = Array.from({ length: 4_000 }, (_, partition) => ({ partition, leader: 1 }))
    const { addresses } = await startCluster({ partitions: () => wide, offset: (_node, _partition, timestamp) => log(timestamp) })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    const past = findings.series.filter((one) => one.clock === 'record')
    expect(past).toHaveLength(4_000)
    expect(past[0]?.t).toHaveLength(60)
    expect(
      findings.gaps.filter((gap) => gap.reason.includes('to spare its brokers')).map((gap) => (gap.to ?? 0) > (gap.from ?? 0)),
    ).toEqual([true, true])
  })

  test('ends with no connection open', async () => {
    const { addresses, brokers } = await startCluster({ partitions: bothHealthy, offset: () => ({ offset: 1 }) })
    await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    await expect.poll(() => brokers.map((broker) => broker.openSockets())).toEqual([0, 0])
  })

  test('second look: log ends again and complete up to, from the offsets committed', async () => {
    const log = steadyLog(5_000)
    const { addresses } = await startCluster({ partitions: bothHealthy, offset: (_node, _partition, timestamp) => log(timestamp) })
    const first = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    const askedMs = Date.now()
    const again = await kafkaPartitions.lookAgain?.(question(pipelineOn(addresses, 'orders')), {
      committed: { orders: { '0': 5_000, '1': 4_900 } },
      findings: [first],
    })
    if (again === undefined) throw new Error('no second look')
    expect(value(again, 'partition.log_end_offset', 0)).toBe(5_000)
    expect(value(again, 'partition.complete_to', 0)).toBeGreaterThanOrEqual(askedMs / 1_000)
    const behind = value(again, 'partition.complete_to', 1) ?? 0
    expect(behind * 1_000).toBeLessThanOrEqual(log(LATEST).offset === 5_000 ? (log(Date.now() - 100_000).timestamp ?? 0) + 2_000 : 0)
    expect(behind).toBeGreaterThan(askedMs / 1_000 - 102)
  })
})

test('second look: a record from the future hides the newest points here too', async () => {
  const lastMs = Date.now() - 1_000
  const FUTURE = 4_500
  const { addresses } = await startCluster({
    partitions: () => [{ partition: 0, leader: 1 }],
    offset: (_node, _partition, timestamp) => {
      if (timestamp === LATEST) return { offset: 5_000 }
      if (timestamp < 0) return { offset: 0 }
      const offset = 4_999 - Math.floor((lastMs - timestamp) / 1_000)
      return { offset: Math.max(0, Math.min(offset, FUTURE)), timestamp: offset < FUTURE ? timestamp : lastMs + 3_000_000 }
    },
  })
  const first = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
  const again = await kafkaPartitions.lookAgain?.(question(pipelineOn(addresses, 'orders')), {
    committed: { orders: { '0': 4_700 } },
    findings: [first],
  })
  const newest = again?.series.find((one) => one.clock === 'record')
  expect(newest?.v).toEqual(newest?.t.map(() => null))
  expect(first.events[0]?.text).toContain('stamped in the future')
  expect(again?.gaps.find((gap) => gap.signal === 'partition.complete_to')?.reason).toContain('stamped in the future has been read')
})

describe('what is on the move is asked again', () => {
  test('a leader that moved: Metadata anew, then the new leader', async () => {
    let looks = 0
    const log = steadyLog(77)
    const { addresses } = await startCluster({
      partitions: () => [{ partition: 0, leader: looks++ === 0 ? 1 : 2 }],
      offset: (node, _partition, timestamp) => (node === 2 ? log(timestamp) : { offset: -1, error: 6 }),
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(77)
    expect(findings.gaps.filter((gap) => gap.signal === 'partition.log_end_offset')).toEqual([])
  })

  test('a code that stays becomes a gap, and the offset of -1 beside it is never used', async () => {
    const { addresses } = await startCluster({
      partitions: bothHealthy,
      offset: (node) => (node === 1 ? { offset: 5 } : { offset: -1, error: 78 }),
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(5)
    expect(value(findings, 'partition.log_end_offset', 1)).toBeUndefined()
    expect(findings.gaps.find((gap) => gap.signal === 'partition.log_end_offset')?.reason).toContain(
      'partition 1 of orders: the new leader is not ready',
    )
  })

  test('a log start that is not read costs no history', async () => {
    const log = steadyLog(5_000)
    const EARLIEST = -2
    const { addresses } = await startCluster({
      partitions: () => [
        { partition: 0, leader: 1 },
        { partition: 1, leader: 2 },
      ],
      offset: (node, _partition, timestamp) => {
        if (timestamp === EARLIEST) return { offset: -1, error: 78 }
        return node === 2 && timestamp >= 0 ? { offset: -1 } : log(timestamp)
      },
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    const past = findings.series.filter((one) => one.clock === 'record')
    expect(past.map((one) => one.entity.partition)).toEqual([0])
    expect(past[0]?.t.length).toBeGreaterThanOrEqual(113)
    const said = findings.gaps.filter((gap) => gap.signal?.startsWith('partition.log_'))
    expect(said.map((gap) => gap.signal)).toEqual(['partition.log_start_offset', 'partition.log_end_offset'])
    expect(said[1]?.reason).toContain('partition 1 of orders: the log start was not read and no record is newer than the hour')
  })

  test('a row left out of an answer is not a zero', async () => {
    const { addresses } = await startCluster({
      partitions: bothHealthy,
      offset: (_node, partition) => (partition === 0 ? { offset: 5 } : null),
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(findings.gaps.find((gap) => gap.signal === 'partition.log_end_offset')?.reason).toContain('left the partition out')
  })

  test('a partition without a leader is told with the brokers that hold copies; the others are read', async () => {
    const { addresses } = await startCluster({
      partitions: () => [
        { partition: 0, leader: 1 },
        { partition: 1, leader: -1, error: 5 },
      ],
      offset: () => ({ offset: 9 }),
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(9)
    expect(value(findings, 'partition.leader', 1)).toBe(-1)
    expect(findings.gaps.filter((gap) => gap.reason.includes('partition 1'))).toHaveLength(1)
    expect(findings.gaps.find((gap) => gap.reason.includes('partition 1'))?.reason).toContain('no leader')
  })
})

describe('brokers that are ill', () => {
  test('a frozen one costs its own partitions and 2.5 s, no more', async () => {
    const { addresses, brokers } = await startCluster({
      partitions: bothHealthy,
      offset: () => ({ offset: 9 }),
      instead: (node, key) => (node === 2 && key === LIST_OFFSETS ? 'silent' : null),
    })
    const startMs = performance.now()
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(performance.now() - startMs).toBeLessThan(4_000)
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(9)
    expect(findings.gaps.find((gap) => gap.signal === 'partition.log_end_offset')?.reason).toMatch(
      /partition 1 of orders: broker .* did not answer within 2.5 s/,
    )
    await expect.poll(() => brokers.map((broker) => broker.openSockets())).toEqual([0, 0])
  })

  test('a first address that is silent or closed does not keep the next from answering', async () => {
    const silent = await startFakeBroker(() => 'silent')
    running.push(silent)
    const { addresses } = await startCluster({ partitions: bothHealthy, offset: () => ({ offset: 9 }) })
    const startMs = performance.now()
    const findings = await kafkaPartitions.collect(
      question(pipelineOn(['127.0.0.1:1', `127.0.0.1:${silent.port}`, ...addresses], 'orders')),
    )
    expect(performance.now() - startMs).toBeLessThan(2_000)
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(9)
  })

  test('a leader that is in no list of brokers, or refuses, is a gap', async () => {
    const { addresses } = await startCluster({ partitions: bothHealthy, offset: () => ({ offset: 9 }), listed: [1] })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(value(findings, 'partition.log_end_offset', 0)).toBe(9)
    expect(findings.gaps.find((gap) => gap.signal === 'partition.log_end_offset')?.reason).toContain('broker 2 is not in the cluster')
  })

  test('no broker at all', async () => {
    const findings = await kafkaPartitions.collect(question(pipelineOn(['127.0.0.1:1'], 'orders')))
    expect(findings.series).toEqual([])
    expect(findings.gaps).toEqual([
      { source: 'kafka', signal: null, reason: '127.0.0.1:1 refused the connection: no broker listens there, or it is still starting' },
    ])
  })

  test('answers that are no Kafka: a web server on the port', async () => {
    const web = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const address = web.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const findings = await kafkaPartitions.collect(question(pipelineOn([`127.0.0.1:${port}`], 'orders')))
    web.close()
    expect(findings.gaps[0]?.reason).toMatch(/is it a Kafka port|closed the connection/)
  })

  test('a cut answer is a gap with the name of the request', async () => {
    const { addresses } = await startCluster({
      partitions: bothHealthy,
      offset: () => ({ offset: 9 }),
      instead: (node, key) => (node === 2 && key === LIST_OFFSETS ? Buffer.from('0000', 'hex') : null),
    })
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders')))
    expect(findings.gaps.find((gap) => gap.signal === 'partition.log_end_offset')?.reason).toContain(
      'the answer to ListOffsets could not be read',
    )
  })
})

describe('when time runs out', () => {
  test('what was read by then counts, newest points first, and the rest is a gap with its times', async () => {
    let requests = 0
    const log = steadyLog(5_000)
    const { addresses } = await startCluster({
      partitions: () => [{ partition: 0, leader: 1 }],
      offset: (_node, _partition, timestamp) => log(timestamp),
      instead: (_node, key) => (key === LIST_OFFSETS && ++requests > 40 ? 'silent' : null),
    })
    const startMs = performance.now()
    const findings = await kafkaPartitions.collect(question(pipelineOn(addresses, 'orders'), 600))
    expect(performance.now() - startMs).toBeLessThan(1_000)
    const past = findings.series.find((one) => one.clock === 'record')
    expect(past?.t.length).toBeGreaterThan(25)
    const gaps = findings.gaps.filter((gap) => gap.reason.includes('time was up') && gap.from !== undefined)
    expect(gaps).toHaveLength(2)
    const hour = gaps.find((gap) => gap.reason.includes('this far back'))
    expect(hour?.from).toBeLessThan(Date.now() / 1_000 - 3_500)
    expect(hour?.to).toBeLessThan(Date.now() / 1_000 - 600)
  })

  test('asked after the end, it asks nobody', async () => {
    const { addresses, brokers } = await startCluster({ partitions: bothHealthy, offset: () => ({ offset: 9 }) })
    const findings = await kafkaPartitions.collect({ ...question(pipelineOn(addresses, 'orders')), signal: AbortSignal.abort() })
    expect(findings.gaps[0]?.reason).toContain('time was up')
    expect(brokers.flatMap((broker) => broker.asked)).toEqual([])
  })

  test('a process that looked at a frozen broker can end at once', async () => {
    const silent = await startFakeBroker(() => 'silent')
    running.push(silent)
    const source = join(import.meta.dirname, '../../src/sources/kafka-partitions.ts')
    const builder = join(import.meta.dirname, 'kafka-question.ts')
    const script = `
      const { kafkaPartitions } = await import(${JSON.stringify(source)})
      const { pipelineOn, question } = await import(${JSON.stringify(builder)})
      await kafkaPartitions.collect(question(pipelineOn(['127.0.0.1:${silent.port}'], 'orders'), 300))
      process.stdout.write('done ' + Date.now())
      process.on('exit', () => process.stdout.write(' exit ' + Date.now()))`
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const [, done, exit] = /done (\d+) exit (\d+)/.exec(stdout) ?? []
    expect(Number(exit) - Number(done)).toBeLessThan(200)
    expect(stderr).toBe('')
  })
})

test('without brokers it says which line is missing', () => {
  const pipeline = pipelineOn([], 'orders')
  expect(kafkaPartitions.applies(pipeline)).toBe(false)
  expect(kafkaPartitions.absent(pipeline)?.mend).toContain('brokers')
})
