import { describe, expect, it } from 'vitest'
import { withUsualTableLog } from '../../src/attribution/without-table-log.ts'
import type { Account } from '../../src/timeline/account.ts'
import type { TimedBatch } from '../../src/timeline/timeline.ts'

const job = (kind: 'query' | 'delta-snapshot', start: number, end: number) => ({ kind, start, end })
const batch = (seconds: number, jobs: TimedBatch['jobs'] & object): TimedBatch => ({
  id: 1,
  start: 0,
  end: seconds,
  seconds,
  open: false,
  warmUp: false,
  jobs,
})

/** A usual batch: 4 s, one write from 1 s to 3.5 s, half a second of commit. */
const base = Array.from({ length: 5 }, () => batch(4, [job('delta-snapshot', 0.3, 0.6), job('query', 1, 3.5)]))
const usual = { id: -1, seconds: 4, rows: 1000, jobs: 2.8, sinkCommit: 0.5, commitOffsets: 0, run: 9, slots: 4, upkeep: 0 } as Account

const of = (account: Partial<Account>, jobs: TimedBatch['jobs'] & object) => {
  const seconds = account.seconds as number
  return withUsualTableLog({ ...usual, ...account }, usual, batch(seconds, jobs), base)
}

describe('without a slow table log', () => {
  it('a slow commit is as quick as usual', () => {
    const jobs = [job('delta-snapshot', 0.3, 0.6), job('query', 1, 3.5)]
    expect(of({ seconds: 8, sinkCommit: 4.5 }, jobs)).toMatchObject({ seconds: 4, sinkCommit: 0.5, jobs: 2.8 })
  })

  // Commit until 7.5 s, then the log is read, gathered by a job of 4 s, and that is written: 18 s.
  const gathers = [job('delta-snapshot', 0.3, 0.6), job('query', 1, 3.5), job('delta-snapshot', 7.5, 8), job('query', 11, 15)]

  it('so is what gathers the log after it: the batch ends half a second after its write', () => {
    expect(of({ seconds: 18, sinkCommit: 3, jobs: 7.3 }, gathers)).toMatchObject({ seconds: 4, sinkCommit: 0.5, jobs: 2.8 })
  })

  it('so it is where the time of the commit told the gathering apart: 4 s of commit from 3.5 s on, and 10.5 s after it', () => {
    const told = { seconds: 18, sinkCommit: 4, upkeep: 10.5, jobs: 7.3 }
    expect(of(told, gathers)).toMatchObject({ seconds: 4, sinkCommit: 0.5, upkeep: 0, jobs: 2.8 })
    const gathersFor1s = { ...usual, upkeep: 1 }
    expect(withUsualTableLog({ ...usual, ...told }, gathersFor1s, batch(18, gathers), base)).toMatchObject({ seconds: 5, upkeep: 1 })
  })

  it('where the commit is quick, gathering the log is nothing unusual', () => {
    expect(of({ seconds: 18, sinkCommit: 0.6, jobs: 7.3 }, gathers)).toMatchObject({ seconds: 17.9, jobs: 7.3 })
  })

  it('a reader that always writes twice has its second write left alone', () => {
    const twice = Array.from({ length: 5 }, () => batch(9, [job('query', 1, 3), job('delta-snapshot', 3.5, 4), job('query', 5, 8)]))
    const slow = batch(13, [job('query', 1, 3), job('delta-snapshot', 3.5, 4), job('query', 5, 8)])
    const account = withUsualTableLog({ ...usual, seconds: 13, sinkCommit: 4.5, jobs: 5.5 }, usual, slow, twice)
    expect(account).toMatchObject({ seconds: 9, jobs: 5.5 })
  })
})
