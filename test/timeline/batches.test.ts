import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Batch } from '../../src/incident/evidence.ts'
import type { BatchSighting } from '../../src/incident/findings.ts'
import { inferTrigger, joinBatches } from '../../src/timeline/batches.ts'

interface Recorded {
  readonly id: number
  readonly planned: number
  readonly offsets?: number
  readonly commits?: number
  readonly to: Readonly<Record<string, number>>
  readonly run?: string
  readonly sql?: { readonly start: number; readonly duration: number; readonly running: boolean }
  readonly progress?: Readonly<Record<string, number>>
}

interface Drill {
  readonly seenAt: number
  readonly batches: readonly Recorded[]
}

function drill(name: string): Drill {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/checkpoint', `drill-${name}.json`), 'utf8')) as Drill
}

/** What the checkpoint and the UI showed of a recorded batch, each as its source would tell it. */
function sightingsOf(recorded: Recorded): BatchSighting[] {
  const checkpoint: BatchSighting = {
    id: recorded.id,
    plannedAtMs: recorded.planned,
    ...(recorded.offsets === undefined ? {} : { offsetsWrittenMs: recorded.offsets }),
    committedMs: recorded.commits ?? null,
    toOffset: { orders: recorded.to },
  }
  if (recorded.sql === undefined || recorded.run === undefined) return [checkpoint]
  const { start, duration, running } = recorded.sql
  return [checkpoint, { id: recorded.id, run: recorded.run, sqlStartMs: start, sqlDurationMs: duration, sqlRunning: running }]
}

/** All phases but the whole. */
function sumOfParts(batch: Batch): number {
  return Object.entries(batch.duration_ms ?? {}).reduce((sum, [name, ms]) => (name === 'triggerExecution' ? sum : sum + ms), 0)
}

describe('against the progress that Spark itself wrote (recorded drills)', () => {
  test.each([
    ['quiet', 26],
    ['hot-partition', 12],
  ])('%s: phases by subtraction are Spark’s own, to within milliseconds', (name, compared) => {
    const { batches, seenAt } = drill(name)
    const joined = joinBatches(batches.flatMap(sightingsOf), { zeroS: 0, askedAtMs: seenAt })
    let count = 0
    for (const recorded of batches) {
      const { progress } = recorded
      const batch = joined.find((b) => b.id === recorded.id)
      // The oldest has no neighbour to tell its start; one was read while its execution still ran.
      if (progress === undefined || batch === undefined || batch.phases_missing !== undefined) continue
      count++
      const told = batch.duration_ms ?? {}
      const off = (phase: string, truth: number | undefined) => Math.abs((told[phase] ?? Number.NaN) - (truth ?? Number.NaN))
      expect(Math.abs(batch.start * 1000 - (progress.start ?? 0))).toBeLessThanOrEqual(12)
      expect(off('triggerExecution', progress.triggerExecution)).toBeLessThanOrEqual(12)
      expect(off('latestOffset', progress.latestOffset)).toBeLessThanOrEqual(12)
      expect(off('walCommit', progress.walCommit)).toBeLessThanOrEqual(12)
      expect(batch.rows).toBe(progress.rows)
      if (batch.phases_merged?.addBatch !== undefined || told.driver !== undefined) continue
      expect(off('addBatch', progress.addBatch)).toBeLessThanOrEqual(12)
      expect(off('commitOffsets', progress.commitOffsets)).toBeLessThanOrEqual(12)
      expect(off('queryPlanning', (progress.queryPlanning ?? 0) + (progress.getBatch ?? 0))).toBeLessThanOrEqual(40)
    }
    expect(count).toBeGreaterThanOrEqual(compared)
  })

  test('the interval that nobody declared is found', () => {
    expect(inferTrigger(drill('quiet').batches.flatMap(sightingsOf))).toEqual({ seconds: 4, from: 'inferred' })
    expect(inferTrigger(drill('hot-partition').batches.flatMap(sightingsOf))).toEqual({ seconds: 4, from: 'inferred' })
  })

  test('the batch in flight: what it is in, since when, and only finished phases', () => {
    const { batches, seenAt } = drill('hot-partition')
    const open = joinBatches(batches.flatMap(sightingsOf), { zeroS: 1_796_010_300, askedAtMs: seenAt }).at(-1)
    expect(open).toMatchObject({ id: 49, end: null, open: true, phase: 'addBatch', age_s: 25.637, rows: 20_347 })
    expect(open?.duration_ms).toEqual({ latestOffset: 13, walCommit: 0, queryPlanning: 51 })
    expect((open?.phase_since ?? 0) - (open?.start ?? 0)).toBeCloseTo(0.064, 3)
  })
})

