import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { checkpoint } from '../../src/sources/checkpoint.ts'
import { parseOffsetsFile } from '../../src/sources/checkpoint-files.ts'
import type { Question } from '../../src/workflow/ports.ts'

const fixtures = join(import.meta.dirname, '../fixtures/checkpoint')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function empty(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-checkpoint-'))
  folders.push(folder)
  return folder
}

function recorded(): string {
  const folder = empty()
  cpSync(join(fixtures, 'kafka-to-delta'), folder, { recursive: true })
  for (const id of [77, 78, 79, 80]) {
    const told = JSON.parse(readFileSync(join(folder, 'offsets', `${id}`), 'utf8').split('\n')[1] ?? '') as { batchTimestampMs: number }
    touch(join(folder, 'offsets', `${id}`), told.batchTimestampMs + 3)
    if (id !== 80) touch(join(folder, 'commits', `${id}`), told.batchTimestampMs + 2900)
  }
  return folder
}

function touch(path: string, atMs: number): void {
  utimesSync(path, atMs / 1000, atMs / 1000)
}

const T0 = 1_796_000_000_000

/** A checkpoint of `count` batches, 4 s apart, each of 100 records of two partitions. */
function made(
  count: number,
  first = 0,
  part: { readonly skip?: readonly number[]; readonly uncommitted?: readonly number[]; readonly back?: number } = {},
): string {
  const folder = empty()
  mkdirSync(join(folder, 'offsets'))
  mkdirSync(join(folder, 'commits'))
  writeFileSync(join(folder, 'metadata'), '{"id":"q-1"}')
  for (let id = first; id < first + count; id++) {
    if (part.skip?.includes(id)) continue
    const at = T0 + id * 4000
    const end = part.back !== undefined && id >= part.back ? id * 50 - 200 : id * 50
    writeFileSync(
      join(folder, 'offsets', String(id)),
      `v1\n{"batchWatermarkMs":${id === first ? 0 : at - 5000},"batchTimestampMs":${at}}\n{"orders":{"0":${id * 50},"1":${end}}}`,
    )
    touch(join(folder, 'offsets', String(id)), at + 4)
    writeFileSync(join(folder, 'offsets', `.${id}.crc`), 'x')
    if (part.uncommitted?.includes(id)) continue
    writeFileSync(join(folder, 'commits', String(id)), 'v1\n{"nextBatchWatermarkMs":0}')
    touch(join(folder, 'commits', String(id)), at + 1000)
  }
  return folder
}

function pipelineAt(address: string | null): Pipeline {
  return {
    name: 'orders',
    topic: 'orders',
    kafka: { brokers: [], clientId: 'headwater', tls: false, sasl: null },
    spark: 'http://127.0.0.1:4040',
    query: null,
    checkpoint: address,
    eventLog: null,
    table: null,
    group: null,
    declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
    objective: { freshnessSeconds: null, lagSeconds: null },
  }
}

function question(address: string | null, part: Partial<Question> = {}): Question {
  return {
    pipeline: pipelineAt(address),
    askedAtMs: T0 + 3_600_000,
    fromMs: T0,
    toMs: T0 + 3_600_000,
    thorough: false,
    signal: AbortSignal.timeout(5000),
    progress: () => {},
    ...part,
  }
}

const look = (address: string, part: Partial<Question> = {}): Promise<Findings> => checkpoint.collect(question(address, part))

describe('a recorded checkpoint', () => {
  test('one sighting a batch: range, plan, file times, and the one in flight', async () => {
    const found = await look(recorded())
    expect(found.sightings.map((s) => s.id)).toEqual([77, 78, 79, 80])
    expect(found.sightings[3]).toEqual({
      id: 80,
      query: '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4',
      plannedAtMs: 1_796_010_588_005,
      offsetsWrittenMs: 1_796_010_588_008,
      committedMs: null,
      toOffset: { orders: expect.objectContaining({ 0: 45_340, 3: 77_748, 11: 45_331 }) },
    })
    expect(found.sightings[2]?.committedMs).toBe((found.sightings[2]?.plannedAtMs ?? 0) + 2900)
    expect(found).toMatchObject({
      reader: { kind: 'spark-structured-streaming' },
      topics: [{ name: 'orders', partitions: 12 }],
      clocks: [{ source: 'checkpoint', skew_bound_s: 2 }],
      events: [],
    })
  })

  test('the address may be a URL', async () => {
    expect((await look(pathToFileURL(recorded()).href)).sightings).toHaveLength(4)
    const hadoop = `file:${recorded()}`
    expect((await look(hadoop)).sightings).toHaveLength(4)
  })

  test('what it cost is counted', async () => {
    const [traffic] = (await look(recorded())).traffic
    expect(traffic?.requests).toBe(10)
    expect(traffic?.bytes).toBeGreaterThan(3000)
  })

  test('a second look reads the newest only', async () => {
    const again = await checkpoint.lookAgain?.(question(made(50)), { committed: null, findings: [] })
    expect(again?.sightings.map((s) => s.id)).toEqual([46, 47, 48, 49])
    expect(again?.gaps).toEqual([])
  })

  test('a second look says what it could not read', async () => {
    const folder = made(50)
    writeFileSync(join(folder, 'offsets', '48'), '')
    rmSync(join(folder, 'commits'), { recursive: true })
    writeFileSync(join(folder, 'commits'), '')
    const again = await checkpoint.lookAgain?.(question(folder), { committed: null, findings: [] })
    expect(again?.gaps.map((gap) => gap.reason)).toEqual([
      expect.stringContaining('commits/ of the checkpoint could not be listed'),
      'offsets/48 of the checkpoint could not be understood: it is empty',
    ])
  })
})

