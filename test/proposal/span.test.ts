import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTurn, spanInWords, spanOf } from '../../src/proposal/span.ts'

test.each([
  [
    'one long task is the length, however many slots',
    [
      { count: 7, seconds: 1 },
      { count: 1, seconds: 10 },
    ],
    4,
    [10, 11.75],
  ],
  // 13 equal tasks on 4 slots are 4 rounds; Graham alone would say 4.0 as well: 13/4 + 3/4
  ['equal tasks go in rounds', [{ count: 13, seconds: 1 }], 4, [3.25, 4]],
  ['fewer tasks than slots are one round', [{ count: 16, seconds: 2.5 }], 16, [2.5, 2.5]],
])('%s', (_, tasks, slots, span) => {
  expect(spanOf(tasks, slots)).toEqual(span)
})

test('whatever the order in which a scheduler takes them, it is done between the two ends', () => {
  const tasks = fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), seconds: fc.double({ min: 0.01, max: 100, noNaN: true }) }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(tasks, fc.integer({ min: 1, max: 32 }), fc.infiniteStream(fc.double({ noNaN: true })), (list, slots, order) => {
      const keyed = list.map((task) => ({ task, key: order.next().value }))
      const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ task }) => task)
      const [least, most] = spanOf(list, slots)
      const done = inTurn(shuffled, slots)
      expect(done).toBeGreaterThanOrEqual(least - 1e-9)
      expect(done).toBeLessThanOrEqual(most + 1e-9)
    }),
  )
})

test('the ends are said as sums that can be done again', () => {
  expect(spanInWords(14, 2, 17, 4)).toBe('14 s / 4 at best, 14 s / 4 + 2 s × 3/4 at worst')
  expect(spanInWords(17, 10, 8, 4)).toBe('the longest task at best, 17 s / 4 + 10 s × 3/4 at worst')
  expect(spanInWords(40, 2.5, 16, 16)).toBe('40 s / 16 at best, one round of 2.5 s at worst')
})
