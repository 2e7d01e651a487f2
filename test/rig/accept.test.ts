import { expect, test } from 'vitest'
import { acceptDrills, drawForCommit } from './accept.ts'
import { faults } from './faults/index.ts'
import type { Task } from './series.ts'
import { drawSession } from './session-plan.ts'
import type { DrillRecord } from './truth.ts'

type Said = 'right' | 'wrong' | 'unsure' | 'void' | 'silent'

const record = ({ kind, seed }: Task, said: Said): DrillRecord =>
  ({
    kind,
    seed,
    void: said === 'void' ? 'busy' : null,
    judgement:
      said === 'silent'
        ? null
        : { firstRight: true, accepted: said !== 'unsure', right: said === 'right', wrong: said === 'wrong', placeRight: true },
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

test('a commit draws four kinds, always the same', () => {
  for (const commit of ['a1b2c3', 'ffee00', '0']) {
    const drawn = drawForCommit(commit)
    expect(drawForCommit(commit)).toEqual(drawn)
    expect(new Set(drawn.tasks.map((task) => task.kind)).size).toBe(4)
    expect(drawSession(drawn.sessionSeed).triggerMs).toBeLessThanOrEqual(6500)
  }
  const seen = new Set(Array.from({ length: 40 }, (_, i) => drawForCommit(`c${i}`).tasks.map((task) => task.kind)).flat())
  expect(seen.size).toBe(faults.length)
})
