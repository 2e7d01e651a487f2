import { expect, test } from 'vitest'
import { faults } from './faults/index.ts'
import type { Result } from './series.ts'
import { parseKinds, parseSeeds, planSeries, remaining } from './series.ts'

test('kinds and seeds are read as written', () => {
  expect(parseKinds('all')).toEqual(faults.map((fault) => fault.kind))
  expect(parseKinds('none, slow_sink')).toEqual(['none', 'slow_sink'])
  expect(() => parseKinds('hot')).toThrow(/no fault hot; there are hot_partition/)
  expect(parseSeeds('1-3,7')).toEqual([1, 2, 3, 7])
  expect(() => parseSeeds('a')).toThrow(/seeds are like/)
})

test('one seed after the other, so that the job is started once per seed', () => {
  const tasks = planSeries(['none', 'slow_sink', 'intake_surge'], [1, 2])
  expect(tasks.map((task) => task.seed)).toEqual([1, 1, 1, 2, 2, 2])
  expect(planSeries(['none', 'slow_sink', 'intake_surge'], [1, 2])).toEqual(tasks)
})

test('a series goes on where it stopped; void drills are repeated, at most three times', () => {
  const tasks = planSeries(['none'], [1, 2, 3, 4])
  const result = (seed: number, why: string | null) => ({ kind: 'none', seed, void: why }) as Result
  const done = [
    result(1, null),
    result(2, 'busy'),
    result(3, 'busy'),
    result(3, 'busy'),
    { kind: 'none', seed: 3, error: 'no calm' },
    result(9, null),
  ]
  expect(remaining(tasks, done).map((task) => task.seed)).toEqual([2, 4])
})
