/** Situations in which the nearest verdict would be wrong and sure of itself. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { slowSink } from '../../src/attribution/causes/slow-sink.ts'
import { gatherFacts } from '../../src/attribution/facts.ts'
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const judged = (evidence: Evidence) => attribute(buildTimeline(evidence))
const verdict = (motion: Motion) => judged(evidenceOf(motion))
const since = 3600 - 45

function withoutTrigger(evidence: Evidence): Evidence {
  const { trigger_s: _, ...reader } = evidence.pipeline.reader
  return { ...evidence, pipeline: { ...evidence.pipeline, reader } }
}

describe('an incident longer than what is kept', () => {
  // Batches of about 9 s at a 5 s trigger for most of an hour: all that is kept is ill, and looks normal to itself.
  const long = { startedAt: 600, perRecordMs: () => 9 }

  it('is not calm when nobody tells the trigger interval: it is asked for', () => {
    const a = judged(withoutTrigger(evidenceOf(long)))
    expect([a.outcome, a.decidingSignal]).toEqual(['inconclusive', 'the trigger interval'])
    expect(JSON.stringify(a)).not.toContain('keeps up')
  })

  it('is never calm when it is known, and began at some time before the oldest batch', () => {
    const a = verdict(long)
    expect(a.outcome).not.toBe('none')
    expect(a.onset?.[0]).toBe(0)
  })
})

describe('a topic whose own times lag behind', () => {
  it('is not a stopped source while records arrive', () => {
    for (const lateBy of [20, 60]) {
      const a = verdict({ late: () => lateBy, without: ['delta'] })
      expect(a.cause, `${lateBy} s`).toBeNull()
      expect(a.ranking[0]?.[0], `${lateBy} s`).not.toBe('source_stall')
    }
  })
})

it('one hot partition of three is named, though its share cannot triple', () => {
  const a = verdict({ partitions: 3, rate: (p, t) => (p === 1 && t >= since ? 900 : 130) })
  expect([a.cause, a.place.partitions]).toEqual(['hot_partition', [1]])
  // 78 % instead of a third is as sure as evidence of one kind can be (ln 9).
  expect(a.supporting.find((e) => e.id === 'place.concentrated')?.weight).toBeCloseTo(Math.log(9), 3)
})

it('a fall of the number of executors is a loss, also when no event tells of it', () => {
  const evidence = evidenceOf({ lost: [{ at: since + 1, back: null }], slots: (t) => (t < since + 1 ? 4 : 2) })
  const a = judged({ ...evidence, events: [] })
  expect(a.ruledOut.map((r) => r.cause)).not.toContain('executor_loss')
  expect(JSON.stringify(a)).not.toContain('throughout')
})

it('brokers and Spark UI alone: a reader that reads less than arrives is not calm', () => {
  const evidence = evidenceOf({ cap: 1200 })
  const batches = evidence.batches.map((batch) => ({ ...batch, to_offset: null, from_offset: null }))
  const a = judged({ ...evidence, batches, commits: [] })
  expect(a.outcome).toBe('inconclusive')
  expect(a.decidingSignal).toBe('the cap of the reader')
})

it("another team's consumer group is not this Spark reader's lag", () => {
  const evidence = evidenceOf({ without: ['checkpoint', 'delta'] })
  const bystander: Series = {
    signal: 'partition.committed_offset',
    entity: { topic: 'orders', partition: 0, group: 'somebody-else' },
    source: 'kafka',
    t: [3590, 3600],
    v: [10, 10],
  }
  const timeline = buildTimeline({ ...evidence, series: [...evidence.series, bystander] })
  expect(timeline.partitions[0]?.position.t).toEqual([])
})

it('a topic that was silent all the time that was seen is neither calm nor ruled out as stopped', () => {
  const a = verdict({ rate: () => 0 })
  expect(a.outcome).toBe('inconclusive')
  expect(a.ruledOut.map((r) => r.cause)).not.toContain('source_stall')
})

it('half of the partitions behind: they are named, not called alike', () => {
  const evidence = evidenceOf({})
  const complete: Series[] = Array.from({ length: 8 }, (_, partition) => ({
    signal: 'partition.complete_to',
    entity: { topic: 'orders', partition },
    source: 'kafka',
    t: [3600],
    v: [partition < 4 ? 3000 : 3599],
  }))
  const a = judged({ ...evidence, series: [...evidence.series, ...complete] })
  expect([a.completeTo?.at, a.completeTo?.heldBackBy, a.completeTo?.others]).toEqual([3000, [0, 1, 2, 3], 3599])
})

it('says since when the reader is further behind than its objective', () => {
  const evidence = evidenceOf({ commitS: (t) => (t < since ? 0.4 : 9.4) })
  const a = judged({ ...evidence, pipeline: { ...evidence.pipeline, objective: { lag_s: 15 } } })
  // 400 records/s and 15 s allow 6,000 records; batches of over 10 s let more wait.
  const broken = a.deadlines.find((d) => d.kind === 'objective_broken')
  expect(broken?.at).toBeGreaterThan(since)
  expect(broken?.at).toBeLessThanOrEqual(3600)
})

describe('a blip after an incident', () => {
  // Every tenth version Delta gathers its log: one commit takes 3 s more.
  const blip = (t: number) => (t > 3593 && t < 3597 ? 3.4 : 0.4)

  it('does not hide an upload of old records that was worked off half a minute ago', () => {
    const a = verdict({
      rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 6 : 0) : 60),
      late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0),
      commitS: blip,
    })
    expect([a.cause, a.place.partitions]).toEqual(['upstream_late', [6, 7]])
  })

  it('nor a lost executor that cost one batch two seconds', () => {
    const a = verdict({ lost: [{ at: since + 1, back: since + 3 }], commitS: blip })
    expect([a.cause, a.place.executor]).toEqual(['executor_loss', '1'])
  })
})

describe('a partition that took up to four times as much and was borne, and a commit that became slow for minutes', () => {
  // 5 s of 200 records/s are a task of 4 s: batches of 4.8 s at a trigger of 5 s, until each commit takes 4 s more and records pile up.
  const slow = 3200
  const motion = (hot: number, lead: number, without: Motion['without']): Motion => ({
    startedAt: 100,
    rate: (p, t) => (p === 3 && t >= slow - lead ? hot : 50),
    commitS: (t) => (t < slow ? 0.4 : 4.4),
    ...(without === undefined ? {} : { without }),
  })

  it.each([20, 40, 60, 120, 300])('%i s later: the partition is not accused for the backlog that the table made', (lead) => {
    for (const hot of [100, 150, 200])
      for (const source of ['kafka', 'checkpoint', 'spark', 'delta', null] as const) {
        const { cause } = verdict(motion(hot, lead, source === null ? undefined : [source]))
        expect([null, 'slow_sink'], `${hot} records/s, without ${source}`).toContain(cause)
      }
  })

  it('nor do rows that pile up speak against the table', () => {
    const { evidence } = slowSink.weigh(gatherFacts(buildTimeline(evidenceOf(motion(200, 20, undefined)))))
    expect(evidence.map((one) => one.id)).not.toContain('batch.rows_explain')
  })

  it('where all is seen and the change is long over, it is the table', () => {
    for (const hot of [100, 150, 200]) expect(verdict(motion(hot, 120, undefined)).cause, `${hot} records/s`).toBe('slow_sink')
  })
})
