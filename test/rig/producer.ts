// producer.ts BROKERS TOPIC CONTROL LOG: the producer of the rig, a process of its own. It follows the
// control file within 0.1 s and keeps the produce log. Partitions are chosen here, explicitly: skew is a knob.
import { statSync } from 'node:fs'
import type { Message } from 'kafkajs'
import { kafkaClient } from './kafka.ts'
import { ProduceLog } from './produce-log.ts'
import type { Backdate, ProducerControl } from './producer-control.ts'
import { METADATA_AGE_MS, partitionRates, readProducerControl } from './producer-control.ts'

const TICK_MS = 50
/** After a stall (broker frozen) at most this much is made up for: a real client's buffer is bounded too. */
const BUFFER_SECONDS = 10
const CHUNK = 1000
const PADDING = 'x'.repeat(100)

const [brokers = '', topic = '', controlFile = '', logFile = ''] = process.argv.slice(2)
const producer = kafkaClient(brokers.split(','), 'orders-producer').producer({
  allowAutoTopicCreation: false,
  metadataMaxAge: METADATA_AGE_MS,
  // a retry after a lost answer would store a record twice and make the log inexact
  retry: { retries: 0 },
})
const log = new ProduceLog(logFile)
/** Records that each partition has not got yet. */
const owed: number[] = []
let sequence = 0
let doneBackdate = ''
let ending = false

interface Due extends Message {
  readonly partition: number
  readonly atMs: number
}

function record(partition: number, atMs: number): Due {
  sequence++
  const value = `{"n":${sequence},"at":${atMs},"pad":"${PADDING}"}`
  return { partition, atMs, timestamp: `${atMs}`, key: `${sequence % 997}`, value }
}

async function send(due: readonly Due[]): Promise<void> {
  for (let from = 0; from < due.length; from += CHUNK) {
    const chunk = due.slice(from, from + CHUNK)
    const second = Math.floor(Date.now() / 1000)
    let failed = false
    try {
      await producer.send({ topic, acks: 1, messages: chunk })
    } catch (error) {
      failed = true
      console.error(new Date().toISOString(), `send failed: ${error}`)
    }
    for (const one of chunk) log.count(second, Math.floor(one.atMs / 1000), one.partition, 1, failed)
  }
}

/** Records of the past `minutes`, spread evenly and in order of time, as a buffer that is emptied at last. */
function buffered(upload: Backdate): Due[] {
  const nowMs = Date.now()
  const stepMs = (upload.minutes * 60_000) / upload.recordsPerPartition
  const due: Due[] = []
  for (let i = 0; i < upload.recordsPerPartition; i++) {
    const atMs = Math.floor(nowMs - upload.minutes * 60_000 + i * stepMs)
    for (const partition of upload.partitions) due.push(record(partition, atMs))
  }
  return due
}

function whatIsDue(control: ProducerControl, seconds: number): Due[] {
  const nowMs = Date.now()
  const due: Due[] = []
  partitionRates(control).forEach((rate, partition) => {
    // arrivals jitter by about a tenth, as real ones do
    const jitter = 0.9 + 0.2 * Math.random()
    owed[partition] = rate === 0 ? 0 : Math.min((owed[partition] ?? 0) + rate * seconds * jitter, rate * BUFFER_SECONDS)
    while ((owed[partition] ?? 0) >= 1) {
      owed[partition] = (owed[partition] ?? 0) - 1
      due.push(record(partition, nowMs))
    }
  })
  return due
}

async function run(): Promise<void> {
  await producer.connect()
  console.log(new Date().toISOString(), `producing to ${topic}`)
  let control = readProducerControl(controlFile)
  let changedMs = 0
  let lastMs = Date.now()
  while (!ending) {
    const nowMs = Date.now()
    const { mtimeMs } = statSync(controlFile)
    if (mtimeMs !== changedMs) {
      changedMs = mtimeMs
      control = readProducerControl(controlFile)
    }
    await send(whatIsDue(control, (nowMs - lastMs) / 1000))
    lastMs = nowMs
    const upload = control.backdate
    if (upload !== undefined && upload.id !== doneBackdate) {
      doneBackdate = upload.id
      await send(buffered(upload))
      console.log(new Date().toISOString(), `sent back-dated records ${upload.id}`)
    }
    log.flush(Math.floor(nowMs / 1000))
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, TICK_MS - (Date.now() - nowMs))))
  }
  log.flush()
  await producer.disconnect()
}

for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => (ending = true))
await run()
