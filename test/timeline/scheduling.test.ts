import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { schedulingOf } from '../../src/timeline/scheduling.ts'
import { evidenceOf } from '../build/pipeline.ts'

/** A multiple of 5 s since 1970. */
const ZERO_S = 1_796_000_000
const every5s = { reader: { trigger_s: 5 }, zeroS: ZERO_S }

/** Batches from [start, end | null] in seconds; ids rise by one. */
const batches = (...spans: [number, number | null][]): Batch[] => spans.map(([start, end], i) => ({ id: 100 + i, start, end }))
const delays = (all: readonly Batch[], triggers = every5s) => {
  const { delayMs } = schedulingOf(all, triggers)
  return all.map(({ id }) => delayMs.get(id) ?? null)
}

describe('a batch against its trigger, every 5 s', () => {
  it('is on time while each takes 3 s', () => {
    expect(delays(batches([0, 3], [5, 8], [10, 13]))).toEqual([null, 0, 0])
  })

  it('is late by what the one before ran over: batches of 7 s are due at 5, 10, 15, 25', () => {
    expect(delays(batches([0, 7], [7, 14], [14, 21], [21, 28], [28, null]))).toEqual([null, 2000, 4000, 6000, 3000])
  })

  it('the batch in flight has its own, and the trigger that waits for it is told since when', () => {
    const open = batches([0, 7], [7, null])
    expect(delays(open)).toEqual([null, 2000])
    expect(schedulingOf(open, every5s).waitsSince).toBe(10)
    expect(schedulingOf(batches([0, 3], [5, 8]), every5s).waitsSince).toBeNull()
  })

  it('is on time at a later trigger, where those before it found nothing to read', () => {
    expect(delays(batches([0, 3], [20, 23]))).toEqual([null, 0])
    expect(delays(batches([0, 7], [10, 13]))).toEqual([null, 0])
  })

  it('counts from multiples since 1970, wherever the axis begins', () => {
    expect(delays(batches([-1.5, 5.5], [5.5, 8]), { ...every5s, zeroS: ZERO_S + 1.5 })).toEqual([null, 2000])
  })

  it('where every batch that waited begins 2.3 s off the multiples, the clock is off by that and nobody is late', () => {
    expect(delays(batches([2.3, 5], [7.3, 10], [12.3, 15], [17.3, 20], [22.3, 25]))).toEqual([null, 0, 0, 0, 0])
  })

  it('DStreams name the time that a batch was due', () => {
    const streams = batches([0.1, 7], [7, 9]).map((batch, i) => ({ ...batch, batch_time: i * 5 }))
    expect(delays(streams)).toEqual([100, 2000])
  })
})

describe('it is not known, and never 0', () => {
  const late = batches([0, 7], [7, 14])
  it.each([
    ['back to back', { trigger_s: null }],
    ['back to back', { trigger_s: 0 }],
    ['no interval', {}],
  ] as const)('%s', (unknown, reader) => {
    expect(schedulingOf(late, { reader, zeroS: ZERO_S })).toEqual({ delayMs: new Map(), waitsSince: null, unknown })
  })

  it('where an interval was declared on which no batch begins', () => {
    const every8s = batches([0, 1], [8, 9], [16, 17], [24, 25], [32, 33])
    expect(schedulingOf(every8s, every5s)).toMatchObject({ unknown: 'no grid', waitsSince: null })
  })

  it.each<[string, Partial<Batch>, Partial<Batch>]>([
    ['after a batch that is not kept', {}, { id: 102 }],
    ['at the start of a run', { run: 'a' }, { run: 'b' }],
    ['when it was run again after a restart', {}, { replayed: true }],
    ['when only its plan is known', {}, { phases_missing: ['latestOffset'] }],
    ['when nobody saw the one before end', { end_bounds: [6, 7] }, {}],
  ])('%s', (_, before, batch) => {
    const [first, second] = late as [Batch, Batch]
    expect(
      delays([
        { ...first, ...before },
        { ...second, ...batch },
      ]),
    ).toEqual([null, null])
  })
})

it('is what a loop that waits as Spark does would have measured, however long batches take', () => {
  const run = fc.array(fc.integer({ min: 100, max: 20_000 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(run, fc.constantFrom(1, 4, 5, 10), (durations, trigger) => {
      const every = trigger * 1000
      const spans: [number, number][] = []
      const waited: number[] = []
      let next = 0
      let now = 0
      for (const took of durations) {
        waited.push(Math.max(0, now - next))
        now = Math.max(now, next)
        next = Math.floor(now / every) * every + every
        spans.push([now / 1000, (now + took) / 1000])
        now += took
      }
      // A batch that ends just before a trigger cannot be told from one that waited for it: such runs are left out.
      fc.pre(spans.every(([, end]) => end % trigger < trigger - 0.3 && end % trigger > 0.05))
      const seen = delays(batches(...spans), { reader: { trigger_s: trigger }, zeroS: 1_800_000_000 })
      expect(seen.slice(1)).toEqual(waited.slice(1))
    }),
  )
})

describe('on the timeline it is a signal of its own', () => {
  it('batches of over 6.8 s at a 5 s trigger: each begins later, and the trigger of the next waits', () => {
    const { scheduling, batches: all } = buildTimeline(evidenceOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4), askedAt: 3585 }))
    // 3,555.00 + 6.87 = 3,561.87, due at 3,560; + 7.62 = 3,569.49, due at 3,565; + 7.92 = 3,577.41, due at 3,570.
    expect(all.slice(-4).map((b) => [Math.round(b.start * 100) / 100, b.scheduling_delay_ms])).toEqual([
      [3555, 0],
      [3561.87, 1870],
      [3569.49, 4492],
      [3577.41, 7410],
    ])
    expect(scheduling.waitsSince).toBe(3580)
    expect([scheduling.line.t.at(-1), scheduling.line.v.at(-1)]).toEqual([3585, 5])
  })

  it('a batch that hangs for 40 s: the trigger 5 s after its start has waited for 35 s', () => {
    const { scheduling } = buildTimeline(evidenceOf({ commitS: (t) => (t < 3560 ? 0.4 : 100), askedAt: 3600 }))
    expect(scheduling.waitsSince).toBe(3565)
    expect([scheduling.line.t.at(-1), scheduling.line.v.at(-1)]).toEqual([3600, 35])
  })

  it('back to back says so', () => {
    const { scheduling } = buildTimeline(evidenceOf({ triggerS: null }))
    expect(scheduling.unknown).toBe('back to back')
    expect(scheduling.line.v.every((v) => v === null)).toBe(true)
  })
})