const ZERO = 1_796_000_000
/** A multiple of 4 s. */
const T0 = ZERO * 1000
const asked = { zeroS: ZERO, askedAtMs: T0 + 600_000 }

interface Steps {
  /** All relative to T0. */
  readonly plan: number
  readonly written?: number
  readonly sql?: readonly [start: number, end: number]
  readonly commit?: number | null
  readonly rows?: number
  readonly run?: string
}

/** A history as checkpoint and UI tell it; every batch takes `rows` of one partition. */
function history(steps: readonly Steps[], first = 100): BatchSighting[] {
  let end = 1000
  return steps.map((step, i) => {
    end += step.rows ?? 400
    return {
      id: first + i,
      plannedAtMs: T0 + step.plan,
      offsetsWrittenMs: T0 + (step.written ?? step.plan + 2),
      ...(step.commit === undefined ? {} : { committedMs: step.commit === null ? null : T0 + step.commit }),
      toOffset: { orders: { '0': end } },
      ...(step.sql === undefined ? {} : { sqlStartMs: T0 + step.sql[0], sqlDurationMs: step.sql[1] - step.sql[0], sqlRunning: false }),
      ...(step.run === undefined ? {} : { run: step.run }),
    }
  })
}

/** Batches that wait for a trigger of 4 s and take 1 s. */
function calm(count: number, from = 0): Steps[] {
  return Array.from({ length: count }, (_, i) => {
    const at = from + i * 4000
    return { plan: at + 10, sql: [at + 30, at + 980] as const, commit: at + 1000, rows: 400 }
  })
}

describe('trigger start', () => {
  test('a batch that waited starts on a multiple of the interval', () => {
    const batches = joinBatches(history(calm(6)), asked)
    expect(batches.slice(1).map((b) => b.start)).toEqual([4, 8, 12, 16, 20])
    expect(batches[1]?.duration_ms).toEqual({
      triggerExecution: 1000,
      latestOffset: 10,
      walCommit: 2,
      queryPlanning: 18,
      addBatch: 950,
      commitOffsets: 20,
    })
    expect(batches[1]?.phases_merged).toEqual({ queryPlanning: ['getBatch'] })
  })

  test('a batch that comes late starts as soon as the one before has ended', () => {
    const steps = [...calm(6), { plan: 24_010, commit: 31_000, rows: 400 }, { plan: 31_015, commit: 34_000, rows: 700 }]
    const [late, next] = joinBatches(history(steps), asked).slice(-2)
    expect(late?.start).toBe(24)
    expect(next?.start).toBe(31)
    // Due at 28 s, while the one before ran on.
    expect([late?.scheduling_delay_ms, next?.scheduling_delay_ms]).toEqual([0, 3000])
    expect(next?.duration_ms?.latestOffset).toBe(15)
  })

  test('back to back just over a multiple of the interval is still back to back', () => {
    const steps = [...calm(6), { plan: 24_010, commit: 31_990, rows: 400 }, { plan: 32_005, commit: 34_000, rows: 800 }]
    expect(joinBatches(history(steps), asked).at(-1)?.start).toBe(31.99)
  })

  test('a broker that answers after 26 s: the batch holds the records of all that time', () => {
    const steps = [...calm(12), { plan: 70_300, commit: 72_000, rows: 2600 }]
    const hung = joinBatches(history(steps), asked).at(-1)
    expect(hung?.start).toBe(48)
    expect(hung?.duration_ms?.latestOffset).toBe(22_300)
  })

  test('nothing to read for 26 s: the batch holds the records of one interval', () => {
    const steps = [...calm(12), { plan: 72_012, commit: 73_000, rows: 300 }]
    const after = joinBatches(history(steps), asked).at(-1)
    expect(after?.start).toBe(72)
    expect(after?.duration_ms?.latestOffset).toBe(12)
  })

  test('where it cannot be told it is the plan, and latestOffset is missing, never 0', () => {
    const [first] = joinBatches(history(calm(3)), asked)
    expect(first?.start).toBe(0.01)
    expect(first?.phases_missing).toEqual(['latestOffset'])
    expect(first?.duration_ms?.latestOffset).toBeUndefined()
    expect(first?.scheduling_delay_ms).toBeNull()
  })

  test('the first batch of a run starts when the query is started', () => {
    const steps = [
      ...calm(6).map((s) => ({ ...s, run: 'a' })),
      { plan: 50_700, sql: [51_900, 60_000] as const, commit: 60_200, rows: 400, run: 'b' },
    ]
    const first = joinBatches(history(steps), asked).at(-1)
    expect(first).toMatchObject({ run: 'b', start: 50.7, phases_missing: ['latestOffset'] })
    expect(first?.replayed).toBeUndefined()
  })
})

