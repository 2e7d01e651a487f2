/** From lists to batches: roots, stray jobs, rows, the choice of a query and of the stages worth reading. */
import { describe, expect, test } from 'vitest'
import type { SparkBatch } from '../../src/sources/spark-batches.ts'
import { assembleBatches, isOpen, sourceStage, toSighting, usualSourceTasks } from '../../src/sources/spark-batches.ts'
import type { SqlExecution } from '../../src/sources/spark-executions.ts'
import { batchKey, parseExecutions, planListing, rootsOf } from '../../src/sources/spark-executions.ts'
import type { SparkJob } from '../../src/sources/spark-jobs.ts'
import { parseJobs } from '../../src/sources/spark-jobs.ts'
import { chooseQuery, queriesOf } from '../../src/sources/spark-queries.ts'
import type { SparkStage } from '../../src/sources/spark-stages.ts'
import { stagesWorthReading } from '../../src/sources/spark-task-plan.ts'
import { drill, recorded } from '../fixtures/spark/stub-driver.ts'

const label = (batch: number, about: string | null = null, run = 'r1') => ({ query: 'orders', queryId: 'q1', run, batch, about })

const stage = (id: number, batch: number, part: Partial<SparkStage> = {}): SparkStage => ({
  id,
  attempt: 0,
  label: label(batch),
  status: 'COMPLETE',
  running: false,
  submittedMs: batch * 4000 + 10,
  completedMs: batch * 4000 + 900,
  tasks: 12,
  doneTasks: 12,
  failedTasks: 0,
  runMs: 1000,
  cpuMs: 100,
  gcMs: 10,
  deserializeMs: 5,
  fetchWaitMs: 0,
  inputBytes: 0,
  inputRows: 600,
  outputRows: 600,
  shuffleRows: 0,
  failure: null,
  ...part,
})

const job = (id: number, batch: number, part: Partial<SparkJob> = {}): SparkJob => ({
  id,
  label: label(batch),
  group: 'r1',
  root: null,
  startMs: batch * 4000 + 5,
  endMs: batch * 4000 + 950,
  running: false,
  stageIds: [],
  tasks: 12,
  failedTasks: 0,
  dstreams: false,
  ...part,
})

const execution = (id: number, batch: number, part: Partial<SqlExecution> = {}): SqlExecution => ({
  id,
  label: label(batch),
  startMs: batch * 4000,
  durationMs: 1000,
  running: false,
  failed: false,
  rootId: null,
  error: null,
  ...part,
})

describe('root executions', () => {
  test('the lowest id of a batch, never one of Delta’s', () => {
    const list = [
      execution(0, 0),
      execution(1, 0),
      execution(2, 1),
      execution(3, 1, { label: label(1, 'Compute snapshot') }),
      execution(4, 1),
    ]
    const roots = rootsOf(list.toReversed(), new Set())
    expect([...roots].map(([key, root]) => [key, root.id])).toEqual([
      ['r1/0', 0],
      ['r1/1', 2],
    ])
  })

  test('a list cut inside a batch does not make an inner execution its root', () => {
    const list = [execution(41, 7), execution(42, 8), execution(43, 8)]
    expect([...rootsOf(list, new Set()).keys()]).toEqual(['r1/8'])
    expect([...rootsOf(list, new Set([41])).keys()]).toEqual(['r1/7', 'r1/8'])
    expect([...rootsOf([execution(41, 7, { rootId: 41 }), execution(42, 8)], new Set()).keys()]).toEqual(['r1/7', 'r1/8'])
    expect([...rootsOf([execution(41, 7, { rootId: 40 }), execution(42, 8, { rootId: 42 })], new Set()).keys()]).toEqual(['r1/8'])
  })

  test('the same batch number in two runs is two', () => {
    expect(rootsOf([execution(0, 3), execution(5, 3, { label: label(3, null, 'r2') })], new Set()).size).toBe(2)
  })

  test('recorded: in all versions the roots are 0 and 3', () => {
    for (const version of ['3.5.1', '4.1.1', '4.2.0'] as const) {
      const roots = rootsOf(parseExecutions(recorded(version).sql) ?? [], new Set())
      expect([...roots.values()].map((root) => [root.id, root.label?.batch])).toEqual([
        [0, 0],
        [3, 1],
      ])
    }
  })

  test.each<[string, [number, number, number, number], { offset: number; length: number }]>([
    ['nothing forgotten yet', [0, 70, 490, 600], { offset: 66, length: 425 + 40 }],
    ['old ones forgotten', [3_000, 3_600, 3_990, 600], { offset: 596, length: 395 + 40 }],
    ['the wanted ones are partly forgotten', [3_700, 3_600, 3_990, 600], { offset: 0, length: 291 + 40 }],
    ['more wanted than is read', [0, 0, 2_000, 600], { offset: 1_401, length: 600 + 40 }],
  ])('place in the list: %s', (_, [oldest, from, to, most], plan) => {
    expect(planListing(oldest, from, to, most)).toEqual(plan)
  })
})