describe('offsets files', () => {
  const header = '{"batchWatermarkMs":12,"batchTimestampMs":34,"conf":{}}'
  const of = (text: string) => {
    const parsed = parseOffsetsFile(text)
    return parsed.ok ? parsed.value : parsed.why
  }
  test.each([
    [
      'two sources of a recorded query, merged by topic',
      readFileSync(join(fixtures, 'two-sources/offsets/12'), 'utf8'),
      {
        plannedAtMs: 1_796_012_098_014,
        watermarkMs: 1_796_012_073_897,
        sources: 2,
        toOffset: { orders: expect.objectContaining({ 0: 108_617, 11: 108_609 }) },
      },
    ],
    [
      'v2 names its sources',
      `v2\n${header}\n0:{"a":{"0":5}}\nmain:{"b":{"1":6}}`,
      { plannedAtMs: 34, watermarkMs: 12, sources: 2, toOffset: { a: { 0: 5 }, b: { 1: 6 } } },
    ],
    [
      'a source without data yet, and one that is not Kafka',
      `v1\n${header}\n-\n{"sourceVersion":1,"index":-1}\n42`,
      { plannedAtMs: 34, watermarkMs: 12, sources: 3, toOffset: null },
    ],
    [
      'a topic read by two sources stands at the one behind',
      `v1\n${header}\n{"a":{"0":5}}\n{"a":{"0":9,"1":2}}`,
      { plannedAtMs: 34, watermarkMs: 12, sources: 2, toOffset: { a: { 0: 5, 1: 2 } } },
    ],
    [
      'an offset that a frozen broker gave is none',
      `v1\n${header}\n{"a":{"0":-1001,"1":2}}`,
      { plannedAtMs: 34, watermarkMs: 12, sources: 1, toOffset: { a: { 1: 2 } } },
    ],
    ['empty', '', 'it is empty'],
    ['an unknown version', `v3\n${header}`, 'its format v3 is not known'],
    ['no version', header, 'it does not begin with a version'],
    ['cut in the header', 'v1\n{"batchWaterm', 'its header is not whole'],
  ])('%s', (_, text, expected) => {
    expect(of(text)).toEqual(expected)
  })
})

describe('how far back', () => {
  test('by number, not by name: 100 is after 99, and sidecars are not batches', async () => {
    expect((await look(made(30, 85))).sightings.map((s) => s.id)).toEqual(Array.from({ length: 30 }, (_, i) => 85 + i))
  })

  test('shorter than asked is a gap with its span', async () => {
    const found = await look(made(101, 200))
    expect(found.sightings).toHaveLength(101)
    expect(found.gaps).toMatchObject([
      {
        reason: 'the checkpoint keeps 101 batches; older ones are not seen',
        from: T0 / 1000,
        to: T0 / 1000 + 800,
        mend: expect.stringContaining('minBatchesToRetain'),
      },
    ])
  })

  test('from batch 0 on nothing is missing', async () => {
    expect((await look(made(20), { fromMs: T0 - 3_600_000 })).gaps).toEqual([])
  })

  test('a checkpoint that keeps more is followed back to the begin of the question', async () => {
    const found = await look(made(400), { fromMs: T0 + 200 * 4000 })
    expect(found.sightings[0]?.id).toBeLessThan(200)
    expect(found.sightings[0]?.id).toBeGreaterThan(100)
    expect(found.gaps).toEqual([])
  })
})

