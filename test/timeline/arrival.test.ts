import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrivalLines, eachArrival, usuallyLate } from '../../src/timeline/arrival.ts'
import type { Line } from '../../src/timeline/timeline.ts'

const line = (...points: [number, number][]): Line => ({ t: points.map(([t]) => t), v: points.map(([, v]) => v) })
/** A point every `step` seconds of a count that rises by 10 a second, `late` seconds behind. */
const rising = (from: number, to: number, step: number, late = 0): Line =>
  line(
    ...Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i): [number, number] => [
      from + i * step,
      10 * (from + i * step - late),
    ]),
  )

/** Nothing bears a later time, up to the time at which that was read. */
const upTo = (now: number, { t, v }: Line): Line => {
  const more = Array.from({ length: (now - (t.at(-1) as number)) / 5 }, (_, i) => (t.at(-1) as number) + 5 * (i + 1))
  return { t: [...t, ...more], v: [...v, ...more.map(() => v.at(-1) ?? null)] }
}

const byArrival = (arrived: Line, made: Line, late: number) => arrivalLines()(arrived, made, late)
/** Every arrival as [after, by, offset, late]. */
const arrivalsOf = (arrived: Line, made: Line) => {
  const all: number[][] = []
  eachArrival(arrived, made, ({ after, by, offset, late }) => all.push([after, by, offset, late]))
  return all
}

describe('how late records arrive', () => {
  it('is the time from making to arrival of the oldest of each stretch: 600 s, as a rule', () => {
    const [arrived, made] = [rising(1000, 1030, 10, 600), rising(0, 1030, 5)]
    expect(arrivalsOf(arrived, made)).toEqual([
      [1000, 1010, 4000, 600],
      [1010, 1020, 4100, 600],
      [1020, 1030, 4200, 600],
    ])
    expect(usuallyLate(arrived, made)).toBe(600)
    // Two arrivals are no habit.
    expect(usuallyLate(rising(1000, 1020, 10, 600), made)).toBeNull()
  })

  it('is nothing for a record made in the stretch in which it arrived, however long nothing came', () => {
    expect(arrivalsOf(line([0, 100], [90, 100], [100, 150]), line([0, 100], [95, 100], [100, 150]))).toEqual([[90, 100, 100, 0]])
  })

  it('is below nothing where the clock of producers is ahead: 3 s beyond the arrival', () => {
    expect(arrivalsOf(line([10, 0], [11, 10]), line([13, 0], [15, 20]))).toEqual([[10, 11, 0, -2]])
  })
})

describe('the log end by arrival', () => {
  const slow = line([100, 1000], [120, 1200], [140, 1400])

  it('has the detail of record times between arrivals that agree with them', () => {
    const seen = byArrival(slow, rising(0, 140, 5), 0)
    expect(seen.t.filter((t) => t > 97)).toEqual([100, 105, 110, 115, 120, 125, 130, 135, 140])
    expect(seen.v.filter((_, i) => (seen.t[i] as number) > 97)).toEqual([1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350, 1400])
  })

  it('reaches as far back as record times do', () => {
    expect(byArrival(slow, rising(0, 140, 5), 0).t[0]).toBe(0)
  })

  it('shows an upload when it came, not when its records say they were made', () => {
    // 500 records bear times from 60 s to 110 s and arrived after 120 s.
    const made = line([0, 0], [60, 0], [110, 500], [200, 500])
    const seen = byArrival(line([60, 0], [80, 0], [100, 0], [120, 0], [140, 500], [160, 500]), made, 0)
    expect(seen.t.map((t, i) => [t, seen.v[i]]).filter(([t]) => (t as number) >= 60 && (t as number) <= 160)).toEqual([
      [60, 0],
      [80, 0],
      [100, 0],
      [120, 0],
      [140, 500],
      [160, 500],
    ])
  })

  it('moves record times by how late they are as a rule', () => {
    const seen = byArrival(line([700, 1000], [720, 1200]), upTo(720, rising(0, 120, 5)), 600)
    expect(seen.t.slice(-5)).toEqual([700, 705, 710, 715, 720])
    expect(seen.v.slice(-5)).toEqual([1000, 1050, 1100, 1150, 1200])
    expect(seen.t[0]).toBe(600)
  })

  it('is record time, moved, where no arrival is known', () => {
    const none: Line = { t: [], v: [] }
    expect(byArrival(none, line([0, 0], [5, 50]), 2).t).toEqual([0, 5])
    expect(byArrival(none, upTo(610, line([0, 0], [5, 50])), 600).t).toEqual([600, 605, 610])
  })

  it('is the same for each of many partitions, whatever the one before was woven from', () => {
    const lines = arrivalLines()
    const made = rising(0, 140, 5)
    // The second has the axes of the first and other records: an upload at 140 s of what was made from 60 s on.
    const upload: Line = { t: made.t, v: made.t.map((t) => (t < 60 ? 0 : Math.min(500, 10 * (t - 60)))) }
    const late: Line = { t: slow.t, v: [0, 0, 500] }
    for (const [arrived, by] of [
      [slow, made],
      [late, upload],
      [slow, made],
    ] as const) {
      expect(lines(arrived, by, 0)).toEqual(byArrival(arrived, by, 0))
    }
  })

  it('keeps what arrived, never falls between, and reads no rate from two moments of one instant', () => {
    const count = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 400 })), { minLength: 2, maxLength: 40 })
    const curve = (steps: [number, number][]): Line => {
      let sum = 0
      const times = [...new Set(steps.map(([t]) => t / 10))].sort((a, b) => a - b)
      return { t: times, v: times.map((_, i) => (sum += steps[i]?.[1] ?? 0)) }
    }
    fc.assert(
      fc.property(count, count, fc.integer({ min: -20, max: 100 }), (a, b, late) => {
        const arrived = curve(a)
        const { t, v } = byArrival(arrived, curve(b), late)
        const [from, to] = [arrived.t[0] as number, arrived.t.at(-1) as number]
        for (let i = 1; i < t.length; i++) {
          if ((t[i - 1] as number) < from || (t[i] as number) > to) continue
          expect((t[i] as number) - (t[i - 1] as number)).toBeGreaterThanOrEqual(arrived.t.length > 2 ? 0.9 - 1e-9 : 0)
          expect(v[i]).toBeGreaterThanOrEqual(v[i - 1] as number)
        }
        expect(v[t.indexOf(from)]).toBe(arrived.v[0])
      }),
      // Two record times of one instant, between two arrivals.
      {
        examples: [
          [
            [
              [0, 0],
              [1439, 337],
              [1849, 397],
            ],
            [
              [0, 0],
              [1336, 330],
              [1823, 20],
              [1824, 384],
            ],
            0,
          ],
        ],
      },
    )
  })
})