describe('the trigger interval', () => {
  test.each([
    ['declared wins', history(calm(8)), 30, { seconds: 30, from: 'declared' }],
    ['declared as back to back', history(calm(8)), 0, { seconds: null, from: 'declared' }],
    ['inferred from waits', history(calm(8)), null, { seconds: 4, from: 'inferred' }],
    ['too few waits', history(calm(3)), null, { seconds: null, from: 'unknown' }],
    [
      'no waits',
      history(Array.from({ length: 30 }, (_, i) => ({ plan: i * 5003, commit: i * 5003 + 4990 }))),
      null,
      { seconds: null, from: 'unknown' },
    ],
    [
      'waits on no multiple',
      history(Array.from({ length: 30 }, (_, i) => ({ plan: ((i * i * 1777 + i * 12_345) % 7919) + i * 9000, commit: i * 9000 + 8000 }))),
      null,
      { seconds: null, from: 'unknown' },
    ],
  ] as const)('%s', (_, sightings, declared, expected) => {
    expect(inferTrigger(sightings, declared)).toEqual(expected)
  })

  test('a quarter of an hour, with batches of a minute', () => {
    const first = 400_000
    expect((T0 + first) % 900_000).toBe(0)
    const aligned = Array.from({ length: 9 }, (_, i) => ({ plan: first + i * 900_000 + 60, commit: first + i * 900_000 + 60_000 }))
    expect(inferTrigger(history(aligned))).toEqual({ seconds: 900, from: 'inferred' })
  })
})

describe('what cannot be split', () => {
  test('without an execution the rest is the driver’s, whole', () => {
    const batch = joinBatches(history([...calm(5), { plan: 20_010, commit: 24_000 }]), asked).at(-1)
    expect(batch?.duration_ms).toEqual({ triggerExecution: 4000, latestOffset: 10, walCommit: 2, driver: 3988 })
    expect(batch?.phases_merged).toEqual({ driver: ['getBatch', 'queryPlanning', 'addBatch', 'commitOffsets'] })
  })

  test('with jobs at least their span is addBatch', () => {
    const [last, ...rest] = history([...calm(5), { plan: 20_010, commit: 24_000 }]).reverse() as [BatchSighting, ...BatchSighting[]]
    const jobs = [{ startMs: T0 + 20_100, endMs: T0 + 23_000, kind: 'query' as const, tasks: 12, failedTasks: 0 }]
    const batch = joinBatches([...rest, { ...last, jobs }], asked).at(-1)
    expect(batch?.duration_ms).toMatchObject({ addBatch: 2900, driver: 1088 })
    expect(batch?.jobs).toEqual([{ start: 20.1, end: 23, kind: 'query', tasks: 12, failed_tasks: 0 }])
  })

  test('an execution that was last seen running ends with the commit', () => {
    const steps = history([...calm(5), { plan: 20_010, sql: [20_040, 21_000], commit: 24_000 }])
    const running = steps.map((s) => (s.id === 105 ? { ...s, sqlRunning: true } : s))
    const batch = joinBatches(running, asked).at(-1)
    expect(batch?.duration_ms?.addBatch).toBe(3960)
    expect(batch?.phases_merged?.addBatch).toEqual(['commitOffsets'])
  })

  test('a batch of the UI alone has a start and an end, and says what it lacks', () => {
    const batch = joinBatches(
      [
        { id: 7, run: 'a', sqlStartMs: T0 + 1000, sqlDurationMs: 3000, sqlRunning: false },
        { id: 8, sqlStartMs: T0 + 5000, sqlDurationMs: 500, sqlRunning: true },
      ],
      asked,
    )
    expect(batch[0]).toMatchObject({ start: 1, end: 4, rows: null, duration_ms: { addBatch: 3000 }, end_bounds: [4, 5] })
    expect(batch[0]?.phases_missing).toEqual(['latestOffset', 'walCommit', 'queryPlanning', 'commitOffsets', 'triggerExecution'])
    expect(batch[1]).toMatchObject({ end: null, open: true, phase: 'addBatch', phase_since: 5 })
  })

  test('a commit file that is gone: it ended before the next was planned', () => {
    const steps = [...calm(5), { plan: 20_010, sql: [20_040, 21_000] as const, commit: null }, ...calm(1, 24_000)]
    const batch = joinBatches(history(steps), asked).at(-2)
    expect(batch).toMatchObject({ end: 21, end_bounds: [21, 24.01] })
    expect(batch?.open).toBeUndefined()
    expect(batch?.phases_missing).toContain('commitOffsets')
  })
})

