import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrivalsOf, withoutUploads } from '../../src/attribution/arrivals.ts'
import { courseOf } from '../../src/attribution/reader-model.ts'

/** 10 records/s, read every 10 s. */
const steady = { t: Array.from({ length: 11 }, (_, i) => i * 10), v: Array.from({ length: 11 }, () => 10) }
const every10 = (after: number) => (Math.floor(after / 10) + 1) * 10
const arrivals = arrivalsOf(steady, 10, 1000, 1)

test('a reader that keeps up: lag and longest wait by hand', () => {
  // Batches at 0 (nothing there), 10 and 20 take 100 records each and 5 s. At 32 the batch of 30 is still running.
  const course = courseOf({ arrivals, seconds: () => 5, nextTrigger: every10, cap: 1e9 }, { at: 0, lag: 0 }, 32)
  expect(course.lag).toBeCloseTo(120)
  // The oldest record of the batch of 20 is the 101st: it came at 10.1 and was done at 25.
  expect(course.longestWait).toBeCloseTo(14.9)
})

test('in a silence nobody waits, however long ago the last record came', () => {
  // 100 records by 10, nothing until 90, then 100 more; batches at 10, 20, … take 5 s.
  const paused = arrivalsOf({ t: [0, 10, 90, 100], v: [10, 10, 0, 10] }, 10, 1000, 1)
  const course = courseOf({ arrivals: paused, seconds: () => 5, nextTrigger: every10, cap: 1e9 }, { at: 0, lag: 0 }, 100)
  expect(course.longestWait).toBeCloseTo(14.9)
})

test('an upload is taken out where it came, and what else came then stays', () => {
  const rates = { t: [0, 10, 20, 30, 40], v: [10, 10, 60, 60, null] }
  // 800 of the 900 records that came from 15 to 30 are old ones.
  const { t, v } = withoutUploads(rates, [{ records: 800, arrived: [15, 30] }])
  expect(t).toEqual(rates.t)
  expect(v[1]).toBe(10)
  expect((v[2] as number) * 10 + (v[3] as number) * 10).toBeCloseTo(1200 - 800)
  expect(v[4]).toBeNull()
  expect(withoutUploads(rates, [{ records: 5000, arrived: [10, 30] }]).v).toEqual([10, 10, 0, 0, null])
})

test('one that needs 20 s a batch starts the next at once: a missed trigger is not waited for', () => {
  // 0-20: nothing; 20-40: 200 records; 40-60: 200 records; at 70 the batch of 60 runs, and 700 - 400 records wait.
  const course = courseOf({ arrivals, seconds: () => 20, nextTrigger: every10, cap: 1e9 }, { at: 0, lag: 0 }, 70)
  expect(course.lag).toBeCloseTo(300)
})

test('a cap leaves records behind: 10 come a second, 50 are taken every 10 s', () => {
  const course = courseOf({ arrivals, seconds: () => 1, nextTrigger: every10, cap: 50 }, { at: 0, lag: 0 }, 100)
  expect(course.lag).toBeCloseTo(1000 - 9 * 50)
})

test('a backlog at the start is read like any record', () => {
  const course = courseOf({ arrivals, seconds: (_, rows) => rows / 100, nextTrigger: null, cap: 1e9 }, { at: 0, lag: 500 }, 50)
  // 500 records take 5 s, the 50 that came meanwhile half a second, and so on: then it keeps up.
  expect(course.lag).toBeLessThan(5)
})

test('arrivals: halved from 50 s on, 500 and then 250 come', () => {
  expect(arrivalsOf(steady, 10, 50, 0.5).by(100)).toBeCloseTo(750)
})

test('arrivals: what was not read counts at the level before', () => {
  const holed = { t: [0, 10, 20, 30], v: [10, 10, null, 10] }
  expect(arrivalsOf(holed, 7, 1000, 1).by(30)).toBeCloseTo(100 + 70 + 100)
})

test('arrivals: when so many had come is the way back from how many had come', () => {
  const gaps = fc.array(fc.record({ s: fc.integer({ min: 1, max: 60 }), rate: fc.integer({ min: 1, max: 5000 }) }), {
    minLength: 2,
    maxLength: 40,
  })
  fc.assert(
    fc.property(gaps, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.1, max: 1, noNaN: true }), (steps, part, share) => {
      const t = [0]
      for (const { s } of steps) t.push((t.at(-1) as number) + s)
      const curve = arrivalsOf({ t, v: [0, ...steps.map(({ rate }) => rate)] }, 5, (t.at(-1) as number) / 2, share)
      const at = part * (t.at(-1) as number)
      expect(curve.when(curve.by(at))).toBeCloseTo(at, 3)
    }),
  )
})
