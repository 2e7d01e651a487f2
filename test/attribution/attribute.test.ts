import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Evidence } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { incidents } from '../build/incidents.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const verdict = (motion: Motion) => attribute(buildTimeline(evidenceOf(motion)))
/** Everything changes 45 s before it is asked. */
const since = 3600 - 45
const changing =
  <T>(before: T, now: T) =>
  (t: number) =>
    t < since ? before : now

describe('the verdict names where pressure began', () => {
  it('a surge over all partitions: 400 → 1,000 records/s against a capacity of about 900', () => {
    const a = verdict({ rate: (_, t) => changing(50, 125)(t) })
    expect([a.outcome, a.cause]).toEqual(['cause', 'intake_surge'])
    expect(a.place.topic).toBe('orders')
    expect(a.onset?.[0]).toBeLessThanOrEqual(since)
    expect(a.onset?.[1]).toBeGreaterThanOrEqual(since - 5)
  })

  it('one partition that takes ten times its share', () => {
    const a = verdict({ rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) })
    expect([a.outcome, a.cause, a.place.partitions]).toEqual(['cause', 'hot_partition', [3]])
  })

  it('a hot partition while the total stays', () => {
    const a = verdict({ rate: (p, t) => (p === 3 ? changing(50, 330)(t) : changing(50, 10)(t)) })
    expect([a.outcome, a.cause, a.place.partitions]).toEqual(['cause', 'hot_partition', [3]])
  })

  it('a table whose commit takes 4 s instead of 0.4 s', () => {
    const a = verdict({ commitS: changing(0.4, 4.4) })
    expect([a.outcome, a.cause, a.place.phase]).toEqual(['cause', 'slow_sink', 'sink'])
  })

  it('data files that take 2.5 s more in every task, told from slow records by tasks of different size', () => {
    const a = verdict({ rate: (p) => 20 + 10 * p, perTaskMs: changing(50, 2550) })
    expect([a.outcome, a.cause]).toEqual(['cause', 'slow_sink'])
  })

  it('a lost executor that came back 8 s later', () => {
    const a = verdict({ lost: [{ at: since + 1, back: since + 9 }] })
    expect([a.outcome, a.cause, a.place.executor, a.place.host]).toEqual(['cause', 'executor_loss', '1', '10.0.0.2'])
  })

  it('a producer that stopped', () => {
    const a = verdict({ rate: (_, t) => changing(50, 0)(t) })
    expect([a.outcome, a.cause]).toEqual(['cause', 'source_stall'])
  })

  it('ten minutes of old records that arrive at once in two partitions that were idle', () => {
    const a = verdict({
      rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 30 : 0) : 60),
      late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0),
    })
    expect([a.outcome, a.cause, a.place.partitions]).toEqual(['cause', 'upstream_late', [6, 7]])
  })

  it('nothing, when nothing is wrong', () => {
    expect(verdict({}).outcome).toBe('none')
  })
})

