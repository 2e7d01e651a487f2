import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tasksByMaxRecords, tasksByMinPartitions } from '../../src/proposal/split-ranges.ts'

describe('minPartitions, as Spark cuts', () => {
  test.each([
    ['not set: one task a partition, none for an empty one', [5, 0, 7], null, [1, 0, 1]],
    ['no more than there are partitions: nothing is cut', [5, 900, 7], 3, [1, 1, 1]],
    // 800 of 1,000 x 8 = 6.4; the four others round to 0 or 1 and stay whole, 8 - 4 = 4 are left for it
    ['the hot one gets what the small ones leave', [50, 50, 50, 50, 800], 8, [1, 1, 1, 1, 4]],
    // 1/4 x 6 = 1.5 rounds to 2: everyone is cut in two, so 8 tasks and not 6
    ['even partitions are all cut alike', [10, 10, 10, 10], 6, [2, 2, 2, 2]],
    ['no more pieces than records', [2, 1], 50, [2, 1]],
  ])('%s', (_, rows, setting, tasks) => {
    expect(tasksByMinPartitions(rows, setting)).toEqual(tasks)
  })

  test('every partition with records is read, an empty one never, and more tasks are asked for than none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        (rows, setting) => {
          const tasks = tasksByMinPartitions(rows, setting)
          for (const [i, n] of rows.entries()) {
            expect(tasks[i] as number).toBeGreaterThanOrEqual(n > 0 ? 1 : 0)
            expect(tasks[i] as number).toBeLessThanOrEqual(n)
          }
        },
      ),
    )
  })
})

test('maxRecordsPerPartition: tasks of at most so many records', () => {
  expect(tasksByMaxRecords([0, 10, 11, 1000], 10)).toEqual([0, 1, 2, 100])
  expect(tasksByMaxRecords([0, 10], null)).toEqual([0, 1])
})
