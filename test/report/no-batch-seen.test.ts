import { expect, test } from 'vitest'
import { missedCommits, noBatchSeen } from '../../src/report/chart/no-batch-seen.ts'
import type { TimedBatch, Timeline } from '../../src/timeline/timeline.ts'
import { timelineOf } from '../build/timeline.ts'

const quiet = timelineOf({ kind: 'quiet' })
/** Batch `id` runs from id × 10 s, for 4 s. */
const batch = (id: number, more: Partial<TimedBatch> = {}): TimedBatch => ({
  id,
  start: id * 10,
  end: id * 10 + 4,
  seconds: 4,
  open: false,
  warmUp: false,
  ...more,
})
const window = { from: 0, to: 100 }
const steady = { t: [0, 50, 100], v: [5, 5, 5] }
const holes = (batches: readonly TimedBatch[], more: Partial<Timeline> = {}) =>
  noBatchSeen({ ...quiet, intake: steady, ...more, batches }, batches, window)
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => batch(from + i))

test('one after the other up to now: nothing is missing', () => {
  expect(holes(ids(0, 9))).toEqual([])
})

test('a driver keeps only its newest: before the oldest nothing was seen, unless it is the first of all', () => {
  expect(holes(ids(4, 9))).toEqual([{ from: 0, to: 40 }])
  const first = ids(4, 9).map((one) => ({ ...one, id: one.id - 4 }))
  expect(holes(first)).toEqual([])
})

test('a number that is left out is a batch that was not seen', () => {
  expect(holes([...ids(0, 3), ...ids(6, 9)])).toEqual([{ from: 34, to: 60 }])
})

test('the ids of DStreams are times', () => {
  const pipeline = { ...quiet.pipeline, reader: { kind: 'spark-dstreams' as const } }
  const everyHundred = ids(0, 9).map((one) => ({ ...one, id: one.id * 100 }))
  expect(holes(everyHundred, { pipeline })).toEqual([])
})

test('no batch up to now while records arrive is not seen; while none arrive it is an idle reader', () => {
  expect(holes(ids(0, 5))).toEqual([{ from: 54, to: 100 }])
  expect(holes(ids(0, 5), { intake: { t: [0, 50, 60, 100], v: [5, 5, 0, 0] } })).toEqual([])
  expect(holes(ids(0, 5), { intake: { t: [], v: [] } })).toEqual([{ from: 54, to: 100 }])
})

test('an open batch was seen', () => {
  expect(holes([...ids(0, 4), batch(5, { end: null, open: true, seconds: 50 })])).toEqual([])
})

test('commits that were missed hide the lag until the next one is over', () => {
  expect(missedCommits({ ...quiet, batches: [...ids(0, 3), ...ids(6, 9)] }, window)).toEqual([{ from: 34, to: 64 }])
})