describe('clocks and restarts', () => {
  test.each([1200, -1200, 3_600_000])('a file system whose clock is %i ms off does not bend the phases', (ahead) => {
    const straight = joinBatches(
      history([
        ...calm(8),
        { plan: 32_010, sql: [32_030, 39_000], commit: 39_020 },
        { plan: 39_024, sql: [39_050, 45_000], commit: 45_010 },
      ]),
      asked,
    )
    const bent = history([
      ...calm(8),
      { plan: 32_010, sql: [32_030, 39_000], commit: 39_020 },
      { plan: 39_024, sql: [39_050, 45_000], commit: 45_010 },
    ]).map((s) => ({
      ...s,
      offsetsWrittenMs: (s.offsetsWrittenMs ?? 0) + ahead,
      committedMs: (s.committedMs ?? 0) + ahead,
    }))
    const joined = joinBatches(bent, asked)
    for (const [i, batch] of joined.entries()) {
      expect(Math.abs((batch.scheduling_delay_ms ?? 0) - (straight[i]?.scheduling_delay_ms ?? 0))).toBeLessThanOrEqual(30)
      for (const [phase, ms] of Object.entries(straight[i]?.duration_ms ?? {}))
        expect(Math.abs((batch.duration_ms?.[phase] ?? Number.NaN) - ms)).toBeLessThanOrEqual(30)
    }
  })

  test('one touched file does not move the clock of the others', () => {
    const touched = history(calm(30)).map((s) => (s.id === 110 ? { ...s, offsetsWrittenMs: (s.offsetsWrittenMs ?? 0) - 86_400_000 } : s))
    expect(joinBatches(touched, asked).at(-1)).toEqual(joinBatches(history(calm(30)), asked).at(-1))
  })

  test('a batch that was run again after a restart takes its time from the new run', () => {
    const steps = [...calm(6).map((s) => ({ ...s, run: 'a' })), { plan: 24_010, sql: [60_000, 65_000] as const, commit: 65_010, run: 'b' }]
    const batch = joinBatches(history(steps), asked).at(-1)
    expect(batch).toMatchObject({ replayed: true, planned_at: 24.01, start: 60, end: 65.01, run: 'b' })
    expect(batch?.duration_ms).toEqual({ triggerExecution: 5010, addBatch: 5000, commitOffsets: 10 })
  })

  test('seen under two runs: the later one executed it', () => {
    const died: BatchSighting = { id: 106, run: 'a', sqlStartMs: T0 + 24_050, sqlDurationMs: 3000, sqlRunning: true }
    const again: BatchSighting = { id: 106, run: 'b', sqlStartMs: T0 + 28_000, sqlDurationMs: 2000, sqlRunning: false }
    const batch = joinBatches([...history([...calm(6), { plan: 24_010, commit: 30_020 }]), died, again], asked).at(-1)
    expect(batch).toMatchObject({ run: 'b', replayed: true, start: 28, end: 30.02 })
  })

  test('the UI of another query is left out', () => {
    const other: BatchSighting = { id: 104, query: 'other', run: 'z', sqlStartMs: T0 + 17_000, sqlDurationMs: 100, sqlRunning: false }
    const mine = history(calm(5)).map((s) => ({ ...s, query: 'mine' }))
    expect(joinBatches([...mine, other], asked)).toEqual(joinBatches(mine, asked))
  })
})

