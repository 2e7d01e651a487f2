/** Numbers that contradict each other are told before anything is read from them, and numbers that are missing lower confidence. */
import { expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Attribution } from '../../src/attribution/attribution.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Cause } from '../../src/attribution/cause.ts'
import type { Series } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { evidenceOf } from '../build/pipeline.ts'

const since = 3600 - 45
const surge = evidenceOf({ rate: (_, t) => (t < since ? 50 : 250) })

/** The lag of every partition as somebody else measured it, every 5 s. */
function measured(lag: (partition: number, t: number) => number): Series[] {
  const t = Array.from({ length: 60 }, (_, i) => 3300 + i * 5)
  return Array.from({ length: 8 }, (_, partition) => ({
    signal: 'partition.lag',
    entity: { topic: 'orders', partition },
    source: 'kafka',
    t,
    v: t.map((at) => lag(partition, at)),
  }))
}

const verdict = (lag: (partition: number, t: number) => number) =>
  attribute(buildTimeline({ ...surge, series: [...surge.series, ...measured(lag)] }))

it('a lag that stands at 0 while thousands of records wait: no cause is named before that is mended', () => {
  const a = verdict(() => 0)
  expect([a.outcome, a.reason]).toEqual(['inconclusive', 'closure:partition.lag/partition.log_end_offset'])
  expect(a.closure).toMatchObject({ state: 'broken' })
  expect(a.ranking[0]?.[0]).toBe('intake_surge')
})

it('a lag that says what the offsets say changes nothing', () => {
  const { partitions } = buildTimeline(surge)
  const a = verdict((partition, t) => {
    const { lag } = partitions[partition] as (typeof partitions)[number]
    return lag.v[lag.t.findLastIndex((at) => at <= t)] ?? 0
  })
  expect(a.closure.state).not.toBe('broken')
  expect(a.cause).toBe('intake_surge')
})

it('what was not seen lowers confidence before it forbids a verdict', () => {
  const sworn = (unseen: number): Cause => ({
    name: 'slow_sink',
    prior: 0.08,
    needs: [],
    remedy: { action: 'nothing', why: 'a test' },
    weigh: () => ({
      evidence: ['sink', 'task'].map((group) => ({ id: `${group}.sworn`, group, says: 'It is the sink.', weight: 3 })),
      missing: unseen === 0 ? [] : [{ signal: 'batch.jobs', how: 'read them', weight: unseen }],
      place: nowhere,
      onset: null,
      headline: 'the sink is slow',
    }),
  })
  const timeline = buildTimeline(evidenceOf({ commitS: (t) => (t < since ? 0.4 : 4.4) }))
  const [all, most, few] = [0, 4, 7].map((unseen) => attribute(timeline, [sworn(unseen)])) as [Attribution, Attribution, Attribution]
  // 6 of 10 that could tell were seen: below 0.7, so less sure. 6 of 13 are too few.
  expect([all.cause, most.cause, few.cause]).toEqual(['slow_sink', 'slow_sink', null])
  expect(most.confidence).toBeLessThan(all.confidence as number)
  expect([few.reason, few.howToDecide]).toEqual(['missing:batch.jobs', 'read them'])
})
