import { expect, test } from 'vitest'
import { didYouMean } from '../../src/config/did-you-mean.ts'
import { pathText } from '../../src/config/mistake.ts'
import { parseDuration } from '../../src/config/parse-duration.ts'
import { readerZone } from '../../src/config/reader-zone.ts'

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

test('a path is written as one would look for it', () => {
  expect(pathText(['pipelines', 'orders', 'brokers', 0])).toBe('pipelines.orders.brokers[0]')
  expect(pathText(['pipelines', 'a b'])).toBe('pipelines."a b"')
  expect(pathText([])).toBe('')
})

test.each<[string | undefined, string]>([
  [undefined, 'UTC'],
  ['', 'UTC'],
  ['America/New_York', 'America/New_York'],
  [':Europe/Berlin', 'Europe/Berlin'],
  // A rule and a path name no zone that has a name.
  ['CET-1CEST', 'UTC'],
  [':/etc/localtime', 'UTC'],
])('TZ=%j is read in %s', (TZ, zone) => {
  expect(readerZone({ TZ })).toBe(zone)
})