describe('signs of damage, in words', () => {
  const textsOf = (found: Findings) => found.events.map((event) => `${event.kind}: ${event.text}`)

  test.each([
    [
      'commits are missing',
      made.bind(null, 10, 50, { uncommitted: [57, 58, 59] }),
      'note: the checkpoint plans up to batch 59 but the newest commit is batch 56: commits are missing, or progress is tracked asynchronously',
    ],
    [
      'a hole',
      made.bind(null, 10, 50, { skip: [53, 54, 57] }),
      'note: offsets files are missing in the middle of the checkpoint: 53 to 54, 57',
    ],
    [
      'a position that was set back',
      made.bind(null, 10, 50, { back: 55 }),
      'offsets_reset: batch 55 ends 150 records before the end of batch 54 (orders partition 1): the position was set back',
    ],
    ['begun anew', made.bind(null, 10, 0), 'note: batch 0: the query began on a new checkpoint'],
  ])('%s', async (_, make, expected) => {
    expect(textsOf(await look(make()))).toContain(expected)
  })

  test('a partition that is added', async () => {
    const folder = made(3, 10)
    writeFileSync(
      join(folder, 'offsets', '13'),
      `v1\n{"batchWatermarkMs":0,"batchTimestampMs":${T0 + 52_000}}\n{"orders":{"0":700,"1":700,"2":5}}`,
    )
    const event = (await look(folder)).events.find((e) => e.kind === 'topic_changed')
    expect(event).toMatchObject({ entity: { topic: 'orders', partition: 2 }, text: 'batch 13 reads orders partition 2 for the first time' })
  })

  test('a sound checkpoint has none', async () => {
    expect((await look(made(20, 50, { uncommitted: [69] }))).events).toEqual([])
  })

  test('a copy: its file times are not those of its batches', async () => {
    const folder = made(20, 50, { uncommitted: [69] })
    for (let id = 50; id < 70; id++) touch(join(folder, 'offsets', String(id)), T0 + 9_000_000)
    const found = await look(folder)
    expect(found.gaps.map((gap) => gap.reason)).toContainEqual(expect.stringContaining('it was copied'))
    expect(found.sightings[3]).toEqual({
      id: 53,
      query: 'q-1',
      plannedAtMs: T0 + 212_000,
      toOffset: expect.anything(),
      watermarkMs: T0 + 207_000,
    })
    expect(found.sightings.at(-1)?.committedMs).toBeNull()
  })
})

describe('what cannot be read is a gap', () => {
  const only = async (address: string, part: Partial<Question> = {}) => {
    const found = await look(address, part)
    expect(found.sightings).toEqual([])
    return found.gaps.map((gap) => gap.reason)
  }

  test('no such folder', async () => {
    expect(await only('/no/such/folder')).toEqual(['there is no folder /no/such/folder on this machine'])
  })

  test('an empty folder', async () => {
    expect(await only(empty())).toEqual([expect.stringContaining('is empty')])
  })

  test('some other folder', async () => {
    expect(await only(fixtures)).toEqual([expect.stringContaining('is no checkpoint of a streaming query')])
  })

  test('a file', async () => {
    expect(await only(join(fixtures, 'kafka-to-delta/metadata'))).toEqual([
      expect.stringContaining('it is a file where a folder is expected'),
    ])
  })

  test('an object store', async () => {
    expect(await only('s3a://bucket/checkpoint')).toEqual([
      'addresses with s3a: are not supported yet, only folders that this machine can reach as files',
    ])
  })

  test('a query that has not begun', async () => {
    const folder = empty()
    mkdirSync(join(folder, 'offsets'))
    expect(await only(folder)).toEqual([expect.stringContaining('holds no batch yet')])
  })

  test.skipIf(process.getuid?.() === 0)('a folder that may not be read', async () => {
    const folder = made(3)
    chmodSync(join(folder, 'offsets'), 0)
    const found = await look(folder)
    chmodSync(join(folder, 'offsets'), 0o755)
    expect(found.gaps).toMatchObject([
      { reason: expect.stringContaining('permission denied'), mend: expect.stringContaining('read access') },
    ])
  })

  test('not configured', () => {
    expect(checkpoint.applies(pipelineAt(null))).toBe(false)
    expect(checkpoint.absent(pipelineAt(null))).toMatchObject({ mend: 'checkpoint: <the checkpointLocation of the query>' })
    expect(checkpoint.absent({ ...pipelineAt(null), spark: null, group: 'g' })).toBeNull()
  })

  test('a file that is damaged: the others are read all the same', async () => {
    const folder = made(5, 50)
    writeFileSync(join(folder, 'offsets', '52'), '')
    const found = await look(folder)
    expect(found.sightings.map((s) => s.id)).toEqual([50, 51, 53, 54])
    expect(found.gaps.map((gap) => gap.reason)).toContain('offsets/52 of the checkpoint could not be understood: it is empty')
  })

  test('files that are purged between list and read are no loss', async () => {
    const folder = made(5, 50)
    const looking = look(folder, { fromMs: T0 + 300_000 })
    rmSync(join(folder, 'offsets', '50'))
    const found = await looking
    expect(found.gaps).toEqual([])
    expect(found.sightings.at(-1)?.id).toBe(54)
  })

  test('a commit file purged below the oldest is not a batch in flight', async () => {
    const folder = made(5, 50)
    rmSync(join(folder, 'commits', '50'))
    expect((await look(folder)).sightings[0]?.committedMs).toBeUndefined()
  })

  test('no time left', async () => {
    const found = await look(made(5, 50), { signal: AbortSignal.abort() })
    expect(found.gaps).toMatchObject([{ reason: expect.stringContaining('the time for it ran out') }])
  })
})
