import { expect, test } from 'vitest'
import { somewhere } from './faults/fault.ts'
import { judge, placeIsRight } from './judge.ts'
import type { Verdict } from './verdict.ts'

const place = { topic: 'orders-s1', partitions: [], executor: null, host: null, broker: null, phase: null }
const verdict: Verdict = {
  outcome: 'cause',
  cause: 'hot_partition',
  place: { ...place, partitions: [3] },
  confidence: 0.9,
  ranking: [
    ['hot_partition', 0.9],
    ['intake_surge', 0.05],
  ],
  reason: null,
}

test('cause and place right', () => {
  const truth = { ...somewhere, partitions: [3] }
  expect(judge('hot_partition', truth, verdict, 'orders-s1')).toEqual({
    firstRight: true,
    accepted: true,
    right: true,
    wrong: false,
    placeRight: true,
  })
})

test('another cause than the true one is wrong, an inconclusive one is not', () => {
  expect(judge('intake_surge', somewhere, verdict, 'orders-s1')).toMatchObject({ right: false, wrong: true, placeRight: false })
  const unsure: Verdict = { ...verdict, outcome: 'inconclusive', cause: null }
  expect(judge('hot_partition', { ...somewhere, partitions: [3] }, unsure, 'orders-s1')).toMatchObject({
    firstRight: true,
    accepted: false,
    right: false,
    wrong: false,
  })
})

test('a quiet control is right with the outcome none', () => {
  const quiet: Verdict = { ...verdict, outcome: 'none', cause: null, place: null, ranking: [['none', 0.95]] }
  expect(judge('none', somewhere, quiet, 'orders-s1')).toMatchObject({ right: true, wrong: false, placeRight: null })
  expect(judge('hot_partition', somewhere, quiet, 'orders-s1').wrong).toBe(true)
})

test.each([
  ['another topic', { ...somewhere }, { ...place, topic: 'other' }, false],
  ['one partition too many', { ...somewhere, partitions: [3] }, { ...place, partitions: [3, 4] }, false],
  ['the executor by id', { ...somewhere, executor: '1', host: '127.0.0.2' }, { ...place, executor: '1' }, true],
  ['the executor by host and port', { ...somewhere, executor: '1', host: '127.0.0.2' }, { ...place, host: '127.0.0.2:4040' }, true],
  [
    'either executor of a host without a named one',
    { ...somewhere, host: '127.0.0.2' },
    { ...place, executor: '3', host: '127.0.0.2' },
    true,
  ],
  ['the other executor', { ...somewhere, executor: '1', host: '127.0.0.2' }, { ...place, executor: '0' }, false],
  ['the sink, commit meant', { ...somewhere, phase: 'commit' as const }, { ...place, phase: 'commit' }, true],
  ['the tasks, commit meant', { ...somewhere, phase: 'commit' as const }, { ...place, phase: 'write tasks' }, false],
  ['nothing said', { ...somewhere }, null, false],
  ['the whole topic', somewhere, place, true],
  ['one partition of a surge', somewhere, { ...place, partitions: [3] }, false],
])('place: %s', (_, truth, said, right) => {
  expect(placeIsRight(truth, said, 'orders-s1')).toBe(right)
})
