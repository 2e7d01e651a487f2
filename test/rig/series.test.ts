import { expect, test } from 'vitest'
import { namedFaults } from './faults/index.ts'
import type { Result } from './series.ts'
import { parseKinds, parseSeeds, planSeries, remaining, totalsOf } from './series.ts'
import { seriesTotals } from './series-text.ts'

test('kinds and seeds are read as written', () => {
  expect(parseKinds('all')).toEqual(namedFaults.map((fault) => fault.kind))
  expect(parseKinds('straggler_host')).toEqual(['straggler_host'])
  expect(parseKinds('none, slow_sink')).toEqual(['none', 'slow_sink'])
  expect(() => parseKinds('hot')).toThrow(/no fault hot; there are hot_partition/)
  expect(parseSeeds('1-3,7')).toEqual([1, 2, 3, 7])
  expect(() => parseSeeds('a')).toThrow(/seeds are like/)
})

test('one seed after the other, so that the job is started once per seed', () => {
  const tasks = planSeries(['none', 'slow_sink', 'intake_surge'], [1, 2])
  expect(tasks.map((task) => task.seed)).toEqual([1, 1, 1, 2, 2, 2])
  expect(planSeries(['none', 'slow_sink', 'intake_surge'], [1, 2])).toEqual(tasks)
})

test('a series goes on where it stopped; void drills are repeated, at most three times', () => {
  const tasks = planSeries(['none'], [1, 2, 3, 4])
  const result = (seed: number, why: string | null) => ({ kind: 'none', seed, void: why }) as Result
  const done = [
    result(1, null),
    result(2, 'busy'),
    result(3, 'busy'),
    result(3, 'busy'),
    { kind: 'none', seed: 3, error: 'no calm' },
    result(9, null),
  ]
  expect(remaining(tasks, done).map((task) => task.seed)).toEqual([2, 4])
})

/** A drill that counts; "unsure" = inconclusive. */
const drill = (kind: string, said: 'right' | 'wrong' | 'unsure', knowable = true) =>
  ({
    kind,
    seed: 1,
    void: null,
    knowable: { is: knowable, why: '', demandOverCapacity: null },
    judgement: {
      firstRight: said === 'right',
      accepted: said !== 'unsure',
      right: said === 'right',
      wrong: said === 'wrong',
      placeRight: said === 'right',
    },
    verdict: { ranking: [['slow_sink', 0.95]] },
    times: { faultMs: 0, askedMs: 40_000 },
    observed: { keptFromMs: null },
    verdictSeconds: 4,
  }) as unknown as Result

test.each<[string, Result[], Partial<ReturnType<typeof totalsOf>>]>([
  [
    'all that was right',
    [drill('slow_sink', 'right'), drill('none', 'right')],
    { counted: 2, faults: 1, accepted: 1, firstRight: 2, notKnowable: 0 },
  ],
  ['inconclusive counts against', [drill('slow_sink', 'unsure')], { counted: 1, faults: 1, accepted: 0, notKnowable: 0 }],
  ['but not where nobody could know', [drill('slow_sink', 'unsure', false)], { counted: 0, faults: 0, accepted: 0, notKnowable: 1 }],
  ['wrong stays wrong', [drill('slow_sink', 'wrong', false)], { counted: 1, faults: 1, wrong: 1, surelyWrong: 1, notKnowable: 0 }],
])('totals: %s', (_, results, totals) => {
  expect(totalsOf(results)).toMatchObject(totals)
})

test('what nobody could know, and kinds without a cause, are told apart in the totals', () => {
  const text = seriesTotals([drill('slow_sink', 'right'), drill('slow_sink', 'unsure', false), drill('straggler_host', 'unsure')])
  expect(text).toContain('with a fault 1: accepted 1')
  expect(text).toContain('inconclusive and not knowable, counted nowhere above: 1')
  expect(text).toContain('no cause of that name yet: 1, of them wrong 0 (0)')
  expect(seriesTotals([drill('slow_sink', 'right')]).split('\n')).toHaveLength(5)
})
