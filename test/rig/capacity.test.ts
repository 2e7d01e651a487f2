import { expect, test } from 'vitest'
import { batchSecondsAt, demandOverCapacity, FIXED_SECONDS, makespan, mostWorkShare, slowHostBatchSeconds, waves } from './capacity.ts'
import { PEAK_RATE } from './load.ts'

test('slots take tasks in order and the last one ends the stage', () => {
  expect(makespan([1, 1, 1, 1], 4)).toBe(1)
  expect(makespan([1, 1, 1, 1, 1], 4)).toBe(2)
  // slots after 3,1,2: the next task starts at 1 and ends at 5
  expect(makespan([3, 1, 2, 4], 3)).toBe(5)
})

test('demand over capacity is the busiest slot, by hand', () => {
  // 8 partitions of 100/s on 4 slots: 200 records/s a slot, 5 ms each = 1.0
  expect(demandOverCapacity(new Array(8).fill(100), 0.005)).toBeCloseTo(1)
  // one partition with 720/s at 2 ms keeps one slot busy 1.44 of the time, its siblings fit on the others
  expect(demandOverCapacity([20, 20, 720, 20, 20, 20, 20, 20], 0.002)).toBeCloseTo(1.44)
})

test('a batch of one trigger is the fixed part plus the stage', () => {
  expect(batchSecondsAt([100, 100, 100, 100], 0.002, 5)).toBeCloseTo(FIXED_SECONDS + 1)
})

test('a longer trigger leaves more room for work, up to a limit', () => {
  expect(mostWorkShare(5)).toBeCloseTo(0.22)
  expect(mostWorkShare(30)).toBeCloseTo(0.36)
})

test('waves are rows of tasks', () => {
  expect([waves(4, 4), waves(5, 4), waves(13, 4)]).toEqual([1, 2, 4])
})

test('at a trigger of 4 s no surge fits that overloads the slots; at 5 s one does', () => {
  // the lowest base rate times what makes 1.3 of the slots' capacity out of the work of a healthy batch
  const leastSurge = (triggerSeconds: number) => (300 * 1.3) / mostWorkShare(triggerSeconds)
  expect(mostWorkShare(4)).toBeCloseTo(0.145)
  expect(leastSurge(4)).toBeCloseTo(2690, -1)
  expect(leastSurge(4)).toBeGreaterThan(PEAK_RATE)
  expect(leastSurge(5)).toBeCloseTo(1773, -1)
  expect(leastSurge(5)).toBeLessThan(PEAK_RATE)
})

test('a slow host makes its own fixed work and its tasks longer, by hand', () => {
  expect(makespan([1, 1, 1, 1], 4, (slot) => (slot < 2 ? 1 : 5))).toBe(5)
  // the two fast slots take the rest while the slow ones are at their first task
  expect(makespan([1, 1, 1, 1, 1, 1, 1, 1], 4, (slot) => (slot < 2 ? 1 : 5))).toBe(5)
  // 4 partitions of 100/s at 2 ms and 5 s = 1 s a task, 10 s where slow; 1.5 + 9 x 1.1 + 10
  expect(slowHostBatchSeconds([100, 100, 100, 100], 0.002, 5, 10)).toBeCloseTo(21.4)
})
