/** Two faults in one pipeline: both are named where both matter, and one where one does. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Cause } from '../../src/attribution/cause.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import type { Facts } from '../../src/attribution/facts.ts'
import { gatherFacts } from '../../src/attribution/facts.ts'
import { without } from '../../src/attribution/without.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 3600 - 45
const changing =
  (before: number, after: number, at = since) =>
  (t: number) =>
    t < at ? before : after
const verdict = (motion: Motion) => attribute(buildTimeline(evidenceOf(motion)))
const named = ({ cause, also }: ReturnType<typeof verdict>) => [cause, ...also].map(String).toSorted((a, b) => (a < b ? -1 : 1))

const surge = (to: number, at = since): Motion => ({ rate: (_, t) => changing(50, to, at)(t) })
const hot = (to: number, at = since): Motion => ({ rate: (p, t) => (p === 3 ? changing(50, to, at)(t) : 50) })
const commit = (to: number, at = since): Motion => ({ commitS: changing(0.4, to, at) })

describe('two at once', () => {
  const pairs: [string, string[], Motion][] = [
    ['a surge and a slow commit', ['intake_surge', 'slow_sink'], { ...surge(110), ...commit(3.4) }],
    ['a surge, and 20 s later a slow commit', ['intake_surge', 'slow_sink'], { ...surge(85, 3500), ...commit(3.4, 3520) }],
    ['a hot partition and a slow commit', ['hot_partition', 'slow_sink'], { ...hot(300), ...commit(4.4) }],
    [
      'a hot partition, and 20 s later half of the slots for good',
      ['executor_loss', 'hot_partition'],
      { ...hot(250, 3500), lost: [{ at: 3520, back: null }], slots: changing(4, 2, 3520) },
    ],
    [
      'twice the records, and each costs twice as much',
      ['intake_surge', 'slow_processing'],
      { rate: (p, t) => (20 + 10 * p) * changing(1, 2)(t), perRecordMs: changing(4, 9) },
    ],
    [
      // 9.5 times the work: alone each would be felt, and each makes the other worse.
      'five times the records, and each costs nearly twice as much',
      ['intake_surge', 'slow_processing'],
      { rate: (p, t) => (20 + 10 * p) * changing(1, 5)(t), perRecordMs: changing(2, 3.8) },
    ],
  ]
  it.each(pairs)('%s', (_, causes, motion) => {
    const a = verdict(motion)
    expect(named(a)).toEqual(causes)
    // Without both, the lag is that of a calm pipeline: one batch's worth, not more than 12 s of what usually comes.
    expect(a.counterfactual?.removed).toBeGreaterThan(0.8)
    // What they have together is shared out, and the one that explains more comes first.
    expect(a.ranking[0]?.[0]).toBe(a.cause)
    expect(a.ranking[1]?.[0]).toBe(a.also[0])
    expect((a.ranking[0]?.[1] ?? 0) + (a.ranking[1]?.[1] ?? 0)).toBeCloseTo(a.confidence ?? 0, 5)
  })

  describe.each(pairs)('%s, with a source removed, may be told less surely, never otherwise', (_, causes, motion) => {
    it.each(['kafka', 'checkpoint', 'spark', 'delta'] as const)('%s', (source) => {
      for (const cause of named(verdict({ ...motion, without: [source] }))) expect([...causes, 'null']).toContain(cause)
    })
  })

  it('says what speaks for each of them, and which number holds only apart from the other', () => {
    const { supporting } = verdict({ ...surge(110), ...commit(3.4) })
    expect(supporting.map((one) => one.id)).toEqual(expect.arrayContaining(['sink.commit', 'flow.intake_up']))
    expect(supporting.find((one) => one.id === 'sink.commit')?.says).toMatch(/^Apart from the intake surge: after its last write job/)
    expect(supporting.find((one) => one.id === 'flow.intake_up')?.says).toMatch(/^Intake 400 records\/s before, 88\d records\/s now/)
  })
})

describe('one alone brings no second', () => {
  const uneven = (p: number) => 20 + 10 * p
  const singles: [string, Motion][] = [
    ['intake_surge', surge(125)],
    ['intake_surge', surge(250)],
    ['hot_partition', hot(500)],
    ['hot_partition', { rate: (p, t) => (p === 3 ? changing(50, 330)(t) : changing(50, 10)(t)) }],
    ['slow_sink', commit(4.4)],
    ['slow_sink', { rate: uneven, perTaskMs: changing(50, 2550) }],
    ['slow_processing', { rate: uneven, perRecordMs: changing(4, 16) }],
    ['executor_loss', { lost: [{ at: since + 1, back: since + 9 }] }],
    ['source_stall', surge(0)],
  ]
  it.each(singles)('%s', (cause, motion) => {
    expect(named(verdict(motion))).toEqual([cause])
  })

  it('a surge that the reader takes in its stride while the commit is slow is no cause', () => {
    expect(named(verdict({ ...surge(55), ...commit(4.4) }))).toEqual(['slow_sink'])
  })
})

describe('what does not make a second cause', () => {
  it('half as many records more, while the commit takes most of the time: no second, and no rival either', () => {
    expect(named(verdict({ ...surge(80), ...commit(9) }))).toEqual(['slow_sink'])
  })

  it('a commit that became slow, but brings a small part of the extra time only', () => {
    // Five times the records keep the slots busy for 8 s more a trigger; the commit takes 1.5 s more.
    expect(named(verdict({ ...surge(250), ...commit(1.9) }))).toEqual(['intake_surge'])
  })

  const both: Motion = { ...surge(125), ...commit(2.2) }
  /** Swears that it is so wherever it sees something, by as many witnesses as it has groups. */
  const sworn = (name: string, groups: readonly string[], sees: (facts: Facts) => boolean, prior: number): Cause => ({
    name,
    prior,
    needs: [],
    remedy: { action: 'nothing', why: 'a test' },
    weigh: (facts) => ({
      evidence: groups.map((group) => ({ id: `${group}.sworn`, group, says: 'It is so.', weight: sees(facts) ? 3 : -1 })),
      missing: [],
      place: nowhere,
      onset: null,
      headline: 'it is so',
    }),
  })
  const others = causes.filter(({ name }) => name !== 'slow_sink')
  const among = (one: Cause) => attribute(buildTimeline(evidenceOf(both)), [...others, one])
  const risen = ({ intake }: Facts) => intake !== null && intake.now > 1.5 * intake.before

  it('one witness, however sure', () => {
    expect(among(sworn('slow_sink', ['sink'], () => true, 0.1)).also).toEqual([])
    expect(named(among(sworn('slow_sink', ['sink', 'table'], () => true, 0.1)))).toEqual(['intake_surge', 'slow_sink'])
  })

  it('something of which nothing is seen in the batches, first or second, however many witnesses it has', () => {
    for (const prior of [0.03, 0.5]) expect(among(sworn('checkpoint_latency', ['checkpoint', 'store'], () => true, prior)).also).toEqual([])
  })

  it('another name for the surge: without it nothing speaks for that', () => {
    expect(among(sworn('slow_sink', ['sink', 'table'], risen, 0.5)).also).toEqual([])
  })
})

it('what is left without a hot partition begins with the loss that came later, not with the first slow batch', () => {
  const facts = gatherFacts(buildTimeline(evidenceOf({ ...hot(250, 3500), lost: [{ at: 3520, back: null }], slots: changing(4, 2, 3520) })))
  expect(facts.episode?.from).toBeLessThan(3510)
  const { episode } = without('hot_partition', facts) as Facts
  expect(episode?.since).toBeLessThan(3520)
  expect((episode?.from ?? 0) + (episode?.limit ?? 0)).toBeGreaterThan(3520)
})
