import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { delta } from '../../src/sources/delta.ts'
import { parseDeltaCommit } from '../../src/sources/delta-actions.ts'
import type { Question } from '../../src/workflow/ports.ts'

const fixtures = join(import.meta.dirname, '../fixtures/delta')
const streaming = readFileSync(join(fixtures, 'streaming-update-79.json'), 'utf8')
const foreachBatch = readFileSync(join(fixtures, 'foreach-batch.json'), 'utf8')
const QUERY = '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4'
const T0 = 1_796_010_000_000
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A table whose versions hold these texts, 4 s apart by file time. */
function table(texts: Readonly<Record<number, string>>, last?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-delta-'))
  folders.push(folder)
  mkdirSync(join(folder, '_delta_log'))
  for (const [version, text] of Object.entries(texts)) {
    const path = join(folder, '_delta_log', `${version.padStart(20, '0')}.json`)
    writeFileSync(path, text)
    utimesSync(path, (T0 + Number(version) * 4000) / 1000, (T0 + Number(version) * 4000) / 1000)
  }
  if (last !== undefined) writeFileSync(join(folder, '_delta_log', '_last_checkpoint'), last)
  return folder
}

interface Made {
  readonly operation?: string
  readonly batch?: number
  readonly query?: string
  readonly adds?: number
  readonly dataChange?: boolean
  readonly extra?: readonly object[]
  readonly info?: object
}

function commit(version: number, made: Made = {}): string {
  const lines: object[] = [
    {
      commitInfo: {
        timestamp: T0 + version * 4000,
        operation: made.operation ?? 'STREAMING UPDATE',
        operationParameters: {},
        ...made.info,
      },
    },
  ]
  if (made.batch !== undefined) lines.push({ txn: { appId: made.query ?? QUERY, version: made.batch } })
  for (let i = 0; i < (made.adds ?? 1); i++)
    lines.push({ add: { path: `part-${i}`, size: 100, dataChange: made.dataChange ?? true, stats: '{"numRecords":7}' } })
  return [...lines, ...(made.extra ?? [])].map((line) => JSON.stringify(line)).join('\n')
}

const commits = (from: number, to: number): Record<number, string> =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, i) => [from + i, commit(from + i, { batch: from + i })]))

function question(address: string | null, checkpoint: string | null = null, part: Partial<Question> = {}): Question {
  const pipeline: Pipeline = {
    name: 'orders',
    topic: 'orders',
    kafka: { brokers: [], clientId: 'headwater', tls: false, sasl: null },
    spark: 'http://127.0.0.1:4040',
    query: null,
    checkpoint,
    eventLog: null,
    table: address,
    group: null,
    declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
    objective: { freshnessSeconds: null, lagSeconds: null },
  }
  return {
    pipeline,
    askedAtMs: T0 + 600_000,
    fromMs: T0,
    toMs: T0 + 600_000,
    thorough: false,
    signal: AbortSignal.timeout(5000),
    progress: () => {},
    ...part,
  }
}

function checkpointOf(query: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-delta-'))
  folders.push(folder)
  writeFileSync(join(folder, 'metadata'), JSON.stringify({ id: query }))
  return folder
}

const look = (address: string, checkpoint?: string | null, part?: Partial<Question>): Promise<Findings> =>
  delta.collect(question(address, checkpoint, part))
const reasons = (found: Findings): string[] => found.gaps.map((gap) => gap.reason)

