import { expect, test } from 'vitest'
import { coarse } from '../../src/report/chart/dense.ts'

/** 100 s on 700 pixels: a step of at least 7 pixels is a step of one second. */
const window = { from: 0, to: 100 }

test('steps wide enough to see stay as they are', () => {
  const line = { t: [0, 5, 10], v: [3, 4, 5] }
  expect(coarse(line, window, 700)).toEqual(line)
})

test('narrow steps are averaged by the time they hold', () => {
  // 0.25 s at 8 and 0.75 s at 4 are one second at 5.
  expect(coarse({ t: [0, 0.25, 1, 2], v: [1, 8, 4, 6] }, window, 700)).toEqual({ t: [0, 1, 2], v: [1, 5, 6] })
})

test('what is left at the end is not lost', () => {
  expect(coarse({ t: [0, 1, 1.5], v: [1, 2, 9] }, window, 700)).toEqual({ t: [0, 1, 1.5], v: [1, 2, 9] })
})

test('nothing is averaged across a poll without an answer', () => {
  expect(coarse({ t: [0, 0.5, 0.75, 1.25, 1.75], v: [1, 2, null, 4, 5] }, window, 700)).toEqual({
    t: [0, 0.5, 0.75, 1.25, 1.75],
    v: [1, 2, null, 4, 5],
  })
})
