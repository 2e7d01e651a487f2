/** 60 minutes × 100 partitions of intake from a broker that nobody watched, against the producer's own log. */
import { join } from 'node:path'
import type { Findings } from '../../src/incident/findings.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import { startBrokers } from '../rig/broker.ts'
import { kafkaJars } from '../rig/jars.ts'
import { kafkaClient, withAdmin } from '../rig/kafka.ts'
import type { Rig } from '../rig/layout.ts'
import { CACHE, createRig, REPOSITORY } from '../rig/layout.ts'
import { holdRig } from '../rig/lock.ts'
import { choosePorts } from '../rig/ports.ts'
import { processStat } from '../rig/proc.ts'
import { takeDown } from '../rig/up-down.ts'
import { pipelineOn, question } from '../sources/kafka-question.ts'
import { ended } from './ended.ts'
import { figure, title } from './figures.ts'

const PARTITIONS = 100
const ROUNDS = 7
const TOPIC = 'history'
const MINUTE_MS = 60_000
/** Our own folder: a run that was killed left its broker here, and the next one ends it. */
const DIR = join(REPOSITORY, '.rig', 'bench-history')
const LIMIT_MS = 10 * MINUTE_MS

export async function benchHistory(): Promise<void> {
  title(`history: 60 min × ${PARTITIONS} partitions, asked of a broker that nobody watched`)
  holdRig(DIR, 'bench')
  await ended(LIMIT_MS, fromEmpty, clear)
}

const clear = (): Promise<void> => takeDown(DIR, () => {})

async function fromEmpty(): Promise<void> {
  await clear()
  const rig = createRig(DIR, await choosePorts(1, 0), { kafka: await kafkaJars(CACHE), sparkHome: '', app: '' })
  await startBrokers(rig)
  await measure(rig, await fill(rig))
}

/** Uneven intake over 65 minutes. @returns stamps of every record by partition: the truth */
async function fill(rig: Rig): Promise<number[][]> {
  const topics = [{ topic: TOPIC, numPartitions: PARTITIONS, replicationFactor: 1 }]
  await withAdmin(rig.brokers, (admin) => admin.createTopics({ topics, waitForLeaders: true }))
  const nowMs = Date.now()
  const stamps = Array.from({ length: PARTITIONS }, (_, partition) => {
    const ages = Array.from({ length: 60 + ((partition * 37) % 120) }, () => Math.floor(Math.random() ** 2 * 65 * MINUTE_MS))
    return ages.map((age) => nowMs - age).sort((a, b) => a - b)
  })
  const retry = { retries: 12, initialRetryTime: 200 }
  const producer = kafkaClient(rig.brokers, 'bench').producer({ idempotent: true, maxInFlightRequests: 1, retry })
  await producer.connect()
  const messages = stamps.flatMap((some, partition) => some.map((stamp) => ({ partition, timestamp: `${stamp}`, value: 'x' })))
  await producer.send({ topic: TOPIC, messages })
  await producer.disconnect()
  return stamps
}

async function measure(rig: Rig, stamps: readonly (readonly number[])[]): Promise<void> {
  const broker = rig.processes.get('broker1')?.pid ?? 0
  const ticks = (): number => processStat(broker)?.cpuTicks ?? 0
  const [seconds, ours, theirs, requests, bytes]: number[][] = [[], [], [], [], []]
  let findings: Findings | null = null
  for (let round = 0; round < ROUNDS; round += 1) {
    const [startMs, cpu, before] = [performance.now(), process.cpuUsage(), ticks()]
    findings = await kafkaPartitions.collect(question(pipelineOn(rig.brokers, TOPIC), 10_000))
    seconds?.push((performance.now() - startMs) / 1000)
    const { user, system } = process.cpuUsage(cpu)
    ours?.push((user + system) / 1e6)
    theirs?.push((ticks() - before) / 100)
    requests?.push(findings.traffic.reduce((sum, one) => sum + one.requests, 0))
    bytes?.push(findings.traffic.reduce((sum, one) => sum + one.bytes, 0) / 1024)
  }
  figure('seconds', seconds ?? [], 's', '≤ 1.5 s')
  figure('our CPU', ours ?? [], 's')
  figure("the broker's CPU", theirs ?? [], 's')
  figure('requests', requests ?? [], '')
  figure('both ways', bytes ?? [], 'KiB')
  const { right, all } = exactMinutes(findings, stamps)
  console.log(`  minutes exact against the produce log: ${right} of ${all}; gaps: ${findings?.gaps.length ?? 0}`)
}

function exactMinutes(findings: Findings | null, stamps: readonly (readonly number[])[]): { right: number; all: number } {
  let [right, all] = [0, 0]
  for (const { entity, clock, t, v } of findings?.series ?? []) {
    if (clock !== 'record') continue
    const truth = stamps[entity.partition ?? -1] ?? []
    for (const [i, at] of t.entries()) {
      if (at % 60 !== 0) continue
      all += 1
      if (v[i] === truth.filter((stamp) => stamp < at * 1000).length) right += 1
    }
  }
  return { right, all }
}
