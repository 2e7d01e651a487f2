/** The rules of acceptance, one by one: what is named, and the reason where nothing is. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Question } from '../../src/attribution/accept.ts'
import { accept } from '../../src/attribution/accept.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Missing } from '../../src/attribution/cause.ts'
import { coverageOf, rivalOf, trustOf } from '../../src/attribution/coverage.ts'
import type { Weighed } from '../../src/attribution/rank.ts'
import { rank } from '../../src/attribution/rank.ts'

/** Any name will do here; which there are is the table's business. */
const reading = (signal: string, weight: number): Missing => ({ signal: signal as Missing['signal'], how: `read ${signal}`, weight })

/** A cause with one observation a group. */
function candidate(name: string, weights: Readonly<Record<string, number>>, missing: readonly Missing[] = [], prior = 0.08): Weighed {
  const evidence = Object.entries(weights).map(([group, weight]) => ({ id: `${group}.${name}`, group, says: `${group} says so`, weight }))
  const weighing = { evidence, missing, place: nowhere, onset: null, headline: name }
  const remedy = { action: 'nothing', why: 'a test' } as const
  return { cause: { name, prior, needs: [], remedy, weigh: () => weighing }, weighing }
}

const ask = (candidates: readonly Weighed[], change: Partial<Question> = {}) =>
  accept({ ranking: rank(candidates, { symptoms: true }), symptoms: true, contradiction: [], removed: null, otherwise: null, ...change })

const clear = { flow: 2.2, batch: 1.1, order: 0.6, task: 1 }
const other = candidate('slow_sink', { sink: -2 })

test('clear evidence from several sides is accepted', () => {
  expect(ask([candidate('intake_surge', clear), other])).toEqual({ accepted: true, reason: null, deciding: null })
})

describe('each rule by itself', () => {
  const cases: [string, string, Weighed[], Partial<Question>][] = [
    ['nothing speaks for anybody', 'unexplained', [candidate('intake_surge', { flow: 0.3 }), other], {}],
    ['nothing speaks, and nothing is wrong either', 'no_onset', [candidate('intake_surge', { flow: 0.3 })], { symptoms: false }],
    ['two explain it alike', 'tie:a/b', [candidate('a', clear), candidate('b', clear)], {}],
    ['"something else" is not unlikely enough', 'unexplained', [candidate('a', { flow: 1, batch: 1 }), other], {}],
    [
      'what speaks against it is 40 % of what was said',
      'disagree:flow.a/order.a',
      [candidate('a', { flow: 3, batch: 2.9, order: -2.5, task: -1.5 }, [], 0.6), other],
      {},
    ],
    ['one observation alone, however strong', 'one_witness', [candidate('a', { flow: 3 }, [], 0.3), other], {}],
    [
      'less than half of what could tell was seen',
      'missing:tasks',
      [candidate('a', clear, [reading('tasks', 3), reading('jobs', 2)], 0.5)],
      {},
    ],
    ['the readings do not add up', 'closure:lag/offsets', [candidate('a', clear)], { contradiction: ['lag', 'offsets'] }],
    ['without it the peak would have been much the same', 'counterfactual', [candidate('a', clear)], { removed: 0.49 }],
  ]
  it.each(cases)('%s', (_, reason, candidates, change) => {
    expect(ask(candidates, change)).toMatchObject({ accepted: false, reason })
  })

  it('numbers that do not add up are what a fault of the measurement looks like', () => {
    expect(ask([candidate('measurement_artifact', clear)], { contradiction: ['lag', 'offsets'] }).accepted).toBe(true)
  })
})

describe('the one reading that would decide', () => {
  it('is that which could tell the two best apart, not what a third would like to know', () => {
    const three = [
      candidate('a', clear, [reading('weak', 0.5)]),
      candidate('b', clear, [reading('telling', 2)]),
      candidate('c', {}, [reading('loud', 3)]),
    ]
    expect(ask(three)).toMatchObject({ reason: 'tie:a/b', deciding: { signal: 'telling', how: 'read telling' } })
  })

  it('gives the reason where it alone could have lifted its cause above "something else"', () => {
    expect(ask([candidate('a', { flow: 0.2 }, [reading('tasks', 2)])]).reason).toBe('missing:tasks')
    expect(ask([candidate('a', { flow: -2 }, [reading('tasks', 0.5)])])).toMatchObject({
      reason: 'unexplained',
      deciding: { signal: 'tasks' },
    })
  })

  it('is another source, or the next batch, where no cause misses anything', () => {
    expect(ask([candidate('a', {})], { otherwise: reading('the next batch', 0) })).toMatchObject({
      reason: 'unexplained',
      deciding: { signal: 'the next batch' },
    })
  })
})

describe('coverage', () => {
  it('is what was seen and tells the two apart, over all that could, by hand', () => {
    const a = candidate('a', { flow: 2, batch: 1 }, [reading('tasks', 2)])
    const b = candidate('b', { flow: -1, batch: 1 }, [reading('tasks', 1), reading('jobs', 1)])
    const ranking = rank([a, b])
    const [first, second] = ranking.ranked
    // Seen: |2 - -1| + |1 - 1| = 3. Missing: 2 (tasks, once) + 1 (jobs).
    expect(coverageOf(first!, second!)).toBeCloseTo(3 / 6)
    // Against "something else" the other's wishes do not count: (2 + 1) / (3 + 2).
    expect(coverageOf(first!, null)).toBeCloseTo(3 / 5)
  })

  it('lowers confidence below 0.7, in proportion', () => {
    expect([0.35, 0.7, 1].map(trustOf)).toEqual([0.5, 1, 1])
  })
})

describe('a ranking', () => {
  const weights = fc.dictionary(fc.constantFrom('flow', 'batch', 'task', 'sink'), fc.double({ min: -3, max: 3, noNaN: true }))
  const some = fc.array(weights, { minLength: 1, maxLength: 10 }).map((all) => all.map((w, i) => candidate(i === 0 ? 'none' : `c${i}`, w)))

  it('adds up to 1 with what is unknown, and calm never leads it where something is ill', () => {
    fc.assert(
      fc.property(some, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (candidates, symptoms, trust) => {
        const { ranked, unknown } = rank(candidates, { symptoms, trust })
        expect(ranked.reduce((a, one) => a + one.p, unknown)).toBeCloseTo(1, 5)
        expect(ranked.every((one) => one.p >= 0) && unknown >= 0).toBe(true)
        if (symptoms) expect(ranked.find((one) => one.cause.name === 'none')?.p).toBe(0)
      }),
    )
  })

  it('makes nobody surer by calling the pipeline ill: what calm would have got is unknown', () => {
    fc.assert(
      fc.property(some, (candidates) => {
        const well = rank(candidates)
        const ill = rank(candidates, { symptoms: true })
        for (const one of ill.ranked.filter(({ cause }) => cause.name !== 'none'))
          expect(one.p).toBeCloseTo(well.ranked.find(({ cause }) => cause === one.cause)?.p ?? -1, 5)
      }),
    )
  })

  it('knows no rival in one that is ruled out, or less likely than "something else"', () => {
    expect(rivalOf(rank([candidate('a', clear), other]))).toBeNull()
    expect(rivalOf(rank([candidate('a', clear), candidate('b', clear)]))?.cause.name).toBe('b')
  })
})