describe('batches', () => {
  test('a recorded open batch: snapshot jobs apart, its stage running, no rows yet', () => {
    const { jobs, stages, sql } = drill('executor-freeze').at(25)
    const parsed = parseJobs(jobs) ?? []
    const roots = rootsOf(parseExecutions(sql) ?? [], new Set(parsed.flatMap((one) => one.root ?? [])))
    const id = parsed[0]?.label?.queryId ?? ''
    const batches = assembleBatches(id, parsed, roots, [])
    const open = batches.at(-1)
    expect(stages.length).toBeGreaterThan(0)
    expect(batches.map((batch) => batch.id)).toEqual(Array.from({ length: batches.length }, (_, i) => 101 - batches.length + 1 + i))
    expect(open !== undefined && isOpen(open)).toBe(true)
    expect(batches.slice(0, -1).some(isOpen)).toBe(false)
    const sighting = open === undefined ? null : toSighting(open, new Map(), 12, 0)
    expect(sighting).toMatchObject({
      id: 101,
      sqlRunning: true,
      jobs: [{ kind: 'delta-snapshot' }, { kind: 'delta-snapshot' }, { kind: 'delta-snapshot' }, { kind: 'query', endMs: null }],
    })
    expect(sighting?.rows).toBeUndefined()
  })

  test('jobs whose description user code overwrote: by tag, or by group within the time of the root execution', () => {
    const roots = new Map([[batchKey('r1', 5), execution(20, 5, { startMs: 1000, durationMs: 500 })]])
    const tagged = job(1, 5, { label: null, group: null, root: 20, startMs: 1100 })
    const grouped = job(2, 5, { label: null, startMs: 1200 })
    const later = job(3, 5, { label: null, startMs: 1900 })
    const foreign = job(4, 5, { label: null, group: 'mine', startMs: 1200 })
    const [batch] = assembleBatches('q1', [tagged, grouped, later, foreign], roots, [stage(9, 5, { label: null })])
    expect(batch?.jobs.map((one) => one.id)).toEqual([1, 2])
    expect(batch?.stages).toEqual([])
  })

  test('stages alone make batches too, and other queries stay out', () => {
    const other = stage(2, 6, { label: { ...label(6), queryId: 'q2' } })
    const batches = assembleBatches('q1', [], new Map(), [stage(1, 5), other])
    expect(batches.map((batch) => [batch.id, batch.startMs])).toEqual([[5, 20_010]])
  })

  const sightingOf = (jobs: readonly SparkJob[], stages: readonly SparkStage[]) => {
    const [batch] = assembleBatches('q1', jobs, new Map(), stages)
    return batch === undefined ? null : toSighting(batch, new Map(), 12, 0)
  }

  test('rows: two sources of one job add up, a batch read twice counts once, files and snapshots do not count', () => {
    expect(sightingOf([job(1, 5, { stageIds: [1, 2] })], [stage(1, 5), stage(2, 5, { inputRows: 40 })])?.rows).toBe(640)
    expect(sightingOf([job(1, 5, { stageIds: [1] }), job(2, 5, { stageIds: [2] })], [stage(1, 5), stage(2, 5)])?.rows).toBe(600)
    expect(
      sightingOf(
        [],
        [
          stage(1, 5),
          stage(2, 5, { inputBytes: 900, inputRows: 5_000 }),
          stage(3, 5, { label: label(5, 'Compute snapshot'), inputRows: 77 }),
        ],
      )?.rows,
    ).toBe(600)
    expect(sightingOf([], [stage(1, 5, { running: true, completedMs: null, status: 'ACTIVE' })])?.rows).toBeUndefined()
  })

  test('names: the source, and the running one that looks like it', () => {
    const running = stage(4, 6, { running: true, completedMs: null, status: 'ACTIVE', inputRows: 0 })
    const batches = assembleBatches('q1', [], new Map(), [stage(1, 5), stage(2, 5, { inputRows: 0, shuffleRows: 88 }), running])
    const names = batches.flatMap((batch) =>
      toSighting(batch, new Map(), usualSourceTasks(batches), 0).stages?.map((one) => [one.id, one.name, one.rows]),
    )
    expect(names).toEqual([
      [1, 'source', 600],
      [2, undefined, 88],
      [4, 'source', undefined],
    ])
    expect(batches.map((batch) => sourceStage(batch)?.id ?? null)).toEqual([1, null])
  })
})

