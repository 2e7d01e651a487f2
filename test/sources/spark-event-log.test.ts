import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { LineSieve, unzstd } from '../../src/sources/event-log-bytes.ts'
import { parseStreamingLine } from '../../src/sources/event-log-progress.ts'
import type { Folder } from '../../src/sources/folder.ts'
import { sources } from '../../src/sources/index.ts'
import { eventLog, logFiles } from '../../src/sources/spark-event-log.ts'
import { joinBatches } from '../../src/timeline/batches.ts'
import type { Question } from '../../src/workflow/ports.ts'
import { pipelineAt } from '../fixtures/spark/question.ts'

const excerpt = readFileSync(join(import.meta.dirname, '../fixtures/event-log/excerpt.ndjson'), 'utf8')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = mkdtempSync(join(tmpdir(), 'headwater-event-log-'))
  folders.push(root)
  for (const [i, [name, content]] of Object.entries(files).entries()) {
    const path = join(root, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, 1000 + i, 1000 + i)
  }
  return root
}

const FROM = Date.parse('2026-11-30T03:00:00Z')

function look(address: string, query: string | null = null): Promise<Findings> {
  const pipeline = {
    name: 'orders',
    topic: 'orders',
    kafka: { brokers: [], clientId: 'headwater', tls: false, sasl: null },
    spark: null,
    query,
    checkpoint: null,
    eventLog: address,
    table: null,
    group: null,
    declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
    objective: { freshnessSeconds: null, lagSeconds: null },
  }
  const question: Question = {
    pipeline,
    askedAtMs: FROM + 3_600_000,
    fromMs: FROM,
    toMs: FROM + 3_600_000,
    thorough: false,
    signal: AbortSignal.timeout(5000),
    progress: () => {},
  }
  return eventLog.collect(question)
}

/** A frame at every flush, as Spark writes it; `every` lines a flush. */
function frames(text: string, every = 1): Buffer {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
  const parts: Buffer[] = []
  for (let i = 0; i < lines.length; i += every) parts.push(zstdCompressSync(lines.slice(i, i + every).join('')))
  return Buffer.concat(parts)
}

const ids = (found: Findings): number[] => found.sightings.map((sighting) => sighting.id)

describe('a progress event', () => {
  test('as Spark 4.1 wrote it: start, phases, rows and offsets', async () => {
    const found = await look(join(folder({ log: excerpt }), 'log'))
    expect(found.sightings[0]).toEqual({
      id: 0,
      query: '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4',
      run: '1ff47fce-6721-4467-a71b-2c02e0dcac92',
      triggerStartMs: Date.parse('2026-11-30T03:40:50.158Z'),
      phasesMs: {
        triggerExecution: 23_202,
        queryPlanning: 849,
        getBatch: 40,
        commitOffsets: 283,
        latestOffset: 1444,
        addBatch: 20_540,
        walCommit: 16,
      },
      toOffset: { orders: expect.objectContaining({ 0: 13_341, 11: 13_340 }) },
      rows: 25,
    })
    expect(found.reader).toEqual({ kind: 'spark-structured-streaming', query: 'orders' })
    expect(found.events).toMatchObject([{ kind: 'app_started', at: Date.parse('2026-11-30T03:40:49.840Z') / 1000 }])
  })

  test('alone it makes whole batches', async () => {
    const found = await look(join(folder({ log: excerpt }), 'log'))
    const batches = joinBatches(found.sightings, { zeroS: FROM / 1000, askedAtMs: FROM + 3_600_000 })
    expect(batches).toHaveLength(6)
    expect(batches[1]).toMatchObject({ id: 1, rows: 13_127, from_offset: { orders: { 0: 13_341 } } })
    expect(batches[1]?.duration_ms?.addBatch).toBeGreaterThan(20_000)
  })

  const line = (progress: object) =>
    JSON.stringify({
      Event: 'org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent',
      progress: {
        id: 'q',
        runId: 'r',
        name: null,
        timestamp: '2026-11-30T03:00:00.000Z',
        batchId: 4,
        durationMs: { triggerExecution: 9, addBatch: 5 },
        sources: [],
        stateOperators: [],
        ...progress,
      },
    })

  test('state and late rows add up over operators; a watermark of 1970 is none', () => {
    const operators = [
      { numRowsTotal: 5, memoryUsedBytes: 100, numRowsDroppedByWatermark: 1 },
      { numRowsTotal: 7, memoryUsedBytes: 50, numRowsDroppedByWatermark: 2 },
    ]
    const sighting = parseStreamingLine(line({ stateOperators: operators, eventTime: { watermark: '1970-01-01T00:00:00.000Z' } }))?.sighting
    expect(sighting).toMatchObject({ stateRows: 12, stateBytes: 150, lateRows: 3 })
    expect(sighting?.watermarkMs).toBeUndefined()
    expect(parseStreamingLine(line({ eventTime: { watermark: '2026-11-30T02:59:00.000Z' } }))?.sighting?.watermarkMs).toBe(
      Date.parse('2026-11-30T02:59:00Z'),
    )
  })

  test('an idle trigger is no batch, a rate that is text is no number', () => {
    expect(parseStreamingLine(line({ durationMs: { latestOffset: 3, triggerExecution: 3 } }))?.sighting).toBeUndefined()
    expect(parseStreamingLine(line({ sources: [{ numInputRows: 'NaN' }] }))?.sighting?.rows).toBeUndefined()
  })

  test('a query that ended by an exception', async () => {
    const end = JSON.stringify({
      Event: 'org.apache.spark.sql.streaming.StreamingQueryListener$QueryTerminatedEvent',
      id: '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4',
      runId: 'r',
      exception: 'SparkException: Job aborted\n\tat x',
    })
    const found = await look(join(folder({ log: `${excerpt}${end}\n` }), 'log'))
    expect(found.events.at(-1)).toMatchObject({ kind: 'app_failed', text: 'query ended: SparkException: Job aborted' })
    expect(found.events.at(-1)?.at).toBeGreaterThan(Date.parse('2026-11-30T03:40:50Z') / 1000)
  })
})

