import { expect, test } from 'vitest'
import { wallClock } from '../../src/report/wall-clock.ts'

const at = Date.UTC(2026, 10, 30, 13, 2, 10) / 1000

test.each([
  ['UTC', '13:02:10', '2026-11-30', 0],
  ['Europe/Berlin', '14:02:10', '2026-11-30', 3600],
  ['Asia/Kolkata', '18:32:10', '2026-11-30', 19_800],
  ['Pacific/Kiritimati', '03:02:10', '2026-12-01', 50_400],
  ['America/St_Johns', '09:32:10', '2026-11-30', -12_600],
])('in %s it is %s', (zone, time, day, offset) => {
  const clock = wallClock(zone)
  expect([clock.time(at), clock.minute(at), clock.day(at), clock.offsetS(at), clock.zone]).toEqual([
    time,
    time.slice(0, 5),
    day,
    offset,
    zone,
  ])
})

test('midnight is 00, not 24', () => {
  expect(wallClock('UTC').time(Date.UTC(2026, 0, 1) / 1000)).toBe('00:00:00')
})

test('fractions belong to the second that has begun', () => {
  expect(wallClock('UTC').time(at + 0.999)).toBe('13:02:10')
})

test('another day is named, the same day is not', () => {
  const clock = wallClock('Europe/Berlin')
  expect(clock.moment(at - 600, at)).toBe('13:52:10')
  expect(clock.moment(at - 86_400, at)).toBe('2026-11-29 14:02:10')
})

test('the hour that summer time takes away', () => {
  const clock = wallClock('Europe/Berlin')
  const switched = Date.UTC(2026, 2, 29, 1) / 1000
  expect([clock.time(switched - 1), clock.time(switched)]).toEqual(['01:59:59', '03:00:00'])
})

test('an unknown zone is UTC, and says so', () => {
  const clock = wallClock('Middle/Earth')
  expect([clock.zone, clock.time(at)]).toEqual(['UTC', '13:02:10'])
})
