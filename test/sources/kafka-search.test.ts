import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KnownPoints, Search } from '../../src/sources/kafka-search.ts'
import { narrow, nextTime, PRECISION_MS, startSearch } from '../../src/sources/kafka-search.ts'

const NOW = 1_796_000_000_000
const HOUR = 3_600_000

/** Runs a search against a log given by its stamps (offset = index + start). */
function run(stamps: readonly number[], committed: number, known: KnownPoints | null, start = 0): { search: Search; steps: number } {
  let search = startSearch(0, committed, known, NOW)
  let steps = 0
  for (let time = nextTime(search); time !== null && steps < 100; time = nextTime(search)) {
    const asked = time
    const index = stamps.findIndex((stamp) => stamp >= asked)
    search = narrow(search, asked, index < 0 ? { offset: -1, timestamp: -1 } : { offset: start + index, timestamp: stamps[index] ?? -1 })
    steps += 1
  }
  return { search, steps }
}

/** One point a minute of what the first look saw, as the source gives it. */
function hourOf(stamps: readonly number[]): KnownPoints {
  const points = Array.from({ length: 60 }, (_, index) => NOW - (59 - index) * 60_000).map(
    (time) => [time, stamps.filter((stamp) => stamp < time).length] as const,
  )
  return { points, end: stamps.length }
}

describe('from committed offset to time', () => {
  test('the stamp of the first unread record, to 100 ms, in a handful of requests', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_000, max: HOUR }), { minLength: 2, maxLength: 400 }),
        fc.nat(),
        fc.boolean(),
        (ages, pick, hinted) => {
          const stamps = ages.map((age) => NOW - age).sort((a, b) => a - b)
          const committed = pick % stamps.length
          const { search, steps } = run(stamps, committed, hinted ? hourOf(stamps) : null)
          const truth = stamps[committed] ?? 0
          expect(search.trouble).toBeNull()
          expect(search.lowMs).toBeLessThanOrEqual(truth)
          expect(search.lowMs).toBeGreaterThanOrEqual(truth - PRECISION_MS)
          expect(steps).toBeLessThanOrEqual(hinted ? 17 : 26)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('records out of order: no record below the time is left unread, except later ones that arrive late', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1_000, max: HOUR }), { minLength: 2, maxLength: 200 }), fc.nat(), (ages, pick) => {
        const stamps = ages.map((age) => NOW - age)
        const committed = pick % stamps.length
        // Greatest T with R(T) <= committed: the newest stamp up to and including the first unread record.
        const truth = Math.max(...stamps.slice(0, committed + 1))
        const { search } = run(stamps, committed, null)
        expect(search.lowMs).toBeLessThanOrEqual(truth)
        expect(search.lowMs).toBeGreaterThanOrEqual(truth - PRECISION_MS)
      }),
      { numRuns: 200 },
    )
  })

  test('a reader that is days behind is found without history', () => {
    const stamps = Array.from({ length: 1_000 }, (_, index) => NOW - (1_000 - index) * 600_000)
    const { search, steps } = run(stamps, 10, hourOf(stamps))
    expect(search.lowMs).toBe(stamps[10])
    expect(steps).toBeLessThanOrEqual(35)
  })

  test('records removed by retention before they were read give no time', () => {
    expect(run([NOW - 5_000, NOW - 4_000], 3, null, 10).search.trouble).toBe('removed')
  })

  test('a record from the future among those read gives no time', () => {
    expect(run([NOW - 9_000, NOW + HOUR, NOW - 8_000, NOW - 7_000], 2, null).search.trouble).toBe('future')
  })

  test('producers a second ahead are no trouble', () => {
    const stamps = Array.from({ length: 100 }, (_, index) => NOW - 99_000 + index * 1_000 + 1_000)
    const { search } = run(stamps, 99, null)
    expect(search.trouble).toBeNull()
    expect(search.lowMs).toBeGreaterThanOrEqual(NOW - 1_000)
  })
})
