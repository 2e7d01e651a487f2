// Kafka in KRaft mode from jars: one combined node by default, several side by side on request.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Rig } from './layout.ts'
import { refuseTaken, waitForPort } from './ports.ts'

const run = promisify(execFile)
const LOG4J = `-Dlog4j2.configurationFile=${join(import.meta.dirname, 'app', 'log4j2.properties')}`
const SMALL = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', LOG4J]

function properties(rig: Rig, node: number): string {
  const { brokers, controllers } = rig.ports
  const copies = Math.min(3, brokers.length)
  const minimum = copies === 3 ? 2 : 1
  const listeners = `PLAINTEXT://127.0.0.1:${brokers[node - 1]}`
  const lines = {
    'process.roles': 'broker,controller',
    'node.id': node,
    'controller.quorum.voters': controllers.map((port, i) => `${i + 1}@127.0.0.1:${port}`).join(','),
    listeners: `${listeners},CONTROLLER://127.0.0.1:${controllers[node - 1]}`,
    'advertised.listeners': listeners,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(rig.dir, 'kafka', `node${node}`, 'data'),
    'default.replication.factor': copies,
    'min.insync.replicas': minimum,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': minimum,
    'transaction.state.log.num.partitions': 4,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': minimum,
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
  }
  return `${Object.entries(lines)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')}\n`
}

/** A cluster id as Kafka writes it: 16 bytes in 22 characters. */
const clusterId = (): string => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')

/** Formats and starts all nodes on empty folders; resolves when every client port is open. */
export async function startBrokers(rig: Rig): Promise<void> {
  const id = clusterId()
  const classpath = join(rig.jars.kafka, '*')
  const start = async (node: number): Promise<void> => {
    const port = rig.ports.brokers[node - 1] ?? 0
    await refuseTaken(port, 'Kafka')
    await refuseTaken(rig.ports.controllers[node - 1] ?? 0, "Kafka's controller")
    const folder = join(rig.dir, 'kafka', `node${node}`)
    mkdirSync(folder, { recursive: true })
    const config = join(folder, 'server.properties')
    writeFileSync(config, properties(rig, node))
    await run('java', [...SMALL, '-cp', classpath, 'kafka.tools.StorageTool', 'format', '-t', id, '-c', config])
    const name = `broker${node}`
    rig.processes.start(name, 'java', ['-Xms128m', '-Xmx384m', ...SMALL, '-cp', classpath, 'kafka.Kafka', config])
    await waitForPort('127.0.0.1', port, 60_000, () => rig.processes.get(name) !== undefined)
  }
  await Promise.all(rig.brokers.map((_, i) => start(i + 1)))
}