describe('rows', () => {
  const at = (id: number, toOffset: BatchSighting['toOffset'], rows?: number): BatchSighting => ({
    id,
    plannedAtMs: T0 + id * 4000,
    committedMs: T0 + id * 4000 + 1000,
    ...(toOffset === undefined ? {} : { toOffset }),
    ...(rows === undefined ? {} : { rows }),
  })
  test.each([
    [
      'sum over partitions and topics',
      [at(1, { a: { '0': 10, '1': 20 }, b: { '0': 1 } }), at(2, { a: { '0': 15, '1': 21 }, b: { '0': 4 } })],
      9,
    ],
    ['a partition added to a known topic begins at 0', [at(1, { a: { '0': 10 } }), at(2, { a: { '0': 11, '1': 7 } })], 8],
    ['a new topic may begin anywhere', [at(1, { a: { '0': 10 } }), at(2, { a: { '0': 11 }, b: { '0': 900 } })], null],
    ['a position that was set back', [at(1, { a: { '0': 10 } }), at(2, { a: { '0': 3 } })], null],
    ['no batch before', [at(2, { a: { '0': 3 } })], null],
    ['a hole before', [at(0, { a: { '0': 1 } }), at(2, { a: { '0': 3 } })], null],
    ['as the event log counted them', [at(2, undefined, 44)], 44],
  ])('%s', (_, sightings, expected) => {
    expect(joinBatches(sightings, asked).at(-1)?.rows).toBe(expected)
  })
})

test('the event log is believed over subtraction', () => {
  const phasesMs = {
    triggerExecution: 1003,
    latestOffset: 9,
    getBatch: 1,
    queryPlanning: 11,
    walCommit: 7,
    addBatch: 950,
    commitOffsets: 21,
  }
  const told: BatchSighting = { id: 104, run: 'a', triggerStartMs: T0 + 16_001, phasesMs, rows: 400, stateRows: 12, lateRows: 3 }
  const batch = joinBatches([...history(calm(5)), told], asked).at(-1)
  expect(batch).toMatchObject({ start: 16.001, end: 17.004, state_rows: 12, late_rows: 3, run: 'a' })
  expect(batch?.duration_ms).toEqual({ ...phasesMs, driver: 4 })
})

test('two looks at running tasks: what each had read stands side by side', () => {
  const look = (seen_at: number, rows: number): BatchSighting => ({
    id: 1,
    sqlStartMs: T0 + 1000,
    sqlRunning: true,
    stages: [
      {
        id: 5,
        running: true,
        seen_at,
        tasks_done: 3,
        running_tasks: [{ executor: '1', host: 'h', partition: 4, ms: 900, rows, reads: [[seen_at, rows]] }],
      },
    ],
  })
  const [batch] = joinBatches([look(ZERO + 12, 80), look(ZERO + 10, 40)], asked)
  expect(batch?.stages?.[0]).toMatchObject({
    seen_at: 12,
    running_tasks: [
      {
        rows: 80,
        reads: [
          [10, 40],
          [12, 80],
        ],
      },
    ],
  })
})

