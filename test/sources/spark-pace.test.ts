/** Busy, blocked or frozen between two looks: what may be said, and what only a heartbeat later. */
import { describe, expect, test } from 'vitest'
import type { SparkExecutor } from '../../src/sources/spark-executors.ts'
import type { Look } from '../../src/sources/spark-pace.ts'
import { executorPace, unclearTasks, usualTaskMs } from '../../src/sources/spark-pace.ts'
import type { SparkTask } from '../../src/sources/spark-tasks.ts'

const executor = (activeTasks: number, completedTasks: number, gcMs: number | null = null): SparkExecutor => ({
  id: '1',
  host: 'h1',
  active: true,
  excluded: false,
  slots: 2,
  activeTasks,
  failedTasks: 0,
  completedTasks,
  gcMs,
  addedMs: 0,
  removedMs: null,
  reason: null,
})
const running = (launchMs: number, rows: number | null): SparkTask => ({
  id: 7,
  executor: '1',
  host: 'h1',
  launchMs,
  running: true,
  succeeded: false,
  durationMs: 0,
  rows,
  runMs: 0,
  cpuMs: 0,
  gcMs: 0,
  deserializeMs: 0,
  schedulerDelayMs: 0,
})
const look = (seenMs: number, one: SparkExecutor, ...tasks: SparkTask[]): Look => ({
  executors: [one],
  seenMs,
  details: new Map([[3, { tasks, whole: true, quantiles: null, nowMs: seenMs, seenMs, before: null }]]),
})
const T0 = 1_000_000
const usual = 500

describe('executor.task_rate', () => {
  test.each<[string, Look, Look, number | null, number | null, boolean]>([
    ['finishes tasks', look(T0, executor(2, 10)), look(T0 + 2_500, executor(2, 15)), usual, 2, false],
    [
      'frozen: old tasks, not one row, nothing finished',
      look(T0, executor(2, 10), running(T0 - 20_000, null)),
      look(T0 + 2_500, executor(2, 10), running(T0 - 20_000, null)),
      usual,
      0,
      false,
    ],
    [
      'one long task that reads on (hot partition)',
      look(T0, executor(1, 10), running(T0 - 20_000, 3_929)),
      look(T0 + 2_500, executor(1, 10), running(T0 - 20_000, 6_091)),
      usual,
      null,
      false,
    ],
    [
      'one long task, no heartbeat between',
      look(T0, executor(1, 10), running(T0 - 20_000, 3_929)),
      look(T0 + 2_500, executor(1, 10), running(T0 - 20_000, 3_929)),
      usual,
      null,
      true,
    ],
    [
      'the same, a heartbeat later',
      look(T0, executor(1, 10), running(T0 - 20_000, 3_929)),
      look(T0 + 10_500, executor(1, 10), running(T0 - 20_000, 3_929)),
      usual,
      0,
      false,
    ],
    [
      'tasks usually take longer than the time between',
      look(T0, executor(2, 10), running(T0 - 20_000, null)),
      look(T0 + 2_500, executor(2, 10), running(T0 - 20_000, null)),
      5_000,
      null,
      true,
    ],
    ['no task time to compare with', look(T0, executor(2, 10)), look(T0 + 2_500, executor(2, 10)), null, null, true],
    ['nothing to do', look(T0, executor(0, 10)), look(T0 + 2_500, executor(2, 10)), usual, null, false],
    ['did its last task', look(T0, executor(1, 10)), look(T0 + 2_500, executor(0, 11)), usual, 0.4, false],
    [
      'was idle at the second look without finishing (task failed elsewhere)',
      look(T0, executor(1, 10)),
      look(T0 + 2_500, executor(0, 10)),
      usual,
      null,
      false,
    ],
    ['not there before', { ...look(T0, executor(1, 10)), executors: [] }, look(T0 + 2_500, executor(1, 10)), usual, null, false],
  ])('%s', (_, first, second, usualMs, rate, unclear) => {
    const pace = executorPace(first, second, usualMs)
    const series = pace.series.find((one) => one.signal === 'executor.task_rate')
    expect(series?.v[0] ?? null).toBe(rate)
    expect(pace.gaps.map((gap) => gap.signal)).toEqual(unclear ? ['executor.task_rate'] : [])
    if (unclear)
      expect(pace.gaps[0]).toMatchObject({
        reason: expect.stringMatching(/executor 1 works or stands still.*look again in 10 s/),
        mend: expect.stringContaining('--thorough'),
      })
  })
})

test('collection share only over a heartbeat', () => {
  const gc = (passed: number) =>
    executorPace(look(T0, executor(1, 1, 1_000)), look(T0 + passed, executor(1, 1, 3_100)), null).series.find(
      (one) => one.signal === 'executor.gc_share',
    )
  expect(gc(2_500)).toBeUndefined()
  expect(gc(10_500)).toMatchObject({ entity: { executor: '1', host: 'h1' }, t: [1010.5], v: [0.2] })
})

describe('running tasks', () => {
  const gapFor = (first: SparkTask, second: SparkTask, passed = 2_500) =>
    unclearTasks(look(T0, executor(1, 1), first), look(T0 + passed, executor(1, 1), second), usual)
  test('old and no row more: busy or blocked is open', () => {
    expect(gapFor(running(T0 - 8_000, 40), running(T0 - 8_000, 40))).toMatchObject([
      { signal: 'stage.running_tasks', reason: expect.stringContaining('1 running task is busy or blocked') },
    ])
  })
  test('young, reading on, silent for longer than a heartbeat, or a heartbeat apart: nothing open', () => {
    expect(gapFor(running(T0 + 2_000, null), running(T0 + 2_000, null))).toEqual([])
    expect(gapFor(running(T0 - 8_000, 40), running(T0 - 8_000, 41))).toEqual([])
    expect(gapFor(running(T0 - 30_000, null), running(T0 - 30_000, null))).toEqual([])
    expect(gapFor(running(T0 - 8_000, 40), running(T0 - 8_000, 40), 10_500)).toEqual([])
  })
})

test('the usual task time is the median of what was read', () => {
  const done = (durationMs: number): SparkTask => ({ ...running(0, 1), running: false, succeeded: true, durationMs })
  expect(usualTaskMs(look(T0, executor(1, 1), done(100), done(900), done(300), running(0, 1)).details)).toBe(300)
  expect(usualTaskMs(new Map())).toBeNull()
})
