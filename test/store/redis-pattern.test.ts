import { expect, test } from 'vitest'
import { patternOf } from '../../src/store/redis-pattern.ts'

test('no character of a prefix means more than itself in a pattern', () => {
  expect(patternOf('head-water:salt:')).toBe('head\\-water:salt:')
  expect(patternOf('a*b?c[d]e^f\\g')).toBe('a\\*b\\?c\\[d\\]e\\^f\\\\g')
})
