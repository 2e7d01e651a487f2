/** Executors over the past from one answer, the driver's clock, and how far back the lists reach. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/sources/http.ts'
import { driverClock } from '../../src/sources/spark-clock.ts'
import type { SparkExecutor } from '../../src/sources/spark-executors.ts'
import { executorEvents, executorSteps, parseExecutors, plainReason } from '../../src/sources/spark-executors.ts'
import { cutGaps, lifeEvents, reachGaps } from '../../src/sources/spark-reach.ts'
import { drill } from '../fixtures/spark/stub-driver.ts'

const executor = (id: string, addedS: number, removedS: number | null, part: Partial<SparkExecutor> = {}): SparkExecutor => ({
  id,
  host: `h${id}`,
  active: removedS === null,
  excluded: false,
  slots: 2,
  activeTasks: 0,
  failedTasks: 0,
  completedTasks: 0,
  gcMs: 0,
  addedMs: addedS * 1000,
  removedMs: removedS === null ? null : removedS * 1000,
  reason: removedS === null ? null : 'Command exited with code 137',
  ...part,
})

describe('steps', () => {
  const at = (
    signal: 'executor.count' | 'executor.slots',
    second: number,
    list: readonly SparkExecutor[],
    from = 0,
    to = 100,
    started: number | null = null,
  ) => {
    const series = executorSteps(list, started === null ? null : started * 1000, from * 1000, to * 1000).find(
      (one) => one.signal === signal,
    )
    const last = series?.t.findLastIndex((t) => t <= second) ?? -1
    return last < 0 ? null : (series?.v[last] ?? null)
  }
  const list = [executor('0', 5, 43.35), executor('1', 5, null), executor('2', 51.2, null, { slots: 4 })]

  test.each([
    [0, 0, 0],
    [5, 2, 4],
    [43, 2, 4],
    [43.35, 1, 2],
    [51.1, 1, 2],
    [51.2, 2, 6],
    [100, 2, 6],
  ])('at %d s: %d executors, %d slots', (second, count, slots) => {
    expect(at('executor.count', second, list)).toBe(count)
    expect(at('executor.slots', second, list)).toBe(slots)
  })

  test('times rise, one value each; the changes themselves are points', () => {
    const [count] = executorSteps(list, null, 0, 100_000)
    expect(count?.t).toEqual(count?.t.toSorted((a, b) => a - b))
    expect(new Set(count?.t).size).toBe(count?.t.length)
    expect(count?.v).toHaveLength(count?.t.length ?? 0)
    expect(count?.t).toEqual(expect.arrayContaining([43.35, 51.2, 100]))
  })

  test('no point before the application started; a day has no more points than two hours', () => {
    expect(executorSteps(list, 3_000, 0, 100_000)[0]?.t[0]).toBe(3)
    expect(executorSteps(list, 200_000, 0, 100_000)).toEqual([])
    expect(executorSteps(list, null, 0, 86_400_000)[0]?.t.length).toBeLessThan(730)
  })

  test('one that is gone without a time counts nowhere', () => {
    expect(at('executor.count', 50, [executor('9', 5, null, { active: false })])).toBe(0)
  })
})

test('recorded: a killed executor and its successor', () => {
  const executors = parseExecutors(drill('executor-kill').at(30).executors) ?? []
  const events = executorEvents(executors, 1_796_010_520_000)
  expect(events.map((event) => [event.kind, event.entity?.executor, event.text])).toEqual([
    ['executor_added', '1', '2 task slots'],
    ['executor_added', '0', '2 task slots'],
    ['executor_removed', '0', 'Command exited with code 137'],
    ['executor_added', '2', '2 task slots'],
  ])
  expect(events[2]).toMatchObject({ at: 1_796_010_491.351, entity: { host: '127.0.0.3' }, source: 'spark', seen: 1_796_010_520 })
})

test('an executor shut out by task failures is noted', () => {
  expect(executorEvents([executor('3', 1, null, { excluded: true })], 9_000)[1]).toMatchObject({
    kind: 'note',
    at: 9,
    text: expect.stringContaining('excluded'),
  })
})

test.each<[string | undefined, string | null]>([
  [undefined, null],
  ['', null],
  ['worker lost: 127.0.0.3:34263 got disassociated', 'worker lost: 127.0.0.3:34263 got disassociated'],
  [
    '\nThe executor with id 3 exited with exit code 137(SIGKILL, possible container OOM).\n\nThe API gave the following container statuses:\n\n container name: spark\n container image: registry.internal/secret:1',
    'The executor with id 3 exited with exit code 137(SIGKILL, possible container OOM).',
  ],
  ['Container marked as failed. Exit status: 143. Diagnostics: [/data/yarn/secret]', 'Container marked as failed. Exit status: 143.'],
  ['x'.repeat(900), 'x'.repeat(200)],
])('removal reason %#', (text, plain) => {
  expect(plainReason(text)).toBe(plain)
})

describe('the driver’s clock', () => {
  const answer = (part: Partial<Answer>): Answer => ({ json: [], bytes: 1, sentMs: 100_000, answeredMs: 100_020, dateMs: 100_000, ...part })
  test.each<[string, Answer, number | null, number, number]>([
    ['the same clock', answer({}), 100_012, 0, 0.013],
    ['five seconds ahead', answer({ dateMs: 105_000 }), 105_012, 5002, 5.013],
    ['behind', answer({ dateMs: 70_000 }), 70_010, -30_000, 30.011],
    ['only the Date header', answer({ dateMs: 104_000 }), null, 4_490, 5],
    ['a duration that was not taken now', answer({}), 55_000, 0, 1],
    ['no Date header', answer({ dateMs: null }), 100_010, 0, 0.011],
  ])('%s', (_, got, driverNow, ahead, bound) => {
    const clock = driverClock(got, driverNow)
    expect(clock?.aheadMs).toBe(ahead)
    const measured = ahead === 0 ? {} : { ahead_s: ahead / 1000, ahead_error_s: Math.round(bound * 1000 - Math.abs(ahead)) / 1000 }
    expect(clock?.clock).toEqual({ source: 'spark', skew_bound_s: bound, ...measured })
  })
  test('nothing to go by', () => {
    expect(driverClock(answer({ dateMs: null }), null)).toBeNull()
  })
})

describe('how far back', () => {
  const application = { id: 'app-1', name: 'orders', version: '4.1.1', startedMs: 10_000, running: true, driverNowMs: null }
  const job = (id: number, startMs: number) => ({
    id,
    label: null,
    group: null,
    root: null,
    startMs,
    endMs: null,
    running: false,
    stageIds: [],
    tasks: 1,
    failedTasks: 0,
    dstreams: false,
  })

  test('an application younger than the window', () => {
    expect(reachGaps(0, application, [job(0, 11_000)], [], [])).toEqual([
      { source: 'spark-ui', signal: null, from: 0, to: 10, reason: expect.stringContaining('had not started') },
    ])
  })
  test('forgotten jobs', () => {
    expect(reachGaps(20_000, application, [job(812, 60_000), job(811, 50_000)], [], [])).toEqual([
      {
        source: 'spark-ui',
        signal: null,
        from: 20,
        to: 50,
        reason: 'Spark keeps the last 2 jobs; older batches are not listed',
        mend: expect.stringContaining('spark.ui.retainedJobs'),
      },
    ])
  })
  test('nothing forgotten, or not seen at all: nothing to say', () => {
    expect(reachGaps(20_000, application, [job(0, 11_000)], [], [])).toEqual([])
    expect(reachGaps(55_000, application, [job(811, 50_000)], [], [])).toEqual([])
    expect(reachGaps(20_000, application, null, null, [])).toEqual([])
  })
  test('batches beyond those that are taken', () => {
    const all = Array.from({ length: 5 }, (_, i) => ({
      id: i,
      run: 'r1',
      queryId: 'q1',
      startMs: i * 4_000,
      root: null,
      jobs: [],
      stages: [],
    }))
    expect(cutGaps(1_000, all, 3)).toMatchObject([{ from: 1, to: 8, reason: 'only the newest 3 batches were taken' }])
    expect(cutGaps(9_000, all, 3)).toEqual([])
    expect(cutGaps(1_000, all, 5)).toEqual([])
    expect(cutGaps(1_000, all, 9)).toEqual([])
  })
  test('starts and restarts are events', () => {
    const query = {
      id: 'q1',
      name: 'orders',
      runs: [
        { run: 'r1', firstMs: 12_000 },
        { run: 'r2', firstMs: 90_000 },
      ],
    }
    expect(lifeEvents(application, query, [], 99_000).map((event) => [event.at, event.kind, event.text])).toEqual([
      [10, 'app_started', 'Spark 4.1.1 application orders'],
      [90, 'restart', 'query orders started again (run r2)'],
    ])
  })
})
