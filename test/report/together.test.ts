/** What a person reads of two causes at once, of consequences, of readings that disagree, and of numbers that do not add up. */
import { expect, test } from 'vitest'
import type { Attribution } from '../../src/attribution/attribution.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const view = { zone: 'UTC', color: false, verbose: false }
const timeline = timelineOf({ kind: 'hot_partition' })
const said = (change: Partial<Attribution>, verbose = false) =>
  renderVerdict(verdictOf('hot_partition', timeline, change), timeline, { ...view, verbose })

test('two causes: both are named, and the lag without both is told', () => {
  const text = said({ also: ['slow_sink'] })
  expect(text).toMatch(/\nAlso +Slow sink, at the same time\n/)
  expect(text).toMatch(/without both causes it\s+would be 900/)
})

test('the lag without the cause is a range where it is not known better', () => {
  expect(said({ counterfactual: { lagNow: 48_312, lagWithout: 900, between: [900, 12_300], removed: 0.9 } })).toMatch(
    /without this cause it would\s+be between 900 and 12 k/,
  )
  // A range that hardly matters is one number.
  expect(said({ counterfactual: { lagNow: 48_312, lagWithout: 900, between: [900, 1300], removed: 0.9 } })).toMatch(/it would\s+be 900\n/)
})

test('a consequence is told beside its cause', () => {
  const text = said({ consequences: [{ cause: 'memory_gc', of: 'hot_partition', share: 0.04 }] })
  expect(text).toContain('Follows from another cause\n  ↳ Memory pressure: a consequence of "Hot partition"; without that 4 % of the')
  expect(said({})).not.toContain('Follows from another cause')
})

test('readings that disagree are quoted, the one for and the one against', () => {
  const text = said({
    outcome: 'inconclusive',
    cause: null,
    reason: 'disagree:place.share/flow.total',
    decidingSignal: 'batches',
    howToDecide: 'ask again',
  })
  expect(text).toContain('orders: inconclusive, two readings disagree')
  expect(text).toMatch(/\nDisagree +partition 3 takes 480 records\/s/)
  expect(text).toMatch(/\n +total intake rose too/)
})

test('data that does not add up comes before what it seems to show', () => {
  const closure = { ...timeline.closure, state: 'broken' as const, error: 0.3, says: 'The measured lag contradicts the offsets.' }
  const text = said({ outcome: 'inconclusive', cause: null, reason: 'closure:partition.lag/partition.log_end_offset', closure })
  expect(text).toContain('inconclusive, the readings do not add up, so the data itself is in doubt')
  expect(text).toMatch(/\nData +The measured lag contradicts the offsets\.\n/)
})

test('whether the readings add up is told to who asks for everything, also that it was not tested', () => {
  expect(said({}, true)).toContain('Checked\n  · Nothing was tested.')
  expect(said({})).not.toContain('Nothing was tested.')
})

test('for whom nothing speaks nobody suspects: what is wrong is told instead', () => {
  const change: Partial<Attribution> = {
    outcome: 'inconclusive',
    cause: null,
    reason: 'unexplained',
    supporting: [],
    opposing: [{ id: 'batch.within_limit', group: 'batch', says: 'A batch took 27 s; its limit is 4 s.', weight: -3 }],
    ranking: [
      ['executor_loss', 0.11],
      ['unknown', 0.63],
    ],
  }
  expect(said(change)).toContain('Looks wrong\n  − A batch took 27 s; its limit is 4 s.')
  expect(said(change)).not.toContain('Best candidates')
  expect(
    said({
      ...change,
      supporting: [{ id: 'executor.stands', group: 'executor', says: 'Executor 1 stands still.', weight: 0.6 }],
    }),
  ).toContain('Best candidates\n  ? Executors lost')
})