describe('a commit', () => {
  test('as Delta 4.4 wrote it for a batch (its first files)', async () => {
    const found = await look(table({ 0: commit(0, { batch: 0 }), 1: streaming }), checkpointOf(QUERY))
    expect(found.commits[1]).toEqual({
      version: 1,
      at: (T0 + 4000) / 1000,
      kind: 'data',
      files_added: 3,
      bytes_added: 20_397,
      rows: 2400,
      batch_id: 79,
      max_event_time: 1_796_010_583.984,
      min_event_time: 1_796_010_579.997,
    })
    expect(found.sink).toMatchObject({ kind: 'delta' })
    expect(found.events).toMatchObject([{ kind: 'note', text: 'event times of the table are those of its column et' }])
  })

  test('from foreachBatch it carries no batch, and that is said', async () => {
    const found = await look(table({ 0: foreachBatch }))
    expect(found.commits[0]).toMatchObject({ kind: 'data', files_added: 2, rows: 6262, batch_id: null })
    expect(found.gaps).toMatchObject([{ signal: 'commit_version', reason: expect.stringContaining('foreachBatch') }])
  })

  test.each<[string, Made, string]>([
    ['new files', {}, 'data'],
    ['rewritten files', { operation: 'OPTIMIZE', dataChange: false }, 'optimize'],
    ['rewritten files of another name', { operation: 'AUTO COMPACTION', dataChange: false }, 'optimize'],
    ['no files', { adds: 0 }, 'other'],
    ['properties', { operation: 'SET TBLPROPERTIES', adds: 0, extra: [{ metaData: {} }] }, 'other'],
  ])('%s', async (_, made, kind) => {
    expect((await look(table({ 0: commit(0, made) }))).commits[0]?.kind).toBe(kind)
  })

  test('in-commit time is believed before the file’s time', async () => {
    expect((await look(table({ 0: commit(0, { info: { inCommitTimestamp: T0 + 77 } }) }))).commits[0]?.at).toBe((T0 + 77) / 1000)
  })

  test('a copied log stands at its writer’s time', async () => {
    const folder = table(commits(0, 5))
    for (let v = 0; v <= 5; v++)
      utimesSync(join(folder, '_delta_log', `${String(v).padStart(20, '0')}.json`), T0 / 1000 + 9e6, T0 / 1000 + 9e6)
    const found = await look(folder)
    expect(found.commits.map((c) => c.at - T0 / 1000)).toEqual([0, 4, 8, 12, 16, 20])
    expect(reasons(found)).toEqual([expect.stringContaining('it was copied')])
  })

  test('a part of a file: counts come from commitInfo, the broken last line is no damage', () => {
    const cut = parseDeltaCommit(streaming.slice(0, 1300), true)
    expect(cut).toMatchObject({ brokenLines: 0, cut: true, metrics: { files: 12, rows: 2400, bytes: 81_501 } })
  })
})

describe('whose batch', () => {
  const both = { 0: commit(0, { batch: 5, query: 'mine' }), 1: commit(1, { batch: 9, query: 'other' }) }

  test('the checkpoint names the query', async () => {
    expect((await look(table(both), checkpointOf('mine'))).commits.map((c) => c.batch_id)).toEqual([5, null])
  })

  test('without a checkpoint a single writer leaves no doubt, two leave it open', async () => {
    expect((await look(table(commits(0, 1)))).commits.map((c) => c.batch_id)).toEqual([0, 1])
    const found = await look(table(both))
    expect(found.commits.map((c) => c.batch_id)).toEqual([null, null])
    expect(reasons(found)).toEqual(['2 streaming queries write into the table and none is known to be meant'])
  })

  test('a table that the query does not write', async () => {
    expect(reasons(await look(table(both), checkpointOf('third')))).toEqual([
      'no commit read from the table was made by the query of the checkpoint',
    ])
  })

  test('a writer without txn that names its epoch', async () => {
    const info = { operationParameters: { queryId: 'mine', epochId: '12' } }
    expect((await look(table({ 0: commit(0, { info }) }))).commits[0]?.batch_id).toBe(12)
  })
})

describe('the newest version', () => {
  test.each<[string, Record<number, string>, string | undefined]>([
    ['from the last checkpoint on', commits(0, 137), '{"version":130,"size":1}'],
    ['from a stale one', commits(0, 137), '{"version":10,"size":1}'],
    ['from one whose commit was cleaned up', commits(100, 137), '{"version":10,"size":1}'],
    ['from a torn one', commits(0, 137), '{"versi'],
    ['without one', commits(0, 137), undefined],
    ['without one, the oldest cleaned up', commits(37, 137), undefined],
  ])('%s', async (_, texts, last) => {
    const found = await look(table(texts, last), null, { fromMs: T0 + 40 * 4000 })
    expect(found.commits.at(-1)?.version).toBe(137)
  })

  test('is found without listing: the cost does not grow with the log', async () => {
    const [small] = (await look(table(commits(0, 3), '{"version":0}'), null)).traffic
    const [far] =
      (await delta.lookAgain?.(question(table(commits(0, 500), '{"version":0}')), { committed: null, findings: [] }))?.traffic ?? []
    expect(small?.requests).toBeLessThanOrEqual(12)
    expect(far?.requests).toBeLessThanOrEqual(30)
  })

  test('reads back to the begin of the question, not the whole log', async () => {
    const found = await look(table(commits(0, 400), '{"version":400}'), null, { fromMs: T0 + 150 * 4000 })
    expect(found.commits[0]?.version).toBeLessThanOrEqual(150)
    expect(found.commits[0]?.version).toBeGreaterThan(40)
    expect(found.gaps).toEqual([])
  })
})

