/** Quantities as people write them; every value here can be checked by hand. */
import { expect, test } from 'vitest'
import {
  count,
  duration,
  grouped,
  listed,
  numbered,
  partitionsNamed,
  rate,
  records,
  relative,
  share,
  times,
} from '../../src/incident/format.ts'

test.each([
  [0, '0'],
  [7, '7'],
  [0.04, '0'],
  [3.7, '3.7'],
  [9.96, '10'],
  [999, '999'],
  [1240, '1,240'],
  [9999, '9,999'],
  [10_000, '10 k'],
  [48_312, '48 k'],
  [999_499, '999 k'],
  [999_600, '1.0 M'],
  [1_240_000, '1.2 M'],
  [12_400_000, '12 M'],
  [3_200_000_000, '3.2 bn'],
  [-1240, '−1,240'],
  [Number.NaN, 'not known'],
])('count %d is %s', (value, words) => {
  expect(count(value)).toBe(words)
})

test.each([
  [600, '600 records/s'],
  [0, '0 records/s'],
  [0.5, '0.5 records/s'],
  [0.05, '3 records/min'],
  [12_340, '12 k records/s'],
])('rate %d is %s', (value, words) => {
  expect(rate(value)).toBe(words)
})

test.each([
  [0, '0 s'],
  [0.85, '850 ms'],
  [0.9996, '1 s'],
  [4.72, '4.7 s'],
  [5, '5 s'],
  [9.97, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [200, '3 min 20 s'],
  [3599.4, '59 min 59 s'],
  [3599.6, '1 h'],
  [18_600, '5 h 10 min'],
  [86_399, '1 d'],
  [273_600, '3 d 4 h'],
  [-200, '−3 min 20 s'],
  [Number.POSITIVE_INFINITY, 'not known'],
])('duration %d is %s', (value, words) => {
  expect(duration(value)).toBe(words)
})

test.each([
  [-130, '2 min 10 s ago'],
  [18_600, 'in 5 h 10 min'],
  [-4.6, '5 s ago'],
  [0.4, 'just now'],
])('%d s from now is %s', (value, words) => {
  expect(relative(value)).toBe(words)
})

test('shares, factors, exact numbers and lists', () => {
  expect([share(0.623), share(-0.02), times(1.94), times(12.4), grouped(48_312)]).toEqual([
    '62 %',
    '−2 %',
    '1.9 times',
    '12 times',
    '48,312',
  ])
  expect([records(1), records(2)]).toEqual(['1 record', '2 records'])
  expect([listed([]), listed([3]), listed([3, 7]), listed([3, 7, 9]), listed([1, 2, 3, 4, 5])]).toEqual([
    '',
    '3',
    '3 and 7',
    '3, 7 and 9',
    '1, 2, 3 and 2 more',
  ])
  expect([partitionsNamed([3]), partitionsNamed([3, 7])]).toEqual(['partition 3', 'partitions 3 and 7'])
})

test.each([
  [1, '1.0 times'],
  [0.94, '0.9 times'],
  [2, '2.0 times'],
  [9.96, '10 times'],
  [0.04, 'less than 0.1 times'],
  [0, 'less than 0.1 times'],
  [Number.POSITIVE_INFINITY, 'many times'],
])('a factor is measured, so %d is %s', (factor, words) => {
  expect(times(factor)).toBe(words)
})

test('one is one, everything else is many', () => {
  expect([0, 1, 2, 1200].map((value) => numbered(value, 'executor'))).toEqual([
    '0 executors',
    '1 executor',
    '2 executors',
    '1,200 executors',
  ])
})
