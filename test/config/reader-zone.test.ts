import { expect, test } from 'vitest'
import { readerZone } from '../../src/config/reader-zone.ts'

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
