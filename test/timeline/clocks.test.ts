import { describe, expect, it, test } from 'vitest'
import type { Clock } from '../../src/incident/evidence.ts'
import type { BatchSighting } from '../../src/incident/findings.ts'
import { joinBatches } from '../../src/timeline/batches.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { skewBetween } from '../../src/timeline/clocks.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { shifted } from '../build/shifted.ts'

const kafka: Clock = { source: 'kafka', skew_bound_s: 2 }
const spark: Clock = { source: 'spark', skew_bound_s: 3 }
const oneHost = { bootstrap: '10.0.0.5:9092', spark: 'http://10.0.0.5:4040/' }

describe('by how much two clocks may differ', () => {
  test.each<[string, number, Parameters<typeof skewBetween>]>([
    ['one clock', 0, ['spark', 'spark', [spark], undefined]],
    ['two declared bounds add up', 5, ['kafka', 'spark', [kafka, spark], undefined]],
    [
      'what was measured counts by its error',
      2.01,
      ['kafka', 'spark', [kafka, { ...spark, ahead_s: 2.9, ahead_error_s: 0.01 }], undefined],
    ],
    [
      'the driver’s own word before that of its files',
      5,
      ['kafka', 'spark', [{ source: 'checkpoint', skew_bound_s: 9 }, kafka, spark], undefined],
    ],
    ['its files, where it is silent', 11, ['kafka', 'spark', [{ source: 'checkpoint', skew_bound_s: 9 }, kafka], undefined]],
    ['nothing declared', 30, ['kafka', 'spark', [], undefined]],
    ['nothing declared, on one host', 2, ['kafka', 'spark', [], oneHost]],
    ['half of it declared', 33, ['kafka', 'spark', [spark], undefined]],
    ['half of it declared, on one host', 5, ['kafka', 'spark', [spark], oneHost]],
    ['hosts of other names are others', 33, ['kafka', 'spark', [spark], { ...oneHost, spark: 'http://driver:4040' }]],
  ])('%s', (_, seconds, of) => {
    expect(skewBetween(...of)).toBeCloseTo(seconds, 6)
  })
})

describe('a driver whose clock is ahead, as measured', () => {
  const evidence = evidenceOf({ commitS: (t) => (t < 3560 ? 0.4 : 100), lost: [{ at: 3500, back: 3508 }] })
  const measured: Clock = { source: 'spark', skew_bound_s: 17.501, ahead_s: 17.5, ahead_error_s: 0.001 }

  it('is put back: batches, executors and their delays stand where they would without', () => {
    const straight = buildTimeline(evidence)
    const ahead = buildTimeline({ ...shifted(evidence, 'spark', 17.5), clocks: [measured] })
    const near = (a: number | null | undefined, b: number | null | undefined) => expect(Math.abs((a ?? -1) - (b ?? -1))).toBeLessThan(0.002)
    for (const [i, batch] of straight.batches.entries()) {
      near(ahead.batches[i]?.start, batch.start)
      near(ahead.batches[i]?.end, batch.end)
      near(ahead.batches[i]?.jobs?.[0]?.start, batch.jobs?.[0]?.start)
      expect(ahead.batches[i]?.scheduling_delay_ms ?? null).toBe(batch.scheduling_delay_ms ?? null)
    }
    expect(ahead.events.map((e) => e.at)).toEqual(straight.events.map((e) => e.at))
    expect(ahead.slots).toEqual(straight.slots)
    near(ahead.scheduling.waitsSince, straight.scheduling.waitsSince)
  })

  it('triggers are multiples of the interval by its own clock, also where no batch waits for one', () => {
    const starts = [3500, 3507, 3514, 3521]
    const batches = starts.map((start, i) => ({ id: 100 + i, start, end: start + 7 }))
    const { batches: seen } = buildTimeline({ ...evidence, batches, clocks: [measured] })
    expect(seen.map((b) => [b.start, b.scheduling_delay_ms])).toEqual([
      [3482.5, undefined],
      [3489.5, 2000],
      [3496.5, 4000],
      [3503.5, 6000],
    ])
  })

  it('an open batch is as old as it is, not as old as two clocks make it', () => {
    const zero = 1_796_000_000_000
    const sighting: BatchSighting = { id: 7, plannedAtMs: zero + 100_000, offsetsWrittenMs: zero + 100_002, committedMs: null }
    const context = { zeroS: zero / 1000, askedAtMs: zero + 110_000 }
    const age = (driverAheadS: number) => joinBatches([sighting], { ...context, driverAheadS })[0]?.age_s
    // Planned 10 s ago by the driver's clock; that clock is 4 s ahead of ours, or 20 s behind.
    expect([age(0), age(4), age(-20)]).toEqual([10, 14, 0])
  })
})