describe('what is not known or cannot be read', () => {
  test.each<[string, Made, string]>([
    [
      'an unknown action',
      { extra: [{ teleport: { to: 'x' } }] },
      'the log holds the action teleport that this version does not know; they were passed over',
    ],
    [
      'an unknown reader feature',
      { extra: [{ protocol: { minReaderVersion: 3, readerFeatures: ['deletionVectors', 'quantum'] } }] },
      'the table uses the reader feature quantum that this version does not know; its commits were read all the same',
    ],
    [
      'a table managed by a catalog',
      { extra: [{ protocol: { readerFeatures: ['catalogManaged'] } }] },
      expect.stringContaining('managed by a catalog') as unknown as string,
    ],
  ])('%s is said, and the commits are read', async (_, made, expected) => {
    const found = await look(table({ 0: commit(0, { batch: 0, ...made }) }))
    expect(reasons(found)).toEqual([expected])
    expect(found.commits).toHaveLength(1)
  })

  test('features stand in the checksum file of the newest version', async () => {
    const folder = table(commits(0, 2))
    const crc = JSON.parse(readFileSync(join(fixtures, '79.crc'), 'utf8')) as { protocol: object }
    writeFileSync(
      join(folder, '_delta_log', '00000000000000000002.crc'),
      JSON.stringify({ ...crc, protocol: { ...crc.protocol, readerFeatures: ['quantum'] } }),
    )
    expect(reasons(await look(folder))).toEqual([expect.stringContaining('quantum')])
  })

  test('a change of the table is an event', async () => {
    const found = await look(
      table({ 0: commit(0, { batch: 0 }), 1: commit(1, { operation: 'SET TBLPROPERTIES', adds: 0, extra: [{ metaData: {} }] }) }),
    )
    expect(found.events).toMatchObject([
      { at: T0 / 1000 + 4, kind: 'config_change', text: 'version 1 changed schema or properties of the table (SET TBLPROPERTIES)' },
    ])
  })

  test('the first version creates the table, which changes nothing', async () => {
    const found = await look(table({ 0: commit(0, { batch: 0, extra: [{ metaData: {} }] }) }))
    expect(found.events).toMatchObject([{ kind: 'note', text: 'the table was created (STREAMING UPDATE)' }])
  })

  test('a broken line is passed over and said', async () => {
    const found = await look(table({ 0: `${commit(0, { batch: 0 })}\n{"add":` }))
    expect(reasons(found)).toEqual(['version 0 of the log holds lines that are not whole; they were passed over'])
  })

  test.each([
    ['/no/such/table', 'there is no Delta table at /no/such/table: no _delta_log was found'],
    ['abfss://c@a/t', 'addresses with abfss: are not supported yet, only folders that this machine can reach as files'],
  ])('%s', async (address, expected) => {
    expect(reasons(await look(address))).toEqual([expected])
  })

  test('an empty log, and no time left', async () => {
    expect(reasons(await look(table({})))).toEqual([expect.stringContaining('without any commit')])
    expect(reasons(await look(table(commits(0, 3)), null, { signal: AbortSignal.abort() }))).toEqual([
      expect.stringContaining('the time for it ran out'),
    ])
  })

  test('a second look says which of the newest commits it could not read', async () => {
    const folder = table(commits(0, 9))
    const path = join(folder, '_delta_log', '00000000000000000008.json')
    rmSync(path)
    mkdirSync(path)
    const again = await delta.lookAgain?.(question(folder), { committed: null, findings: [] })
    expect(again?.commits.map((one) => one.version)).toEqual([7, 9])
    expect(again?.gaps.map((gap) => gap.reason)).toEqual([expect.stringMatching(/^a commit of the log could not be read: /)])
  })

  test('not configured', () => {
    expect(delta.applies(question(null).pipeline)).toBe(false)
    expect(delta.absent(question(null).pipeline)).toMatchObject({ mend: 'table: <folder of the Delta table>' })
  })
})