/** Any mixture of what sources may have seen of neighbouring batches, consistent or not. */
const anySightings = fc.array(
  fc.record(
    {
      id: fc.integer({ min: 100, max: 106 }),
      run: fc.constantFrom('a', 'b'),
      plannedAtMs: fc.integer({ min: T0, max: T0 + 60_000 }),
      offsetsWrittenMs: fc.integer({ min: T0, max: T0 + 60_000 }),
      committedMs: fc.option(fc.integer({ min: T0, max: T0 + 60_000 })),
      sqlStartMs: fc.integer({ min: T0, max: T0 + 60_000 }),
      sqlDurationMs: fc.integer({ min: 0, max: 30_000 }),
      sqlRunning: fc.boolean(),
      toOffset: fc.record({ orders: fc.record({ '0': fc.integer({ min: 0, max: 1000 }) }) }),
      triggerStartMs: fc.integer({ min: T0, max: T0 + 60_000 }),
      jobs: fc.array(
        fc.record({
          startMs: fc.integer({ min: T0, max: T0 + 60_000 }),
          endMs: fc.option(fc.integer({ min: T0, max: T0 + 60_000 })),
          kind: fc.constant('query' as const),
          tasks: fc.constant(4),
          failedTasks: fc.integer({ min: 0, max: 2 }),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['id'] },
  ),
  { maxLength: 14 },
)

/** Consistent histories: intervals, waits, slow batches, with any part of the UI's knowledge missing. */
const anyHistory = fc
  .record({
    intervalMs: fc.constantFrom(0, 1000, 4000, 10_000),
    batches: fc.array(
      fc.record({
        gap: fc.integer({ min: 1, max: 40 }),
        wal: fc.integer({ min: 0, max: 3000 }),
        planning: fc.integer({ min: 0, max: 500 }),
        add: fc.integer({ min: 1, max: 20_000 }),
        commit: fc.integer({ min: 0, max: 3000 }),
        sql: fc.boolean(),
      }),
      { minLength: 2, maxLength: 25 },
    ),
  })
  .map(({ intervalMs, batches }) => {
    let start = 0
    const steps: (Steps & { start: number })[] = []
    for (const b of batches) {
      const plan = start + b.gap
      const written = plan + b.wal
      const sqlStart = written + b.planning
      const sqlEnd = sqlStart + b.add
      const commit = sqlEnd + b.commit
      steps.push({ start, plan, written, commit, ...(b.sql ? { sql: [sqlStart, sqlEnd] as const } : {}) })
      const tick = intervalMs === 0 ? 0 : (Math.floor(start / intervalMs) + 1) * intervalMs
      start = Math.max(commit, tick)
    }
    return { intervalMs, steps }
  })

describe('for every history', () => {
  test('phases add up to triggerExecution exactly, and none is negative', () => {
    fc.assert(
      fc.property(anyHistory, ({ steps, intervalMs }) => {
        for (const batch of joinBatches(history(steps), { ...asked, declaredTriggerS: intervalMs / 1000 })) {
          expect(sumOfParts(batch)).toBe(batch.duration_ms?.triggerExecution)
          expect(Math.min(...Object.values(batch.duration_ms ?? {}))).toBeGreaterThanOrEqual(0)
          expect(Math.round(((batch.end ?? 0) - batch.start) * 1000)).toBe(batch.duration_ms?.triggerExecution)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('a declared interval gives every start but the first, exactly', () => {
    fc.assert(
      fc.property(anyHistory, ({ steps, intervalMs }) => {
        const batches = joinBatches(history(steps), { ...asked, declaredTriggerS: intervalMs / 1000 })
        expect(batches.slice(1).map((b) => Math.round(b.start * 1000))).toEqual(steps.slice(1).map((s) => s.start))
      }),
      { numRuns: 150 },
    )
  })

  test('neither order nor repetition of sightings matters', () => {
    const shuffledTwice = anySightings.chain((sightings) =>
      fc.tuple(fc.constant(sightings), fc.shuffledSubarray([...sightings, ...sightings], { minLength: sightings.length * 2 })),
    )
    fc.assert(
      fc.property(shuffledTwice, ([sightings, again]) => {
        expect(joinBatches(again as BatchSighting[], asked)).toEqual(joinBatches(sightings as BatchSighting[], asked))
      }),
      { numRuns: 200 },
    )
  })

  test('finished phases of whatever was seen are never negative, and parts never exceed the whole', () => {
    fc.assert(
      fc.property(anySightings, (sightings) => {
        for (const batch of joinBatches(sightings as BatchSighting[], asked)) {
          const whole = batch.duration_ms?.triggerExecution
          expect(Math.min(0, ...Object.values(batch.duration_ms ?? {}))).toBe(0)
          if (whole !== undefined) expect(sumOfParts(batch)).toBe(whole)
          if (batch.end !== null) expect(batch.end).toBeGreaterThanOrEqual(batch.start)
        }
      }),
      { numRuns: 200 },
    )
  })
})
