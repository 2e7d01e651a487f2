/**
 * A calm pipeline without Spark: records on real brokers, and beside them the checkpoint and the Delta log that a healthy query would
 * write, both real files that go on growing. What is ill in a test is then the only thing that is.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kafka, Producer } from 'kafkajs'

const TRIGGER_MS = 5_000
const RECORDS_PER_S = 4
const HISTORY_MS = 20 * 60_000
/** Spark keeps 100 and the one before. */
const KEPT = 101
const QUERY = '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4'
const STEP_MS = 500
/** From the trigger to the data commit, and to the commit file of the batch. */
const TABLE_MS = 900
const BATCH_MS = 1_000

export interface CalmPipeline {
  readonly checkpoint: string
  readonly table: string
  readonly stop: () => Promise<void>
}

/** Fills topic, checkpoint and table with 20 calm minutes and goes on from there, a batch every 5 s. The topic exists. */
export async function startCalmPipeline(client: Kafka, topic: string, partitions: number, folder: string): Promise<CalmPipeline> {
  const files = openFiles(folder, topic)
  const nowMs = Date.now()
  const beginMs = nowMs - HISTORY_MS
  const stamps = Array.from({ length: (HISTORY_MS / 1000) * RECORDS_PER_S }, (_, i) => Math.floor(beginMs + (i * 1000) / RECORDS_PER_S))
  // Idempotent, because leaders of a fresh topic may not be ready: a batch sent again must not be stored again.
  const first = client.producer({ idempotent: true, maxInFlightRequests: 1, retry: { retries: 12, initialRetryTime: 200 } })
  await first.connect()
  for (let partition = 0; partition < partitions; partition += 1) await send(first, topic, partition, stamps)
  await first.disconnect()
  const producer = client.producer({ retry: { retries: 0 } })
  await producer.connect()

  const firstMs = Math.ceil((nowMs - KEPT * TRIGGER_MS) / TRIGGER_MS) * TRIGGER_MS
  let id = 139
  let nextMs = firstMs
  for (; nextMs + BATCH_MS < nowMs; nextMs += TRIGGER_MS, id += 1) {
    const count = stamps.findIndex((stamp) => stamp >= nextMs)
    files.plan(id, nextMs, new Array<number>(partitions).fill(count < 0 ? stamps.length : count))
    files.commit(id, nextMs)
  }

  const acknowledged = new Array<number>(partitions).fill(stamps.length)
  const unanswered = new Set<number>()
  let sentMs = nowMs
  let open: { readonly id: number; readonly atMs: number } | null = null
  const timer = setInterval(() => {
    const due = Math.floor(((Date.now() - sentMs) / 1000) * RECORDS_PER_S)
    const some = Array.from({ length: due }, (_, i) => Math.floor(sentMs + ((i + 1) * 1000) / RECORDS_PER_S))
    sentMs = some.at(-1) ?? sentMs
    for (let partition = 0; partition < partitions && due > 0; partition += 1) {
      // Behind a broker that does not answer nothing piles up: each partition waits for itself alone.
      if (unanswered.has(partition)) continue
      unanswered.add(partition)
      void send(producer, topic, partition, some)
        .then(
          () => (acknowledged[partition] = (acknowledged[partition] ?? 0) + due),
          () => undefined,
        )
        .finally(() => unanswered.delete(partition))
    }
    if (open !== null && Date.now() >= open.atMs + BATCH_MS) {
      files.commit(open.id, open.atMs)
      open = null
    }
    if (open === null && Date.now() >= nextMs) {
      open = { id, atMs: nextMs }
      files.plan(id, nextMs, acknowledged)
      id += 1
      nextMs = Math.ceil((Date.now() + 1) / TRIGGER_MS) * TRIGGER_MS
    }
  }, STEP_MS)
  return {
    checkpoint: files.checkpoint,
    table: files.table,
    async stop() {
      clearInterval(timer)
      await producer.disconnect().catch(() => undefined)
    },
  }
}

async function send(producer: Producer, topic: string, partition: number, stamps: readonly number[]): Promise<void> {
  const messages = stamps.map((stamp) => ({ partition, timestamp: `${stamp}`, value: 'x' }))
  await producer.send({ topic, messages })
}

interface Files {
  readonly checkpoint: string
  readonly table: string
  readonly plan: (id: number, atMs: number, ends: readonly number[]) => void
  readonly commit: (id: number, atMs: number) => void
}

/** Files as Spark 4.1 and Delta 4.4 write them, with the times at which they would. */
function openFiles(folder: string, topic: string): Files {
  const [checkpoint, table] = [join(folder, 'checkpoint'), join(folder, 'table')]
  for (const path of [join(checkpoint, 'offsets'), join(checkpoint, 'commits'), join(table, '_delta_log')])
    mkdirSync(path, { recursive: true })
  writeFileSync(join(checkpoint, 'metadata'), JSON.stringify({ id: QUERY }))
  let version = 0
  let rows = 0
  let before = 0
  return {
    checkpoint,
    table,
    plan(id, atMs, ends) {
      const header = JSON.stringify({ batchWatermarkMs: 0, batchTimestampMs: atMs + 8, conf: {} })
      write(join(checkpoint, 'offsets', `${id}`), `v1\n${header}\n${JSON.stringify({ [topic]: { ...ends } })}`, atMs + 20)
      const sum = ends.reduce((all, end) => all + end, 0)
      rows = before === 0 ? 0 : sum - before
      before = sum
    },
    commit(id, atMs) {
      write(join(checkpoint, 'commits', `${id}`), 'v1\n{"nextBatchWatermarkMs":0}', atMs + BATCH_MS)
      const name = `${version}`.padStart(20, '0')
      write(join(table, '_delta_log', `${name}.json`), commitText(id, version, rows, atMs + TABLE_MS), atMs + TABLE_MS)
      version += 1
    },
  }
}

function commitText(batch: number, version: number, rows: number, atMs: number): string {
  const commitInfo = {
    timestamp: atMs,
    operation: 'STREAMING UPDATE',
    operationParameters: { outputMode: 'Append', queryId: QUERY, epochId: `${batch}` },
    operationMetrics: { numRemovedFiles: '0', numAddedFiles: '1', numOutputRows: `${rows}`, numOutputBytes: '6823' },
    engineInfo: 'Apache-Spark/4.1.1 Delta-Lake/4.4.0',
  }
  const table = [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    { metaData: { id: QUERY, format: { provider: 'parquet', options: {} }, schemaString: '{}', partitionColumns: [], configuration: {} } },
  ]
  const add = { path: `part-${version}.parquet`, partitionValues: {}, size: 6823, modificationTime: atMs, dataChange: true }
  const actions = [
    { commitInfo },
    ...(version === 0 ? table : []),
    { txn: { appId: QUERY, version: batch, lastUpdated: atMs } },
    { add: { ...add, stats: JSON.stringify({ numRecords: rows }) } },
  ]
  return `${actions.map((action) => JSON.stringify(action)).join('\n')}\n`
}

function write(path: string, text: string, atMs: number): void {
  writeFileSync(path, text)
  utimesSync(path, atMs / 1000, atMs / 1000)
}
