/**
 * An incident that began half an hour ago at a trigger of 5 s, seen through what is kept by default: 100 batches in the checkpoint, about
 * 1,000 jobs in the UI (four a batch), an hour of Kafka by record time. Whatever is named is right; else what no longer reaches back is.
 */
import { describe, expect, it, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Attribution } from '../../src/attribution/attribution.ts'
import type { Evidence } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 1800
const changing =
  (before: number, now: number, at = since) =>
  (t: number) =>
    t < at ? before : now
const BEFORE = 'batches from before it began'

/** What is kept: the checkpoint alone, with the table's log, or with all that the UI still lists. */
type Kept = 'checkpoint' | 'and table' | 'and UI'
const kept: Readonly<Record<Kept, Partial<Motion>>> = {
  checkpoint: { without: ['delta'] },
  'and table': {},
  'and UI': { without: ['delta'], uiBatches: 150 },
}
const evidenceAfter = (motion: Motion, of: Kept) => evidenceOf({ startedAt: 100, ...motion, ...kept[of] })
const verdict = (motion: Motion, of: Kept = 'checkpoint') => attribute(buildTimeline(evidenceAfter(motion, of)))
const said = (a: Attribution) => (a.outcome === 'inconclusive' ? a.decidingSignal : (a.cause ?? 'none'))

/** Slow enough to be over the trigger, not so slow that few batches reach back over half an hour. */
const lasting: Readonly<Record<string, Motion>> = {
  hot: { rate: (p, t) => (p === 3 ? changing(50, 220)(t) : 50) },
  surge: { rate: (_, t) => changing(50, 106)(t) },
  'slow commit': { commitS: changing(0.4, 4.4) },
  'slow files': { rate: (p) => 20 + 10 * p, perTaskMs: changing(50, 2550) },
  'lost for good': { rate: () => 55, slots: changing(4, 2), lost: [{ at: since, back: null }] },
  'lost and replaced': { lost: [{ at: since, back: since + 8 }] },
  stopped: { rate: (_, t) => changing(50, 0)(t) },
  // 504,000 records of ten minutes at once: they are still worked off.
  'upload, large': {
    rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 420 : 0) : 60),
    late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0),
  },
  'upload, worked off': {
    rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 30 : 0) : 60),
    late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0),
  },
}

describe('half an hour later', () => {
  it.each<[string, string, string, string]>([
    ['hot', 'hot_partition', 'hot_partition', 'hot_partition'],
    ['surge', BEFORE, BEFORE, BEFORE],
    ['slow commit', BEFORE, BEFORE, 'slow_sink'],
    ['slow files', BEFORE, BEFORE, 'slow_sink'],
    ['lost for good', 'executor_loss', 'executor_loss', 'executor_loss'],
    ['lost and replaced', 'none', 'none', 'none'],
    ['stopped', 'source_stall', 'source_stall', 'source_stall'],
    ['upload, large', 'upstream_late', 'upstream_late', 'upstream_late'],
    ['upload, worked off', 'none', 'none', 'none'],
  ])('%s: %s; with the table %s; with the UI %s', (name, ...expected) => {
    const motion = lasting[name] as Motion
    expect((['checkpoint', 'and table', 'and UI'] as const).map((of) => said(verdict(motion, of)))).toEqual(expected)
  })

  test.each(['hot', 'lost for good', 'stopped', 'upload, large'])('%s: it began then', (name) => {
    const { onset } = verdict(lasting[name] as Motion)
    expect(onset?.[0]).toBeLessThanOrEqual(since)
    expect(onset?.[1]).toBeGreaterThanOrEqual(since)
    expect((onset?.[1] ?? 0) - (onset?.[0] ?? 0)).toBeLessThanOrEqual(66)
  })

  it('says up to when batches reach, what is not known for that, and how to keep more', () => {
    const a = verdict(lasting['slow commit'] as Motion)
    expect(a.reason).toBe(`missing:${BEFORE}`)
    expect(a.howToDecide).toMatch(/oldest batch that is kept, of \{at 2796\}, is slow already.*minBatchesToRetain=1000/)
    expect(a.gaps.filter((gap) => gap.source === 'batches')).toEqual([
      {
        source: 'batches',
        signal: null,
        from: 0,
        to: expect.closeTo(2796, 0),
        reason: '100 batches are kept and the oldest is slow already: what was usual, and when that ended, is not known from them',
      },
    ])
    expect(a.onset?.[0]).toBe(0)
  })

  it('the table tells since when, for its commits came further apart', () => {
    const { onset } = verdict(lasting['slow commit'] as Motion, 'and table')
    expect(onset?.[0]).toBeGreaterThan(since - 20)
    expect(onset?.[1]).toBeLessThan(since + 20)
  })
})

