import { expect, test } from 'vitest'
import { timeTicks } from '../../src/report/chart/time-axis.ts'
import { wallClock } from '../../src/report/wall-clock.ts'

const zeroS = Date.UTC(2026, 10, 30, 13) / 1000
const labels = (from: number, to: number, zone: string): string[] =>
  timeTicks({ from, to }, zeroS, wallClock(zone), 8).map((tick) => tick.label)

test.each<[string, number, number, string, string[]]>([
  ['a minute', 0, 60, 'UTC', ['13:00:00', '13:00:10', '13:00:20', '13:00:30', '13:00:40', '13:00:50', '13:01:00']],
  ['six minutes', 65, 425, 'Europe/Berlin', ['14:02', '14:03', '14:04', '14:05', '14:06', '14:07']],
  ['an hour', 0, 3600, 'UTC', ['13:00', '13:10', '13:20', '13:30', '13:40', '13:50', '14:00']],
  ['six hours half an hour off', 0, 21_600, 'Asia/Kolkata', ['19:00', '20:00', '21:00', '22:00', '23:00', '00:00']],
])('%s', (_, from, to, zone, expected) => {
  expect(labels(from, to, zone)).toEqual(expected)
})
