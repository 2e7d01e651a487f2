/** Order across clocks: what was measured is taken out, what is left widens the comparison, and no skew within its bound accuses another. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { probabilityBefore } from '../../src/attribution/order.ts'
import type { Evidence } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'
import type { Told } from '../build/shifted.ts'
import { shifted } from '../build/shifted.ts'

const since = 3600 - 45
const changing =
  <T>(before: T, now: T) =>
  (t: number) =>
    t < since ? before : now

test.each<[string, readonly [number, number], number, number, number]>([
  ['surely before', [0, 4], 4, 0, 1],
  ['surely after', [5, 9], 4, 0, 0],
  ['half of the interval lies before', [0, 8], 4, 0, 0.5],
  ['a moment, 2 s before, by clocks within 2 s', [2, 2], 4, 2, 1],
  ['a moment, 1 s before, by clocks within 2 s', [3, 3], 4, 2, 0.75],
  ['a moment, 1 s after, by clocks within 2 s', [5, 5], 4, 2, 0.25],
  ['clocks known badly say nothing', [0, 4], 4, 300, 0.5],
])('%s', (_, onset, at, skew, p) => {
  expect(probabilityBefore(onset, at, skew)).toBeCloseTo(p, 2)
})

describe('intake by record time alone, against batches', () => {
  // The Spark UI tells of batches and nobody of their offsets: when records came is known by the clocks of producers only.
  const surge = evidenceOf({ rate: (_, t) => changing(50, 125)(t) })
  const uiOnly = { ...surge, batches: surge.batches.map((b) => ({ ...b, from_offset: null, to_offset: null })), commits: [] }
  const verdict = (clocks: Evidence['clocks']) => attribute(buildTimeline({ ...uiOnly, ...(clocks === undefined ? {} : { clocks }) }))

  it('is in order where both clocks are known to a tenth of a second', () => {
    const a = verdict(['kafka', 'spark'].map((source) => ({ source, skew_bound_s: 0.1 })))
    expect(a.supporting.find((e) => e.id === 'order')?.says).toMatch(/^It began first/)
    expect(a.gaps).toEqual([])
  })

  it('is in no order where nobody knows them, and the verdict says so', () => {
    const a = verdict(undefined)
    expect(a.supporting.map((e) => e.id)).not.toContain('order')
    expect(a.gaps.map((gap) => [gap.source, gap.reason])).toEqual([
      [
        'clocks',
        expect.stringMatching(/^order unresolvable\. .* the clocks of kafka and spark are only known within 30 s of each other\.$/),
      ],
    ])
  })

  it('needs no clock of theirs where the plans of batches tell when records came', () => {
    const a = attribute(buildTimeline(surge))
    expect(a.supporting.find((e) => e.id === 'order')?.says).toMatch(/^It began first/)
    expect(a.gaps).toEqual([])
  })
})

describe('one clock that is off by less than its bound', () => {
  const incidents: [string, Motion][] = [
    ['intake_surge', { rate: (_, t) => changing(50, 125)(t) }],
    ['hot_partition', { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }],
    ['slow_sink', { commitS: changing(0.4, 4.4) }],
    ['executor_loss', { lost: [{ at: since + 1, back: since + 9 }] }],
    ['source_stall', { rate: (_, t) => changing(50, 0)(t) }],
    ['upstream_late', { rate: (p) => (p >= 6 ? 30 : 60), late: (p, t) => (p >= 6 && t > since - 600 && t < since ? since - t : 0) }],
    ['none', {}],
  ]
  /** The same as brokers that stamp arrivals, and a reader of whom only the UI tells, would show it. */
  const seenAs: Record<string, (e: Evidence) => Evidence> = {
    'by plans and record time': (e) => e,
    'by the Spark UI and record time': (e) => ({ ...e, batches: e.batches.map((b) => ({ ...b, from_offset: null, to_offset: null })) }),
    'by plans and brokers that stamp arrivals': (e) => ({
      ...e,
      series: e.series.filter((s) => s.clock !== 'arrival').map((s) => (s.clock === 'record' ? { ...s, clock: 'arrival' as const } : s)),
    }),
  }
  const said = (e: Evidence) => {
    const { outcome, cause } = attribute(buildTimeline(e))
    return outcome === 'none' ? 'none' : cause
  }

  test.each(incidents)('%s stays what it is or becomes inconclusive', (_, motion) => {
    const evidence = evidenceOf(motion)
    const skew = fc.record({
      as: fc.constantFrom(...Object.keys(seenAs)),
      by: fc.constantFrom<Told>('kafka', 'spark', 'delta'),
      bound: fc.constantFrom(0.5, 2, 10, 30),
      part: fc.double({ min: -0.99, max: 0.99, noNaN: true }),
    })
    fc.assert(
      fc.property(skew, ({ as, by, bound, part }) => {
        const clocks = ['kafka', 'spark', 'delta'].map((source) => ({ source, skew_bound_s: bound }))
        const seen = { ...(seenAs[as] as (e: Evidence) => Evidence)(evidence), clocks }
        expect([said(seen), null]).toContain(said(shifted(seen, by, bound * part)))
      }),
      { numRuns: 12 },
    )
  })
})
