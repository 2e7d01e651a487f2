/** How far demand is above capacity, and which part of the extra seconds is whose. */
import { describe, expect, it } from 'vitest'
import { pressure } from '../../src/attribution/pressure.ts'
import type { Account } from '../../src/timeline/account.ts'
import type { Episode } from '../../src/timeline/episode.ts'
import type { IntakeChange } from '../../src/timeline/intake.ts'

/** 1,000 rows in 4 s: 3 s of jobs on 4 slots, 0.4 s of commit. The trigger is 5 s. */
const usual: Account = {
  id: 1,
  seconds: 4,
  rows: 1000,
  latestOffset: 0.1,
  planning: 0.1,
  walCommit: 0.1,
  commitOffsets: 0.1,
  addBatch: 3.6,
  jobs: 3,
  sinkCommit: 0.4,
  run: 10,
  cpu: 2,
  slots: 4,
  upkeep: 0,
}
const intake = (before: number, now: number): IntakeChange => ({
  beforeWindow: [0, 100],
  nowWindow: [100, 140],
  before,
  now,
  partitions: [],
  step: null,
  seen: 1,
  of: 1,
})
const episode: Episode = { limit: 5, usual: 4, base: [], ill: [], from: 100, since: 95, ended: null, censored: false, began: null }
const slowCommit = (id: number, extra: number, driver = 0): Account => ({
  ...usual,
  id,
  seconds: 4 + extra + driver,
  sinkCommit: 0.4 + extra,
})
const of = (ill: readonly Account[], flow = intake(200, 200)) => pressure(usual, ill, flow, episode, 5)

it('a commit that takes 4 s more: 8 s are needed where 5 s are', () => {
  const pressed = of([slowCommit(2, 4)])
  expect(pressed?.before).toBeCloseTo(Math.log(4 / 5))
  expect(pressed?.now).toBeCloseTo(Math.log(8 / 5))
  expect(pressed?.shares?.sink).toBeCloseTo(1)
})

describe('of several batches', () => {
  it('all together tell why: one odd batch does not speak for the others', () => {
    // 4 s of commit in each of three; in the second the driver takes 8 s besides.
    const shares = of([slowCommit(2, 4), slowCommit(3, 4, 8), slowCommit(4, 4)])?.shares
    expect(shares?.sink).toBeCloseTo(12 / 20)
    expect(shares?.driver).toBeCloseTo(8 / 20)
  })

  it('the slowest tells how far, for the first may have been hit half-way only', () => {
    expect(of([slowCommit(2, 1), slowCommit(3, 4)])?.now).toBeCloseTo(Math.log(8 / 5))
  })

  it('one after which the table wrote a checkpoint of its log does not speak while another can', () => {
    const gathered = { ...slowCommit(3, 4, 12), upkeep: 12 }
    expect(of([slowCommit(2, 4), gathered])?.shares?.sink).toBeCloseTo(1)
    expect(of([gathered])?.shares?.driver).toBeCloseTo(12 / 16)
  })

  it('one that was quicker than usual takes nothing away from the others', () => {
    expect(of([slowCommit(2, 4), { ...usual, id: 3, seconds: 3, jobs: 2 }])?.shares?.sink).toBeCloseTo(1)
  })
})

it('rows that wait because batches were slow are no demand: they are taken at the rate at which they come', () => {
  // Twice the rows at the same intake: without the backlog it would have been a usual batch.
  const late = { ...usual, id: 2, seconds: 7, rows: 2000, jobs: 6, run: 20 }
  expect(of([late])?.shares).toBeNull()
  expect(of([late], intake(200, 400))?.shares?.intake).toBeCloseTo(1)
})

it('shares add up to 1, also where something became quicker', () => {
  const mixed = { ...slowCommit(2, 4), jobs: 2.5, run: 8, seconds: 7.5 }
  const shares = Object.values(of([mixed])?.shares ?? {})
  expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1)
  expect(Math.min(...shares)).toBeLessThan(0)
})
