import { expect, test } from 'vitest'
import type { CompleteTo } from '../../src/attribution/attribution.ts'
import { completeInWords, deadlineInWords } from '../../src/report/complete-words.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { timelineOf } from '../build/timeline.ts'

const timeline = timelineOf({ kind: 'quiet' })
const clock = wallClock('Europe/Berlin')
/** Seconds before now, 14:06:00. */
const ago = (seconds: number): number => timeline.now - seconds
const complete: CompleteTo = { table: 'orders_bronze', at: ago(230), heldBackBy: [3], others: ago(0), byRecordTime: false, lateness: null }
const said = (change: Partial<CompleteTo>): string => completeInWords({ ...complete, ...change }, timeline, clock)

test('the line nobody else gives', () => {
  expect(said({})).toBe('orders_bronze is complete up to 14:02:10, held back by partition 3 (others 14:06)')
})

test.each<[string, Partial<CompleteTo>, string]>([
  [
    'close others need their seconds',
    { at: ago(20), others: ago(6) },
    'orders_bronze is complete up to 14:05:40, held back by partition 3 (others 14:05:54)',
  ],
  ['several', { heldBackBy: [3, 7] }, 'orders_bronze is complete up to 14:02:10, held back by partitions 3 and 7 (others 14:06)'],
  [
    'many',
    { heldBackBy: [1, 2, 3, 4, 5, 6] },
    'orders_bronze is complete up to 14:02:10, held back by partitions 1, 2, 3 and 3 more (others 14:06)',
  ],
  ['all alike', { heldBackBy: [], others: null }, 'orders_bronze is complete up to 14:02:10, all partitions alike'],
  [
    'yesterday',
    { at: ago(86_400), heldBackBy: [], others: null },
    'orders_bronze is complete up to 2026-11-29 14:06:00, all partitions alike',
  ],
  [
    'record time',
    { byRecordTime: true, lateness: { longest: 600, over: 480 } },
    'orders_bronze is complete up to 14:02:10, held back by partition 3 (others 14:06). By record time: records came up to 10 min late in the last 8 min, so data from before can still come',
  ],
  [
    'record time, all on time',
    { byRecordTime: true, lateness: { longest: 0.4, over: 480 } },
    'orders_bronze is complete up to 14:02:10, held back by partition 3 (others 14:06), by record time; no record came late in the last 8 min',
  ],
  [
    'record time, lateness not seen',
    { byRecordTime: true },
    'orders_bronze is complete up to 14:02:10, held back by partition 3 (others 14:06). By record time: how late records arrive was not seen, so data from before can still come',
  ],
])('%s', (_, change, words) => {
  expect(said(change)).toBe(words)
})

test('deadlines', () => {
  const what = 'the table is older than its objective of 2 min'
  expect(deadlineInWords({ kind: 'objective_broken', at: ago(180), partition: null, what }, timeline, clock)).toBe(
    `${what} since 14:03:00 (3 min ago)`,
  )
  const loses = 'partition 3 of orders starts losing unread data'
  expect(deadlineInWords({ kind: 'data_loss', at: timeline.now + 18_600, partition: 3, what: loses }, timeline, clock)).toBe(
    `${loses} in 5 h 10 min (19:16:00)`,
  )
})
