import { expect, test } from 'vitest'
import { judgeCalm } from './calm.ts'
import type { Batch } from './checkpoint.ts'

const TRIGGER_MS = 5000

/** Back to back triggers from t = 0; `seconds` of each batch in order, numbered from `first`. */
const batches = (seconds: readonly number[], first = 5): Batch[] =>
  seconds.map((s, i) => ({
    number: first + i,
    startMs: i * TRIGGER_MS,
    endMs: i * TRIGGER_MS + s * 1000,
    ends: [],
    records: 2000,
  }))

const question = { sinceMs: 0, triggerMs: TRIGGER_MS, lag: 2000, rate: 400 }
const twenty = new Array<number>(20).fill(3)

test('twenty calm batches, a small lag: calm', () => {
  expect(judgeCalm({ ...question, batches: batches(twenty) })).toEqual({ batches: 20, missing: undefined })
})

test('the first five of a start do not count', () => {
  expect(judgeCalm({ ...question, batches: batches(twenty, 0) })).toEqual({ batches: 15, missing: '15 of 20 calm batches' })
})

test('batches before the load was set do not count', () => {
  expect(judgeCalm({ ...question, sinceMs: 3 * TRIGGER_MS, batches: batches(twenty) }).batches).toBe(17)
})

test('a batch above 0.7 of the trigger is not calm, and not as the newest', () => {
  expect(judgeCalm({ ...question, batches: batches([...twenty.slice(1), 3.6]) }).batches).toBe(19)
  expect(judgeCalm({ ...question, batches: batches([...twenty, 3.6]) }).missing).toMatch(/newest batches/)
  expect(judgeCalm({ ...question, batches: batches([3.6, ...twenty]) }).missing).toBeUndefined()
})

test('lag must be below 2.5 triggers of intake', () => {
  // 400/s x 5 s x 2.5 = 5000
  expect(judgeCalm({ ...question, lag: 4999, batches: batches(twenty) }).missing).toBeUndefined()
  expect(judgeCalm({ ...question, lag: 5000, batches: batches(twenty) }).missing).toBe('lag 5000 of at most 5000')
})