describe('which query', () => {
  const queries = queriesOf([
    { label: label(1), startMs: 2 },
    { label: label(1, null, 'r2'), startMs: 9 },
    { label: { ...label(1), queryId: 'q2', query: null }, startMs: 1 },
    { label: null, startMs: 0 },
  ])
  test('by name, by id, restarts in order', () => {
    expect(chooseQuery(queries, 'orders').found).toMatchObject({ id: 'q1', runs: [{ run: 'r1' }, { run: 'r2' }] })
    expect(chooseQuery(queries, 'q2').found).toMatchObject({ id: 'q2', name: null })
    expect(chooseQuery(queries.slice(0, 1), null).found).toMatchObject({ id: 'q1' })
  })
  test.each<[string, typeof queries, string | null, string, string | undefined]>([
    [
      'several and none named',
      queries,
      null,
      'runs 2 streaming queries and none is named in the configuration: orders, q2',
      'query: orders',
    ],
    ['a wrong name', queries, 'oders', 'runs no streaming query named "oders"; it runs orders, q2', 'query: orders'],
    ['none at all', [], null, 'no batch of a streaming query is among the jobs', undefined],
    ['none at all, one named', [], 'orders', 'so "orders" was not found', undefined],
  ])('%s: says so, and the line to add', (_, among, wanted, says, mend) => {
    const choice = chooseQuery(among, wanted)
    expect(choice).toMatchObject({ found: null, reason: expect.stringContaining(says) })
    expect('mend' in choice ? choice.mend : undefined).toBe(mend)
  })
})

describe('stages worth reading', () => {
  const batches = (count: number, from = 0): SparkBatch[] =>
    assembleBatches(
      'q1',
      [],
      new Map(),
      Array.from({ length: count }, (_, i) => stage(100 + i, from + i)),
    )

  test('the newest four, and six of the past without the first five of the run', () => {
    expect(stagesWorthReading(batches(40)).map((one) => one.id)).toEqual([139, 138, 137, 136, 105, 111, 117, 123, 129, 135])
  })
  test('where the start of the run is no longer listed, the oldest count too', () => {
    expect(stagesWorthReading(batches(40, 500)).at(4)?.id).toBe(100)
  })
  test('what runs comes first, and a stage heavier than the source follows', () => {
    const all = [
      ...Array.from({ length: 8 }, (_, i) => stage(100 + i, i)),
      stage(150, 7, { inputRows: 0, shuffleRows: 600, runMs: 9_000 }),
      stage(160, 8, { running: true, completedMs: null, status: 'ACTIVE' }),
    ]
    expect(stagesWorthReading(assembleBatches('q1', [], new Map(), all)).map((one) => one.id)).toEqual([160, 107, 106, 105, 104, 150])
  })
  test('nothing seen, nothing to read', () => {
    expect(stagesWorthReading([])).toEqual([])
  })
})
