import { expect, test } from 'vitest'
import { didYouMean } from '../../src/incident/did-you-mean.ts'
import { tableNamed } from '../../src/incident/format.ts'
import { parseDuration } from '../../src/incident/parse-duration.ts'

test.each<[string, number | null]>([
  ['5s', 5],
  ['500ms', 0.5],
  ['2m', 120],
  ['1h 30m', 5400],
  ['1h30m', 5400],
  [' 1.5 s ', 1.5],
  ['1d', 86_400],
  ['0s', null],
  ['5', null],
  ['5 sec', null],
  ['-5s', null],
  ['soon', null],
  ['', null],
])('%j is %s seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

test.each([
  [undefined, 'the table'],
  ['', 'the table'],
  ['table', 'the table'],
  ['orders_bronze', 'the table orders_bronze'],
])('a table called %j is %j', (name, words) => {
  expect(tableNamed(name)).toBe(words)
})

test.each<[string, string | null]>([
  ['brokrs', 'brokers'],
  ['sparc', 'spark'],
  ['maxOffsetsPerTrigger', 'max_offsets_per_trigger'],
  ['toipc', 'topic'],
  ['colour', null],
  ['x', null],
])('%s was meant as %s', (written, meant) => {
  expect(didYouMean(written, ['topic', 'brokers', 'spark', 'max_offsets_per_trigger'])).toBe(meant)
})
