import { expect, it } from 'vitest'
import { between, heldAt, rates, sum } from '../../src/timeline/line.ts'
import { quantile, spread, theilSen } from '../../src/timeline/robust.ts'
import { findStep } from '../../src/timeline/step.ts'

it('finds the change from 10 to 30 between 25 s, less the tenth of a stretch that would not show it, and 30 s', () => {
  const points = Array.from({ length: 12 }, (_, i) => [i * 5, i < 6 ? 10 + (i % 2) : 30 - (i % 2)] as const)
  const step = findStep(points)
  expect(step?.between).toEqual([24.5, 30])
  expect(step?.before).toBe(10.5)
  expect(step?.after).toBe(29.5)
  expect(step?.gain).toBeGreaterThan(0.9)
})

it('a point half-way up belongs to the change: it began between 20 s and 25 s', () => {
  const values = [10, 10, 11, 10, 10, 19, 30, 30, 29, 30]
  expect(findStep(values.map((v, i) => [i * 5, v] as const))?.between).toEqual([19.5, 25])
})

it('finds nothing in a line that never moves, or in too few points', () => {
  expect(findStep(Array.from({ length: 20 }, (_, i) => [i, 5] as const))).toBeNull()
  expect(
    findStep([
      [0, 1],
      [1, 9],
    ]),
  ).toBeNull()
})

it('order statistics: type 7 quantiles, MAD, Theil-Sen unmoved by one wild point', () => {
  expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75)
  expect(spread([1, 2, 3, 4, 100])).toBeCloseTo(1.4826)
  const line = [0, 1, 2, 3, 4, 5, 6, 7].map((x) => [x, 3 + 2 * x] as const)
  expect(theilSen([...line, [8, 500]])).toEqual({ slope: 2, intercept: 3 })
  expect(theilSen([[1, 2]])).toBeNull()
})

it('a rate is never taken across a hole or a reset', () => {
  expect(rates({ t: [0, 10, 20, 30, 40], v: [0, 100, null, 400, 5] })).toEqual({ t: [10, 20, 30, 40], v: [10, null, null, null] })
})

it('offsets are read on the straight line, positions as steps, neither beyond what was seen', () => {
  const line = { t: [0, 10], v: [0, 100] }
  expect([between(line, 5), between(line, 11), between(line, -1), between(line, 5, 9)]).toEqual([50, null, null, null])
  expect([heldAt(line, 5), heldAt(line, 99), heldAt(line, -1)]).toEqual([0, 100, null])
})

it('a sum with one part unknown is unknown, not smaller', () => {
  expect(
    sum(
      [
        { t: [0, 10], v: [1, 2] },
        { t: [0, 10], v: [5, null] },
      ],
      heldAt,
    ),
  ).toEqual({ t: [0, 10], v: [6, null] })
})
