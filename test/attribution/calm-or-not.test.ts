/** What looks calm and is not, and what looks ill and is calm: traps that the recorded drills of a real rig showed. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const verdict = (motion: Motion) => attribute(buildTimeline(evidenceOf(motion)))

describe('a reader that leaves records behind although its batches are in time', () => {
  // 800 records/s arrive, 560 are taken.
  const capped = (secondsAgo: number): Motion => ({ cap: 2800, rate: (_, t) => (t < 3600 - secondsAgo ? 50 : 100) })

  it.each([20, 45, 120, 300])('is not called calm, nor is a surge or an upload of old records named, %i s later', (secondsAgo) => {
    const a = verdict(capped(secondsAgo))
    expect([a.outcome, a.decidingSignal]).toEqual(['inconclusive', 'the cap of the reader'])
  })

  it('takes all there is where the cap is not reached', () => {
    expect(verdict({ cap: 2800 }).outcome).toBe('none')
  })
})

it('a query that was started a minute ago has a past as well, so its calm can be told', () => {
  expect(verdict({ startedAt: 3600 - 75 }).outcome).toBe('none')
})

describe('one batch somewhat over its limit', () => {
  const slowFrom = (t: number): Motion => ({ commitS: (at) => (at > t ? 9 : 0.4) })

  it('is neither calm nor a slow sink while no later one is known', () => {
    const a = verdict({ ...slowFrom(3600), askedAt: 3606 })
    expect([a.outcome, a.decidingSignal]).toEqual(['inconclusive', 'the next batch'])
  })

  it('is a slow sink once it is far over', () => {
    expect(verdict({ ...slowFrom(3600), askedAt: 3609 }).ranking[0]?.[0]).toBe('slow_sink')
  })
})

it('every tenth commit Delta gathers its log after the commit: a long batch, but no slow sink', () => {
  const calm = evidenceOf({ askedAt: 3609 })
  const batches = calm.batches
    .filter(({ start }) => start <= 3600)
    .map((batch) => {
      if (batch.start < 3600) return batch
      // The write has ended and is committed; two jobs have read the log, and the driver writes its checkpoint since.
      const jobs = [
        { start: 3600.35, end: 3602.3, kind: 'query', tasks: 8 },
        { start: 3602.6, end: 3602.9, kind: 'delta-snapshot', tasks: 5 },
        { start: 3603, end: 3603.2, kind: 'delta-snapshot', tasks: 8 },
      ]
      return { ...batch, end: null, open: true, age_s: 9, phase: 'addBatch', duration_ms: { latestOffset: 10, walCommit: 10 }, jobs }
    })
  const a = attribute(buildTimeline({ ...calm, batches }))
  expect([a.outcome, a.cause]).toEqual(['inconclusive', null])
  expect(a.supporting.map(({ id }) => id)).not.toContain('sink.commit')
})

describe('without record times', () => {
  it('an even flow rules out an upload of old records', () => {
    const slow = evidenceOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4) })
    const arrived = { ...slow, series: slow.series.filter((s) => s.clock !== 'record') }
    const a = attribute(buildTimeline(arrived))
    expect(a.cause).toBe('slow_sink')
    expect(a.ranking.find(([cause]) => cause === 'upstream_late')?.[1]).toBeLessThan(0.02)
  })
})