describe('what changed before, and did no harm', () => {
  const heavier = (t: number) => changing(50, 150, 1000)(t)
  it.each<[string, Motion]>([
    ['a partition that took more', { rate: (p, t) => (p === 3 ? heavier(t) : 50), commitS: changing(0.4, 4.4) }],
    ['records that came more often', { rate: (_, t) => changing(16, 50, 1000)(t), commitS: changing(0.4, 4.4) }],
    ['an executor that was replaced', { lost: [{ at: 1700, back: 1708 }], commitS: changing(0.4, 4.4) }],
  ])('%s is not accused of a slow commit', (_, motion) => {
    for (const of of ['checkpoint', 'and table'] as const) expect(said(verdict(motion, of)), of).toBe(BEFORE)
    expect([null, 'slow_sink']).toContain(verdict(motion, 'and UI').cause)
  })

  it('an executor that was replaced at once is no suspect half an hour later', () => {
    const a = verdict({ lost: [{ at: 1700, back: 1708 }], commitS: changing(0.4, 4.4) })
    expect([a.headline, a.place.executor]).toEqual(['it cannot be told yet where pressure began', null])
  })

  it('and of slower records neither, where the table tells that batches were in time until then', () => {
    const motion: Motion = { rate: (p, t) => (p === 3 ? heavier(t) : 50), perRecordMs: changing(4, 6.3) }
    expect(said(verdict(motion, 'and table'))).toBe(BEFORE)
  })
})

it('longer than all that is kept, nobody is accused', () => {
  for (const motion of [{ commitS: () => 4.4 }, { rate: () => 106 }, { rate: (p: number) => (p === 3 ? 220 : 50) }]) {
    for (const of of ['checkpoint', 'and table', 'and UI'] as const) expect(said(verdict(motion, of))).toBe(BEFORE)
  }
})

describe('evidence outside of what a series reaches weighs nothing', () => {
  const from = (evidence: Evidence, signal: RegExp, start: number): Evidence => ({
    ...evidence,
    series: evidence.series.map((s) => {
      const first = s.t.findIndex((t) => t >= start)
      return signal.test(s.signal) && first > 0 ? { ...s, t: s.t.slice(first), v: s.v.slice(first) } : s
    }),
  })
  const slow = evidenceOf({ commitS: (t) => (t < 3400 ? 0.4 : 4.4) })
  const grid = Array.from({ length: 61 }, (_, i) => i * 60)
  const watched = (evidence: Evidence): Evidence => ({
    ...evidence,
    series: evidence.series.map((s) =>
      s.signal.startsWith('executor.') ? { ...s, t: grid, v: grid.map(() => (s.v[0] ?? null) as number) } : s,
    ),
  })

  it('executors that were first seen after it began: whether one was lost is not known', () => {
    const whole = attribute(buildTimeline(watched(slow)))
    expect(whole.ruledOut.map((r) => r.by)).toContain('No executor was lost: 2 throughout.')
    const late = attribute(buildTimeline(from(watched(slow), /^executor\./, 3500)))
    expect(JSON.stringify(late)).not.toContain('No executor was lost')
    expect(late.gaps.map((gap) => [gap.signal, gap.to])).toContainEqual(['executor.count', 3540])
  })

  it('intake that was first seen after it began: whether it changed is not known', () => {
    const late = attribute(
      buildTimeline(
        from({ ...slow, batches: slow.batches.map((b) => ({ ...b, to_offset: null, from_offset: null })) }, /^partition\./, 3500),
      ),
    )
    expect(late.ruledOut.map((r) => r.cause)).not.toContain('intake_surge')
    expect(late.gaps.map((gap) => [gap.signal, gap.reason])).toContainEqual([
      'partition.log_end_offset',
      'what came in when batches became slow is not known',
    ])
  })
})
