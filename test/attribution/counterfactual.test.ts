/** "Without it the lag would be …" against the same pipeline run without the fault: the simulator knows, and shares no formula. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Cause } from '../../src/attribution/cause.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 3600 - 45
const changing = (before: number, after: number) => (t: number) => (t < since ? before : after)
const verdict = (motion: Motion, among: readonly Cause[] = causes) => attribute(buildTimeline(evidenceOf(motion)), among)
const lagOf = (motion: Motion) => buildTimeline(evidenceOf(motion)).lag.v.at(-1) as number

describe('the lag without the cause is that of the same pipeline without the fault', () => {
  const uneven = (p: number) => 20 + 10 * p
  const incidents: [string, Motion, Motion][] = [
    ['intake_surge', { rate: (_, t) => changing(50, 125)(t) }, {}],
    ['hot_partition', { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }, {}],
    [
      'hot_partition',
      // The others lose what it gains, and would have it back.
      { rate: (p, t) => (p === 3 ? changing(50, 330)(t) : changing(50, 10)(t)) },
      {},
    ],
    ['slow_sink', { commitS: changing(0.4, 4.4) }, {}],
    ['slow_sink', { rate: uneven, perTaskMs: changing(50, 2550) }, { rate: uneven }],
    ['slow_processing', { rate: uneven, perRecordMs: changing(4, 16) }, { rate: uneven }],
    ['executor_loss', { lost: [{ at: since + 1, back: since + 9 }], askedAt: since + 9 }, { askedAt: since + 9 }],
    ['executor_loss', { rate: () => 80, lost: [{ at: since + 1, back: null }], slots: changing(4, 2) }, { rate: () => 80 }],
  ]
  it.each(incidents)('%s', (cause, ill, well) => {
    const a = verdict(ill)
    expect(a.cause).toBe(cause)
    const truth = lagOf(well)
    const { lagWithout, between, removed } = a.counterfactual as NonNullable<typeof a.counterfactual>
    expect(lagWithout / truth).toBeGreaterThan(0.9)
    expect(lagWithout / truth).toBeLessThan(1.1)
    expect(between[0]).toBeLessThanOrEqual(lagWithout)
    expect(between[1]).toBeGreaterThanOrEqual(lagWithout)
    expect(removed).toBeGreaterThan(0.8)
  })

  it('an upload of old records: without it only what comes anyway waits', () => {
    const late = (p: number, t: number) => (p >= 6 ? Math.max(0, since - t) : 0)
    const held = (until: number): Motion => ({ rate: (p, t) => (p >= 6 ? (t > since - 600 && t < until ? 30 : 0) : 60), late })
    const a = verdict(held(since))
    expect(a.cause).toBe('upstream_late')
    expect(a.counterfactual?.lagWithout).toBeLessThan(1.1 * lagOf(held(0)))
  })
})

it('how the time of a batch follows its rows was not seen: the ends of what is possible are told', () => {
  // All batches before were of one size, so how much of their time is fixed nobody can say.
  const a = verdict({ rate: (p) => 20 + 10 * p, perTaskMs: changing(50, 2550) })
  const [least, most] = a.counterfactual?.between ?? [0, 0]
  expect(most).toBeGreaterThan(least)
})

it('a cause whose absence would have changed little is not named, however much speaks for it', () => {
  // Five times the records come, and somebody swears it is the sink.
  const sworn: Cause = {
    name: 'slow_sink',
    prior: 0.08,
    needs: [],
    remedy: { action: 'nothing', why: 'a test' },
    weigh: () => ({
      evidence: ['sink', 'task', 'batch'].map((group) => ({ id: `${group}.sworn`, group, says: 'It is the sink.', weight: 3 })),
      missing: [],
      place: nowhere,
      onset: null,
      headline: 'the sink is slow',
    }),
  }
  const a = verdict({ rate: (_, t) => changing(50, 250)(t) }, [sworn, ...causes.filter(({ name }) => name === 'none')])
  expect(a.ranking[0]).toEqual(['slow_sink', expect.any(Number)])
  expect(a.ranking[0]?.[1]).toBeGreaterThan(0.9)
  expect([a.outcome, a.reason]).toEqual(['inconclusive', 'counterfactual'])
})
