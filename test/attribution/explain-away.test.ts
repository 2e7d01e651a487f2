/** A hypothesis that only sees the consequences of another stands beside it, and in nobody's way. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Cause } from '../../src/attribution/cause.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import type { Facts } from '../../src/attribution/facts.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 3600 - 45
const changing = (before: number, after: number) => (t: number) => (t < since ? before : after)
const surge: Motion = { rate: (_, t) => changing(50, 125)(t) }

/** Believes in itself wherever `sees` sees something, and that strongly. */
function naive(name: string, sees: (facts: Facts) => boolean, onset: readonly [number, number] | null = null): Cause {
  return {
    name,
    prior: 0.1,
    needs: [],
    remedy: { action: 'nothing', why: 'a test' },
    weigh: (facts) => ({
      evidence: ['memory', 'gc'].map((group) => ({ id: `${group}.up`, group, says: 'It looks like it.', weight: sees(facts) ? 3 : -1 })),
      missing: [],
      place: nowhere,
      onset,
      headline: 'it looks like it',
    }),
  }
}

const longBatches = ({ episode }: Facts) => (episode?.ill ?? []).some((b) => b.seconds > (episode?.limit ?? 0))
const judged = (motion: Motion, other: Cause) => attribute(buildTimeline(evidenceOf(motion)), [...causes, other])

describe('long batches during a surge', () => {
  it('make a memory hypothesis a consequence of the surge: the surge is named as surely as without it', () => {
    const a = judged(surge, naive('memory_gc', longBatches))
    expect([a.cause, a.also]).toEqual(['intake_surge', []])
    expect(a.consequences).toEqual([{ cause: 'memory_gc', of: 'intake_surge', share: 0 }])
    // It is told, not deleted, and nobody is told that it is ruled out.
    expect(a.ranking.map(([name]) => name)).toContain('memory_gc')
    expect(a.ruledOut.map((one) => one.cause)).not.toContain('memory_gc')
  })

  it('of something that lies elsewhere are a rival, and the two are a tie', () => {
    const a = judged(surge, naive('broker_degraded', longBatches))
    expect([a.outcome, a.consequences]).toEqual(['inconclusive', []])
  })

  it('that the surge does not explain are no consequence of it', () => {
    // What this one sees is there with and without the surge.
    const a = judged(
      surge,
      naive('memory_gc', () => true),
    )
    expect(a.consequences).toEqual([])
  })

  it('of which a slow commit brings as much are no consequence of the surge alone', () => {
    const risen = ({ intake }: Facts) => intake !== null && intake.now > 1.5 * intake.before
    expect(judged({ ...surge, commitS: changing(0.4, 9) }, naive('memory_gc', risen)).consequences).toEqual([])
  })

  it('that began with something a minute earlier are no consequence either', () => {
    const a = judged(surge, naive('memory_gc', longBatches, [since - 70, since - 60]))
    expect(a.consequences).toEqual([])
  })
})

describe('an executor that died of memory', () => {
  const dies = (reason: string): Motion => ({ lost: [{ at: since + 1, back: since + 9, reason }] })
  const collecting = naive('memory_gc', () => true, [since - 20, since - 10])

  it('is a consequence of memory pressure that came before', () => {
    const a = judged(dies('Command exited with code 52'), collecting)
    expect(a.cause).toBe('memory_gc')
    expect(a.consequences).toContainEqual(expect.objectContaining({ cause: 'executor_loss', of: 'memory_gc' }))
  })

  it('one that was killed is not', () => {
    expect(judged(dies('Command exited with code 137'), collecting).consequences.map((one) => one.cause)).not.toContain('executor_loss')
  })
})
