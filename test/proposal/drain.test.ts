import { expect, test } from 'vitest'
import { drainOf } from '../../src/proposal/drain.ts'

// 60,000 waiting and 100 x 60 more during the restart; at 1,100 - 100 = 1,000 records/s: 60 + 66 s, at 400 - 100 = 300: 60 + 220 s.
test('a backlog drains with what capacity has over intake, after a restart that adds to it; ±25 %', () => {
  expect(drainOf({ lag: 60_000, intake: 100, restart: 60 }, [400, 1100])).toEqual([126 * 0.75, 280 * 1.25])
})

test('at the lower rate it may not drain, and at neither there is nothing to say', () => {
  expect(drainOf({ lag: 60_000, intake: 500, restart: 0 }, [400, 1100])).toEqual([75, null])
  expect(drainOf({ lag: 60_000, intake: 1200, restart: 0 }, [400, 1100])).toBeNull()
})
