import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Account } from '../../src/timeline/account.ts'
import { accountOf, excessOf } from '../../src/timeline/account.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { TimedBatch } from '../../src/timeline/timeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const usual: Account = {
  id: -1,
  seconds: 3,
  rows: 2000,
  latestOffset: 0.01,
  planning: 0.02,
  walCommit: 0.01,
  commitOffsets: 0.01,
  addBatch: 2.95,
  jobs: 2,
  sinkCommit: 0.5,
  run: 8,
  cpu: 1,
  slots: 4,
  upkeep: 0,
}

it('books twice the rows at the same cost on volume: 2 s of jobs become 4 s', () => {
  const e = excessOf({ ...usual, seconds: 5, rows: 4000, run: 16, jobs: 4 }, usual)
  expect(e.volume).toBeCloseTo(2)
  expect([e.cost, e.slots, e.unevenness, e.sinkCommit, e.driver].map((v) => Math.abs(Math.round(v * 1e6)))).toEqual([0, 0, 0, 0, 0])
})

it('books half the slots on slots, and a commit of 4.5 s in place of 0.5 s on the sink', () => {
  const e = excessOf({ ...usual, seconds: 9, slots: 2, jobs: 4, sinkCommit: 4.5 }, usual)
  expect(e.slots).toBeCloseTo(2)
  expect(e.sinkCommit).toBe(4)
})

it('books one long task (same rows, same run time, jobs four times as long) on unevenness', () => {
  const e = excessOf({ ...usual, seconds: 9, jobs: 8 }, usual)
  expect(e.unevenness).toBeCloseTo(6)
})

it('always closes: the terms add up to the extra seconds', () => {
  const positive = fc.double({ min: 0.01, max: 1e4, noNaN: true })
  const maybe = fc.option(positive, { nil: null })
  const account = fc.record({
    id: fc.constant(1),
    seconds: positive,
    rows: maybe,
    latestOffset: maybe,
    planning: maybe,
    walCommit: maybe,
    commitOffsets: maybe,
    addBatch: maybe,
    jobs: maybe,
    sinkCommit: maybe,
    run: maybe,
    cpu: maybe,
    slots: maybe,
    upkeep: fc.constantFrom(0, 3),
  })
  fc.assert(
    fc.property(account, account, (now, before) => {
      const sum = Object.values(excessOf(now, before)).reduce((a, b) => a + b, 0)
      expect(Math.abs(sum - (now.seconds - before.seconds))).toBeLessThan(1e-6 * Math.max(1, now.seconds, before.seconds))
    }),
  )
})

it('reads jobs, commit and driver time of a batch from its jobs', () => {
  const timeline = buildTimeline(evidenceOf())
  const batch: TimedBatch = {
    id: 7,
    start: 100,
    end: 110,
    seconds: 10,
    open: false,
    warmUp: false,
    rows: 1000,
    duration_ms: { latestOffset: 10, walCommit: 20, queryPlanning: 70, addBatch: 9850, commitOffsets: 50 },
    jobs: [
      { start: 100.2, end: 100.7, kind: 'delta-snapshot' },
      { start: 101.7, end: 105.7, kind: 'query' },
    ],
  }
  const account = accountOf(batch, timeline)
  // 0.5 s + 4 s of jobs; addBatch ends at 109.95, 4.25 s after the write job.
  expect(account.jobs).toBeCloseTo(4.5)
  expect(account.sinkCommit).toBeCloseTo(4.25)
})

it('takes the checkpoint that Delta writes of its log after a commit for neither the batch nor its commit', () => {
  const evidence = evidenceOf()
  const commits = [{ version: 30, at: 109.08, kind: 'data' as const, batch_id: 30 }]
  const timeline = buildTimeline({ ...evidence, commits })
  const batch: TimedBatch = {
    id: 30,
    start: 100,
    end: 121.8,
    seconds: 21.8,
    open: false,
    warmUp: false,
    commit_version: 30,
    duration_ms: { addBatch: 21_800, commitOffsets: 0 },
    jobs: [
      { start: 100.43, end: 100.67, kind: 'delta-snapshot' },
      { start: 101.27, end: 105.49, kind: 'query' },
      { start: 109.51, end: 109.77, kind: 'delta-snapshot' },
      // The checkpoint itself is written by jobs that bear no mark of Delta.
      { start: 114.36, end: 118.17, kind: 'query' },
    ],
  }
  const account = accountOf(batch, timeline)
  // From the write job's end (105.49) to the first look at the log (109.51).
  expect(account.sinkCommit).toBeCloseTo(4.02)
  // From there to the end of addBatch (121.8).
  expect(account.upkeep).toBeCloseTo(12.29)
})
