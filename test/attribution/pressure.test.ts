import { expect, test } from 'vitest'
import { pressure } from '../../src/attribution/pressure.ts'
import type { Account } from '../../src/timeline/account.ts'
import type { Episode } from '../../src/timeline/episode.ts'

const usual: Account = {
  id: -1,
  seconds: 4.4,
  rows: 5700,
  latestOffset: 0.01,
  planning: 0.02,
  walCommit: 0,
  commitOffsets: 0,
  addBatch: 4.36,
  jobs: 3.9,
  sinkCommit: 0.04,
  run: 10,
  cpu: 1,
  slots: 4,
  upkeep: 0,
}
const episode: Episode = { limit: 8, usual: 4.4, base: [], ill: [], from: 0, since: 0, ended: null, censored: false }
const intake = { before: 713, now: 713, window: [0, 1], partitions: [] } as never

test('a batch after which the table wrote a checkpoint of its log does not speak while another ill one can', () => {
  const commit: Account = { ...usual, id: 29, seconds: 11.4, addBatch: 11.3, sinkCommit: 7.24 }
  const withUpkeep: Account = { ...usual, id: 30, seconds: 21.8, addBatch: 21.8, sinkCommit: 4, upkeep: 12.3 }
  const both = pressure(usual, [commit, withUpkeep], intake, episode, 8)
  // 11.4 - 4.4 = 7 s more, 7.2 s of them the commit (other parts took less); of the 21.8 s most would have no name.
  expect(both?.shares?.sink).toBeCloseTo(7.2 / 7)
  expect(pressure(usual, [withUpkeep], intake, episode, 8)?.shares?.driver).toBeGreaterThan(0.7)
})