describe('the file', () => {
  test.each<[string, Record<string, string | Buffer>]>([
    ['plain, being written', { 'app-1.inprogress': `${excerpt}{"Event":"org.apache.spark.sql.streaming.StreamingQueryListener$QueryProg` }],
    ['zstd, a frame a line', { 'app-1.zstd': frames(excerpt) }],
    ['zstd, frames of three lines', { 'app-1.zstd.inprogress': frames(excerpt, 3) }],
    ['zstd, one frame', { 'app-1.zst': zstdCompressSync(excerpt) }],
    ['the newest of several', { 'app-0': 'x\n', 'app-1': excerpt }],
    [
      'rolled',
      {
        'eventlog_v2_app-1/events_1_app-1.zstd': frames(excerpt.slice(0, excerpt.length / 2)),
        'eventlog_v2_app-1/events_2_app-1.zstd': frames(excerpt.slice(excerpt.length / 2)),
        'eventlog_v2_app-1/appstatus_app-1.inprogress': '',
      },
    ],
  ])('%s', async (name, files) => {
    const found = await look(folder(files))
    // The cut of the rolled files goes through one line.
    expect(ids(found).length).toBeGreaterThanOrEqual(name === 'rolled' ? 5 : 6)
    expect(found.gaps).toEqual([])
  })

  test.each<[string, string | RegExp, Record<string, string>, string | null]>([
    ['a folder without logs', /holds no event log/, {}, null],
    ['a codec that Node does not have', /compressed with lz4/, { 'app-1.lz4': 'x' }, null],
    ['no streaming query in it', /tells of no streaming query/, { 'app-1': '{"Event":"SparkListenerLogStart"}\n' }, null],
    ['another query', /none is named payments/, { 'app-1': excerpt }, 'payments'],
  ])('%s is a gap', async (_, expected, files, query) => {
    const found = await look(folder(files), query)
    expect(found.sightings).toEqual([])
    expect(found.gaps.map((gap) => gap.reason).join('; ')).toMatch(expected)
  })

  test('no such file, and an object store', async () => {
    expect((await look('/no/such/log')).gaps[0]?.reason).toContain('there is no such file or folder')
    expect((await look('s3a://b/logs')).gaps[0]?.reason).toContain('not supported yet')
  })
})

test('a folder whose files do not answer in time is not called empty', async () => {
  const stopped = { ok: false, failure: { kind: 'stopped', why: 'the time for it ran out' } } as const
  const slow: Folder = {
    address: '/mnt/logs',
    names: () => Promise.resolve({ ok: true, value: ['app-0', 'app-1'] }),
    modified: () => Promise.resolve(stopped),
    read: () => Promise.resolve(stopped),
    part: () => Promise.resolve(stopped),
    traffic: () => ({ to: 'files', requests: 0, bytes: 0 }),
  }
  expect(await logFiles(slow, AbortSignal.abort())).toBe(
    'the files of the event log /mnt/logs could not all be looked at: the time for it ran out',
  )
})

describe('zstd', () => {
  const all = async (bytes: Buffer) => {
    const parts: Buffer[] = []
    for await (const part of unzstd(bytes)) parts.push(part)
    return Buffer.concat(parts).toString()
  }
  const text = Array.from({ length: 3000 }, (_, i) => `line ${i} ${(i * 7919) % 104_729}\n`).join('')

  test('every frame, not the first only', async () => {
    expect(await all(frames(text, 10))).toBe(text)
  })

  test('an end that is not whole still gives what it holds', async () => {
    const bytes = frames(text, 1000)
    const cut = await all(bytes.subarray(0, bytes.length - 20))
    expect(text.startsWith(cut.slice(0, 1000))).toBe(true)
    expect(cut.length).toBeGreaterThanOrEqual(text.indexOf('line 2000'))
  })

  test('a begin inside a frame is skipped', async () => {
    const bytes = frames(text, 100)
    const tail = await all(bytes.subarray(37))
    expect(tail.length).toBeGreaterThan(0)
    expect(text.endsWith(tail)).toBe(true)
  })

  test('what is no zstd gives nothing', async () => {
    expect(await all(Buffer.from('plain text'))).toBe('')
  })
})

test('the sieve finds a line that came in pieces, and needs the word near its begin', () => {
  const sieve = new LineSieve('wanted', 10)
  const lines = [
    ...sieve.push(Buffer.from('a\nxx wan')),
    ...sieve.push(Buffer.from('ted yes\nfar away is wanted\n')),
    ...sieve.push(Buffer.from('wanted but open')),
  ]
  expect(lines).toEqual(['xx wanted yes'])
})

test('it is looked at where it is configured, and missed by nobody where it is not', () => {
  const at = (address: string | null) => ({ ...pipelineAt(null), eventLog: address })
  expect(sources.filter((source) => source.applies(at('/data/spark-events'))).map((source) => source.name)).toContain(eventLog.name)
  expect([eventLog.applies(at(null)), eventLog.absent(at(null))]).toEqual([false, null])
})
