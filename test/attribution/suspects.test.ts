/** Who is suspected, and what is told where nobody is. */
import { expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Cause } from '../../src/attribution/cause.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import type { Evidence, Gap } from '../../src/incident/evidence.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 3600 - 45
const slow = evidenceOf({ commitS: (t) => (t < since ? 0.4 : 4.4) })
const none = causes.find(({ name }) => name === 'none') as Cause

const speaking = (weight: number): Cause => ({
  name: 'leader_or_isr',
  prior: 0.05,
  needs: [],
  remedy: { action: 'nothing', why: 'a test' },
  weigh: () => ({
    evidence: ['place', 'broker'].map((group) => ({ id: `${group}.seen`, group, says: 'It is the broker.', weight })),
    missing: [],
    place: { ...nowhere, broker: '2' },
    onset: null,
    headline: 'broker 2 is it',
  }),
})

const judged = (weight: number, evidence: Evidence = slow) => attribute(buildTimeline(evidence), [speaking(weight), none])

it('nobody who is less likely than "something else": what is wrong is told instead', () => {
  const a = judged(0.3)
  expect([a.outcome, a.reason]).toEqual(['inconclusive', 'unexplained'])
  expect(a.headline).toBe('it cannot be told yet where pressure began')
  expect([a.place, a.supporting]).toEqual([nowhere, []])
  expect(a.opposing.map((one) => one.says)).toEqual([expect.stringMatching(/^A batch took .*; its limit is/)])
})

it('the likeliest, where it is likelier than that and still not likely enough', () => {
  const a = judged(1.2)
  expect([a.outcome, a.place.broker]).toEqual(['inconclusive', '2'])
  expect(a.headline).toContain('most likely broker 2 is it')
})

it('what is said not to have happened is no suspect, however well its effects fit: the next one is', () => {
  const denied: Cause = {
    ...speaking(0),
    name: 'executor_loss',
    weigh: (facts) => ({
      ...speaking(0).weigh(facts),
      evidence: [
        ...['batch', 'stage', 'task'].map((group) => ({ id: `${group}.fits`, group, says: 'It fits.', weight: 3 })),
        { id: 'executor.removed', group: 'executor', says: 'No executor was lost: 2 throughout.', weight: -3 },
      ],
      headline: 'an executor was lost',
    }),
  }
  const a = attribute(buildTimeline(slow), [denied, speaking(1.2), none])
  expect(a.ranking[0]?.[0]).toBe('executor_loss')
  expect([a.outcome, a.suspect, a.place.broker]).toEqual(['inconclusive', 'leader_or_isr', '2'])
  expect(a.headline).toContain('most likely broker 2 is it')
  const text = renderVerdict(a, buildTimeline(slow), { zone: 'UTC', color: false, verbose: false })
  expect(text).toContain('Best candidates')
  expect(text).not.toMatch(/Executors lost: executors went away/)
})

it('calm never leads where a batch is ill, and all candidates with what is unknown add up to 1', () => {
  for (const weight of [-3, 0, 0.3, 1.2, 3]) {
    const { ranking } = judged(weight)
    expect(ranking[0]?.[0]).not.toBe('none')
    expect(ranking.at(-1)?.[0]).toBe('unknown')
    expect(ranking.reduce((sum, [, p]) => sum + p, 0)).toBeCloseTo(1, 5)
  }
})

it('what would decide: a source that can be had now, not one whose past is gone; else the next batch', () => {
  const gap = (to: number): Gap => ({
    source: 'spark-ui',
    signal: 'stages',
    from: 0,
    to,
    reason: 'not reached',
    mend: 'spark: http://driver:4040',
  })
  expect(judged(0.3, { ...slow, gaps: [gap(3600)] })).toMatchObject({ decidingSignal: 'stages', howToDecide: 'spark: http://driver:4040' })
  expect(judged(0.3, { ...slow, gaps: [gap(3000)] }).decidingSignal).toBe('the next batch')
})

it('a pause that the topic makes every few minutes is no symptom', () => {
  // A minute of records, half a minute of none, for an hour; asked 18 s into a pause.
  const pausing = evidenceOf({ rate: (_, t) => (t % 90 < 60 ? 50 : 0), askedAt: 3588 })
  expect(attribute(buildTimeline(pausing)).outcome).toBe('none')
})