describe('it does not accuse', () => {
  it('more intake that the reader can take', () => {
    expect(verdict({ rate: (_, t) => changing(50, 70)(t) }).outcome).toBe('none')
  })

  it('the sink, when a record costs four times as much in every task', () => {
    const a = verdict({ rate: (p) => 20 + 10 * p, perRecordMs: changing(4, 16) })
    expect(a.cause).not.toBe('slow_sink')
    expect(a.ranking[0]?.[0]).toBe('slow_processing')
  })

  it('anybody, when tasks of one size became slow and no sink metric tells by what', () => {
    const a = verdict({ perRecordMs: changing(4, 16), askedAt: 3569 })
    expect(a.outcome).toBe('inconclusive')
    expect(a.decidingSignal).not.toBeNull()
  })

  it('anybody, when nothing could be read', () => {
    const a = verdict({ without: ['kafka', 'checkpoint', 'spark', 'delta'] })
    expect([a.outcome, a.cause]).toEqual(['inconclusive', null])
    expect(a.gaps).toHaveLength(4)
  })

  it.each([
    [-1, 'unexplained', 'Nobody can write to or read partitions 0 and 5: no leader.'],
    [3, 'missing:partition.log_end_offset', 'The log end of partitions 0 and 5 could not be read.'],
  ])('calm, where partitions led by %i could not be read', (leader, reason, says) => {
    const calm = evidenceOf({})
    const ill = (partition: number | undefined) => partition === 0 || partition === 5
    const read = calm.series.filter((s) => !(s.signal === 'partition.log_end_offset' && ill(s.entity.partition)))
    const leaders = Array.from({ length: 8 }, (_, partition) => ({
      signal: 'partition.leader',
      entity: { topic: 'orders', partition },
      source: 'kafka',
      t: [3600],
      v: [ill(partition) ? leader : 1],
    }))
    const a = attribute(buildTimeline({ ...calm, series: [...read, ...leaders] }))
    expect([a.outcome, a.reason]).toEqual(['inconclusive', reason])
    expect([...a.opposing.map((one) => one.says), ...a.ruledOut.map((one) => one.by)]).toContain(says)
  })

  it.each(['calm', 'a capped reader'] as const)(
    '%s, when only the reader itself told what arrives: one that leaves records behind looks the same',
    (incident) => {
      const { series, ...rest } = (incidents[incident] as () => Evidence)()
      const a = attribute(buildTimeline({ ...rest, series: series.filter((s) => s.signal !== 'partition.log_end_offset') }))
      expect([a.outcome, a.decidingSignal]).toEqual(['inconclusive', 'partition.log_end_offset'])
    },
  )

  it('the host of an executor that stands still: that it does is said, and what would tell', () => {
    const a = attribute(buildTimeline((incidents['a standing executor'] as () => Evidence)()))
    expect([a.outcome, a.reason, a.place.executor]).toEqual(['inconclusive', 'missing:the end of the silence', '1'])
    expect(a.supporting.find(({ id }) => id === 'executor.stands')?.says).toMatch(/^Executor 1 on 10\.0\.0\.2 has tasks.* finished none/)
    expect(a.ruledOut.map(({ cause }) => cause)).not.toContain('executor_loss')
    expect(JSON.stringify(a)).not.toContain('No executor was lost')
  })

  it('lag as such: a high constant lag changes no verdict', () => {
    expect(verdict({ triggerS: 60, startedAt: 0, perRecordMs: () => 4 }).outcome).toBe('none')
  })
})

describe('what the pipeline did two minutes earlier is another matter', () => {
  // 16 records/s a partition until then, 50 since: a rise that the reader took in its stride.
  const risen = (t: number) => (t < 3600 - 180 ? 16 : 50)

  it('a slow commit is not a surge', () => {
    expect(verdict({ rate: (_, t) => risen(t), commitS: changing(0.4, 4.4) }).cause).toBe('slow_sink')
  })

  it('a lost executor is not a surge', () => {
    expect(verdict({ rate: (_, t) => risen(t), lost: [{ at: since + 1, back: since + 9 }] }).cause).toBe('executor_loss')
  })

  it('calm is calm', () => {
    expect(verdict({ rate: (_, t) => risen(t) }).outcome).toBe('none')
    expect(verdict({ rate: (_, t) => (t < 3600 - 100 ? 16 : 50) }).outcome).toBe('none')
  })
})

describe('removing a source may weaken a verdict, never turn it', () => {
  const incidents: [string, Motion][] = [
    ['intake_surge', { rate: (_, t) => changing(50, 125)(t) }],
    ['hot_partition', { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }],
    ['slow_sink', { commitS: changing(0.4, 4.4) }],
    ['executor_loss', { lost: [{ at: since + 1, back: since + 9 }] }],
    ['source_stall', { rate: (_, t) => changing(50, 0)(t) }],
  ]
  for (const [cause, motion] of incidents) {
    for (const source of ['kafka', 'checkpoint', 'spark', 'delta'] as const) {
      it(`${cause} without ${source}`, () => {
        expect([cause, null]).toContain(verdict({ ...motion, without: [source] }).cause)
      })
    }
  }
})

it('the same evidence gives the same bytes', () => {
  const motion: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }
  expect(JSON.stringify(verdict(motion))).toBe(JSON.stringify(verdict(motion)))
})
