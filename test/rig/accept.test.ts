import { expect, test } from 'vitest'
import { acceptDrills, drawForCommit } from './accept.ts'
import { namedFaults } from './faults/index.ts'
import type { Task } from './series.ts'
import { drawSession } from './session-plan.ts'
import type { DrillRecord } from './truth.ts'

type Said = 'right' | 'wrong' | 'unsure' | 'unknowable' | 'void' | 'silent'

const record = ({ kind, seed }: Task, said: Said): DrillRecord =>
  ({
    kind,
    seed,
    void: said === 'void' ? 'busy' : null,
    judgement:
      said === 'silent'
        ? null
        : {
            firstRight: true,
            accepted: said === 'right' || said === 'wrong',
            right: said === 'right',
            wrong: said === 'wrong',
            placeRight: true,
          },
    knowable: { is: said !== 'unknowable', why: '', demandOverCapacity: null },
    verdict: null,
    times: { faultMs: 0, askedMs: 40_000 },
    observed: { keptFromMs: null },
  }) as DrillRecord

const tasks: readonly Task[] = [
  { kind: 'hot_partition', seed: 1 },
  { kind: 'slow_sink', seed: 2 },
  { kind: 'none', seed: 3 },
]

/** Answers in the order in which drills are run. */
const saying = (...said: Said[]) => {
  const left = [...said]
  return async (task: Task) => record(task, left.shift() ?? 'right')
}

test('all right', async () => {
  expect(await acceptDrills(tasks, saying('right', 'right', 'right'))).toMatchObject({ passed: 3, failed: 0, wrong: [] })
})

test('one wrong verdict fails and is kept; it is not repeated', async () => {
  const { failed, records, wrong } = await acceptDrills(tasks, saying('wrong', 'right', 'right'))
  expect([failed, records.length, wrong.length]).toEqual([1, 3, 1])
})

test('inconclusive once is repeated, twice fails', async () => {
  expect(await acceptDrills(tasks, saying('unsure', 'right', 'right', 'right'))).toMatchObject({ passed: 3, failed: 0 })
  expect(await acceptDrills(tasks, saying('unsure', 'unsure', 'right', 'right'))).toMatchObject({ passed: 2, failed: 1 })
})

test('no answer fails at once', async () => {
  expect(await acceptDrills(tasks, saying('silent', 'right', 'right'))).toMatchObject({ passed: 2, failed: 1 })
})

test('void ones are repeated, four times in all; then fewer than two faults counted', async () => {
  const { failed, records, lines } = await acceptDrills(tasks, saying('void', 'void', 'void', 'void', 'void', 'right', 'right'))
  expect(records.length).toBe(7)
  expect(failed).toBe(1)
  expect(lines.at(-1)).toBe('only 1 drills with a fault counted, 2 are needed')
})

test('inconclusive about what nobody could know is neither passed nor failed, and not repeated', async () => {
  const { passed, failed, skipped, records, lines } = await acceptDrills(tasks, saying('unknowable', 'right', 'right'))
  expect([passed, failed, skipped, records.length]).toEqual([2, 1, 1, 3])
  expect(lines[0]).toBe('hot_partition seed 1: inconclusive, not knowable: does not count')
  expect(lines.at(-1)).toBe('only 1 drills with a fault counted, 2 are needed')
})

test('each drill is told which comes next', async () => {
  const told: (string | undefined)[] = []
  await acceptDrills(tasks, async (task, next) => {
    told.push(next?.kind)
    return record(task, told.length === 1 ? 'void' : 'right')
  })
  // the first is repeated
  expect(told).toEqual(['slow_sink', 'slow_sink', 'none', undefined])
})

test('a commit draws four kinds, always the same', () => {
  for (const commit of ['a1b2c3', 'ffee00', '0']) {
    const drawn = drawForCommit(commit)
    expect(drawForCommit(commit)).toEqual(drawn)
    expect(new Set(drawn.tasks.map((task) => task.kind)).size).toBe(4)
    expect(drawSession(drawn.sessionSeed).triggerMs).toBeLessThanOrEqual(6500)
  }
  const seen = new Set(Array.from({ length: 40 }, (_, i) => drawForCommit(`c${i}`).tasks.map((task) => task.kind)).flat())
  expect([...seen].toSorted()).toEqual(namedFaults.map((fault) => fault.kind).toSorted())
})
