/**
 * A topic whose records are always late: mobile clients that are offline for ten minutes as a rule. By record time its last ten
 * minutes are empty and all that arrives is old; nobody may be accused of that, and what does go wrong is found as anywhere else.
 */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Series } from '../../src/incident/evidence.ts'
import { completeInWords } from '../../src/report/complete-words.ts'
import { whatWasLookedAt } from '../../src/report/messages/looked-at.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const LATE = 600
const since = 3600 - 45
const late = (motion: Motion = {}) => evidenceOf({ late: () => LATE, ...motion })
const verdict = (motion?: Motion) => attribute(buildTimeline(late(motion)))
/** Changes in what arrives from `since` on: in what was made ten minutes before. */
const arriving = (before: number, now: number) => (t: number) => (t < since - LATE ? before : now)

describe('records that are always ten minutes late', () => {
  it('are calm', () => {
    expect(verdict().outcome).toBe('none')
  })

  it('upstream is not said to be on time, but no later than usual', () => {
    const a = verdict({ commitS: (t) => (t < since ? 0.4 : 4.4) })
    expect(a.ruledOut.find((one) => one.cause === 'upstream_late')?.by).toBe(
      'No record of 8 partitions came later than is usual for this topic (10 min after its own time at most).',
    )
  })

  it.each<[string, Motion, string]>([
    ['a slow table', { commitS: (t) => (t < since ? 0.4 : 4.4) }, 'slow_sink'],
    ['a lost executor', { lost: [{ at: since + 1, back: since + 9 }] }, 'executor_loss'],
    ['a surge of what arrives', { rate: (_, t) => arriving(50, 125)(t) }, 'intake_surge'],
    ['a hot partition', { rate: (p, t) => (p === 3 ? arriving(50, 500)(t) : 50) }, 'hot_partition'],
    ['nothing arriving any more', { rate: (_, t) => arriving(50, 0)(t) }, 'source_stall'],
  ])('%s is told as on any other topic', (_, motion, cause) => {
    expect(verdict(motion).cause).toBe(cause)
  })

  it.each([20, 60, 600])('of which only brokers and Spark tell, %i s late: nobody is accused of silence', (seconds) => {
    const a = verdict({ late: () => seconds, without: ['checkpoint', 'delta'] })
    expect(a.cause).toBeNull()
    expect(a.ranking[0]?.[0]).not.toBe('source_stall')
  })

  it('held back for eight minutes more than their usual two, upstream is late', () => {
    const held = (p: number, t: number) => (p >= 6 && t > since - 600 && t < since - 120 ? since - t : 120)
    const a = verdict({ late: held, rate: (p) => (p >= 6 ? 30 : 50) })
    expect([a.cause, a.place.partitions]).toEqual(['upstream_late', [6, 7]])
  })

  it('half a minute more than usual is nobody\u2019s fault', () => {
    const held = (p: number, t: number) => (p >= 6 && t > since - 630 && t < since - LATE ? since - t : LATE)
    expect(verdict({ late: held, rate: (p) => (p >= 6 ? 150 : 50) }).cause).not.toBe('upstream_late')
  })

  it('lag counts records that have arrived: a batch\u2019s worth, not ten minutes of them', () => {
    const { lag } = buildTimeline(late())
    // 400 records/s: one batch waits for 5 s and is committed after 3 s more.
    expect(Math.max(...lag.v.map((v) => v ?? 0))).toBeLessThan(400 * 9)
  })

  it('"complete up to" says how late they came, and for how long that was looked at', () => {
    const evidence = late()
    const complete: Series[] = Array.from({ length: 8 }, (_, partition) => ({
      signal: 'partition.complete_to',
      entity: { topic: 'orders', partition },
      source: 'kafka',
      t: [3600],
      v: [2994],
    }))
    const timeline = buildTimeline({ ...evidence, series: [...evidence.series, ...complete] })
    const { completeTo } = attribute(timeline)
    const words = completeInWords(completeTo as NonNullable<typeof completeTo>, timeline, wallClock('Europe/Berlin'))
    expect(words).toMatch(/ By record time: records came up to 10 min late in the last 8 min( \d+ s)?, so data from before can still come$/)
  })

  it('intake is by arrival, and says so where it is not', () => {
    expect(whatWasLookedAt(buildTimeline(late()))[0]).toBe('intake: 400 records/s over 8 partitions')
    expect(whatWasLookedAt(buildTimeline(late({ without: ['checkpoint'] })))[0]).toBe(
      'intake: 400 records/s over 8 partitions (by record time)',
    )
  })
})
