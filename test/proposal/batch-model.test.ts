/** The pipeline in motion: 8 partitions, 4 slots, a task costs 50 ms and 4 ms a record; 0.35 s before the jobs, 0.4 s commit, 0.02 s after. */
import { expect, test } from 'vitest'
import { gatherFacts } from '../../src/attribution/facts.ts'
import { batchModel, capacity, planned, triggerRows } from '../../src/proposal/batch-model.ts'
import { changing, lookAt } from '../build/look.ts'

const hot = { rate: (p: number, t: number) => (p === 3 ? changing(50, 500)(t) : 50) }
const model = batchModel(gatherFacts(lookAt(hot).timeline))!

test('what the batches cost is read back from them', () => {
  expect(model.perTask).toBeCloseTo(0.05, 3)
  expect(model.perRow[1]).toBeCloseTo(0.004, 5)
  expect(model.perRow[0]).toBeCloseTo(0.004 / 1.45, 5)
  expect(model.fixedUsual).toBeCloseTo(0.77, 2)
  expect([model.slots, model.period]).toEqual([4, 5])
  expect(model.intake).toBeCloseTo(850, -1)
})

test('one trigger: 2,500 records in one task take 10.05 s, seven tasks of 250 take 1.05 s each', () => {
  const now = planned(model, triggerRows(model), {})
  expect(now.count).toBe(8)
  expect(now.longest).toBeCloseTo(10.05, 1)
  expect(now.total).toBeCloseTo(10.05 + 7 * 1.05, 1)
  // 0.77 + 17.4 / 4 + 10.05 x 3/4 = 12.7 at worst; 0.77 + (2,500 x 2.76 ms + 50 ms) = 7.7 at best
  expect(now.seconds[0]).toBeCloseTo(7.7, 1)
  expect(now.seconds[1]).toBeCloseTo(12.7, 1)
  expect(now.settled[1]).toBe(Number.POSITIVE_INFINITY)
})

test('cut into sixteen it takes 5.4 s at worst, and settles where 0.77 s are what is left of a trigger', () => {
  const after = planned(model, triggerRows(model), {}, { minPartitions: 16 })
  expect(after.tasks).toEqual([1, 1, 1, 9, 1, 1, 1, 1])
  expect(after.seconds[1]).toBeCloseTo(0.77 + 4 * (0.05 + 0.004 * (2500 / 9)), 1)
  expect(after.settled[1]).toBeCloseTo(0.77 / (1 - after.span[1] / 5), 1)
})

test('slots that idle beside one task are no capacity: 340 to 490 records/s as it is, near 1,000 when it is cut', () => {
  const [low, high] = capacity(model, {})
  expect([Math.round(low / 10) * 10, Math.round(high / 10) * 10]).toEqual([360, 620])
  expect(capacity(model, {}, { minPartitions: 16 })[0]).toBeCloseTo(956, -1)
})
