import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['30m', 1_800_000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
])('%s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['30', 'm', '30 min', '-5s', ''])('"%s" is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow('a duration is like 30m, 90s or 500ms')
})
