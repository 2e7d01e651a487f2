import { expect, test } from 'vitest'
import type { Attribution } from '../../src/attribution/attribution.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import { verdictJson } from '../../src/report/verdict-json.ts'
import { timelineOf } from '../build/timeline.ts'

const verdict: Attribution = {
  outcome: 'cause',
  cause: 'hot_partition',
  place: { ...nowhere, topic: 'orders', partitions: [3] },
  also: [],
  consequences: [],
  onset: [831.90049, 840],
  confidence: 0.933333,
  confidenceWords: 'very likely',
  reason: null,
  decidingSignal: null,
  howToDecide: null,
  ranking: [
    ['hot_partition', 0.933333],
    ['slow_processing', 0.03],
  ],
  headline: 'hot partition 3',
  supporting: [],
  opposing: [],
  ruledOut: [{ cause: 'executor_loss', by: 'executor.count 3 throughout' }],
  pressure: { intake: 0.1, skew: 0.9 },
  pressureNow: 0.3,
  pressureBefore: -0.2,
  counterfactual: null,
  schedulingDelay: { before: 0, now: 8.2004, waits: false, unknown: null },
  completeTo: { table: 'orders_bronze', at: 812, heldBackBy: [3], others: 900, byRecordTime: false, lateness: null },
  deadlines: [],
  closure: { state: 'untested', error: null, resolution: null, signals: [], partitions: [], says: 'Nothing was tested.' },
  gaps: [],
}

const timeline = timelineOf({ kind: 'quiet' })

test('fields and their order are those of the contract', () => {
  expect(verdictJson(verdict, timeline, { bundle: 'a.json' })).toBe(
    '{"bundle":"a.json","outcome":"cause","cause":"hot_partition",' +
      '"place":{"topic":"orders","partitions":[3],"executor":null,"host":null,"broker":null,"phase":null},"also":[],' +
      '"onset":[831.9,840],"confidence":0.9333,"reason":null,"deciding_signal":null,' +
      '"ranking":[["hot_partition",0.9333],["slow_processing",0.03]],' +
      '"ruled_out":[{"cause":"executor_loss","by":"executor.count 3 throughout"}],"pressure":{"intake":0.1,"skew":0.9},' +
      '"complete_to":{"orders_bronze":812},"checks":[],"consequences":[],"counterfactual":null,' +
      '"closure":{"state":"untested","error":null,"partitions":[]},"scheduling_delay_s":{"before":0,"now":8.2,"unknown":null}}',
  )
})

test('every number has its command or the reason why none shows it, with times as a bundle has them', () => {
  const check = { command: 'cat /cp/offsets/7', expect: 'written at {at 12.5}' }
  const supporting = [{ id: 'a', group: 'a', says: 'Since {at 12.5}: 3.', weight: 2, check }]
  const opposing = [{ id: 'b', group: 'b', says: 'It is 4.', weight: -1, noCheck: 'no topic is named' as const }]
  const ruledOut = [{ cause: 'none', by: 'Since {at 12.5}: 3.', check }]
  expect(JSON.parse(verdictJson({ ...verdict, supporting, opposing, ruledOut }, timeline, { bundle: null }))).toMatchObject({
    ruled_out: [{ cause: 'none', by: 'Since 12.5 s: 3.' }],
    checks: [
      { says: 'Since 12.5 s: 3.', command: 'cat /cp/offsets/7', expect: 'written at 12.5 s' },
      { says: 'It is 4.', none: 'no topic is named' },
    ],
  })
})

test('what follows from another cause, the lag without the cause and what does not add up come after them', () => {
  const more: Attribution = {
    ...verdict,
    consequences: [{ cause: 'slow_sink', of: 'hot_partition', share: 0.04 }],
    counterfactual: { lagNow: 48_312, lagWithout: 900, between: [900, 1400], removed: 0.91234 },
    closure: { ...verdict.closure, state: 'broken', error: 0.21, partitions: [3] },
  }
  expect(JSON.parse(verdictJson(more, timeline, { bundle: null }))).toMatchObject({
    consequences: [{ cause: 'slow_sink', of: 'hot_partition' }],
    counterfactual: { lag_now: 48_312, lag_without: 900, between: [900, 1400], removed: 0.9123 },
    closure: { state: 'broken', error: 0.21, partitions: [3] },
  })
})

test('time taken is told only where it is asked for', () => {
  expect(JSON.parse(verdictJson(verdict, timeline, { bundle: null, ms: 12.345 }))).toMatchObject({ bundle: null, ms: 12.3 })
  const none = { ...verdict, outcome: 'none' as const, cause: null, onset: null, confidence: null, completeTo: null }
  expect(JSON.parse(verdictJson(none, timeline, { bundle: null }))).toMatchObject({
    cause: null,
    onset: null,
    confidence: null,
    complete_to: {},
  })
})
