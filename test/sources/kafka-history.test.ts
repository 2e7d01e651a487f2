import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/sources/kafka-history.ts'
import { historyOf, historyTimes, overlapTimes } from '../../src/sources/kafka-history.ts'

const NOW = 1_796_000_123_456
const SECOND = 1_000
const MINUTE = 60 * SECOND

interface Log {
  /** Stamp of each record, by offset from `start`. */
  readonly stamps: readonly number[]
  readonly start: number
}

/** What a broker answers for a time: the first record, in offset order, stamped at or after it. */
function ask({ stamps, start }: Log, time: number): Answer {
  const index = stamps.findIndex((stamp) => stamp >= time)
  return index < 0 ? { offset: -1, timestamp: -1 } : { offset: start + index, timestamp: stamps[index] ?? -1 }
}

function historyFrom(log: Log, times: readonly number[]) {
  return historyOf({
    start: log.start,
    end: log.start + log.stamps.length,
    ahead: ask(log, NOW + 2 * SECOND).offset,
    points: new Map(times.map((time) => [time, ask(log, time)])),
  })
}

describe('the times asked', () => {
  const times = historyTimes(NOW)

  test('cover the last hour by the minute and the last five minutes by five seconds, on a fixed grid', () => {
    const minutes = times.filter((time) => time % MINUTE === 0)
    const fine = times.filter((time) => time >= NOW - 5 * MINUTE)
    expect(minutes).toHaveLength(60)
    expect(fine).toHaveLength(60)
    expect(times.every((time) => time <= NOW && time >= NOW - 60 * MINUTE && time % (5 * SECOND) === 0)).toBe(true)
    expect(new Set(times).size).toBe(times.length)
    expect(historyTimes(NOW + 1)).toEqual(times)
  })

  test('come newest first on both grids, in turn, so that half of them is recent detail and half of the hour', () => {
    const half = times.slice(0, times.length / 2)
    expect(Math.max(...half)).toBe(Math.max(...times))
    const fineHalf = half.filter((time) => time >= NOW - 5 * MINUTE)
    const coarseHalf = half.filter((time) => time < NOW - 5 * MINUTE)
    expect(Math.min(...fineHalf)).toBeLessThan(NOW - 2 * MINUTE)
    expect(Math.min(...coarseHalf)).toBeLessThan(NOW - 25 * MINUTE)
  })

  test('the second look asks the newest few again', () => {
    expect(overlapTimes(NOW).every((time) => times.includes(time) && time >= NOW - 30 * SECOND)).toBe(true)
  })
})

describe('what the answers mean', () => {
  test('each point is the number of records made before it, exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 70 * MINUTE }), { maxLength: 300 }), (ages) => {
        const stamps = ages.map((age) => NOW - age).sort((a, b) => a - b)
        const history = historyFrom({ stamps, start: 0 }, historyTimes(NOW))
        expect(history.t).toHaveLength(historyTimes(NOW).length)
        expect(history.v).toEqual(history.t.map((t) => stamps.filter((stamp) => stamp < t * SECOND).length))
      }),
      { numRuns: 60 },
    )
  })

  test('records that came after the log end was read are left out', () => {
    const log = { stamps: [NOW - 3 * MINUTE, NOW - 1], start: 0 }
    const { v } = historyOf({ start: 0, end: 1, ahead: -1, points: new Map([[NOW - 2 * MINUTE, ask(log, NOW - 2 * MINUTE)]]) })
    expect(v).toEqual([1])
  })

  test('where retention cuts in, the series begins with the oldest record kept and does not pretend that nothing came', () => {
    const stamps = Array.from({ length: 40 }, (_, index) => NOW - 40 * MINUTE + index * MINUTE)
    const history = historyFrom({ stamps, start: 500 }, historyTimes(NOW))
    expect(history.cutAt).toBe((stamps[0] ?? 0) / SECOND)
    expect(history.t[0]).toBe((stamps[0] ?? 0) / SECOND)
    expect(history.v[0]).toBe(500)
    expect(history.t.every((t) => t >= (history.cutAt ?? 0))).toBe(true)
  })

  test('a log that begins at offset 0 has lost nothing: before its first record there was none', () => {
    const history = historyFrom({ stamps: [NOW - 10 * MINUTE], start: 0 }, historyTimes(NOW))
    expect(history.cutAt).toBeNull()
    expect(history.v[0]).toBe(0)
  })

  test('a log emptied by retention tells nothing of its past', () => {
    expect(historyFrom({ stamps: [], start: 900 }, historyTimes(NOW))).toMatchObject({ t: [], v: [], emptied: true })
  })

  test('an empty log that never held a record is a flat zero', () => {
    const history = historyFrom({ stamps: [], start: 0 }, historyTimes(NOW))
    expect(new Set(history.v)).toEqual(new Set([0]))
  })

  test('a record from the future hides what came after it: null, not a stall', () => {
    const calm = Array.from({ length: 50 }, (_, index) => NOW - 50 * MINUTE + index * MINUTE)
    const stamps = [...calm.slice(0, 30), NOW + 30 * MINUTE, ...calm.slice(30)]
    const history = historyFrom({ stamps, start: 0 }, historyTimes(NOW))
    expect(history.hiddenFrom).not.toBeNull()
    const from = history.hiddenFrom ?? 0
    expect(Math.abs(from * SECOND - (NOW - 20 * MINUTE))).toBeLessThan(2 * MINUTE)
    expect(history.v.filter((_, index) => (history.t[index] ?? 0) >= from)).toEqual(history.t.filter((t) => t >= from).map(() => null))
    expect(history.v.filter((value) => value === null)).not.toHaveLength(0)
  })

  test('producers whose clocks run a second ahead, or a last record from the future, hide nothing', () => {
    const ahead = Array.from({ length: 600 }, (_, index) => NOW - 599 * SECOND + index * SECOND + 1_000)
    expect(historyFrom({ stamps: ahead, start: 0 }, historyTimes(NOW)).hiddenFrom).toBeNull()
    expect(historyFrom({ stamps: [NOW - 5 * MINUTE, NOW + 30 * MINUTE], start: 0 }, historyTimes(NOW)).hiddenFrom).toBeNull()
  })
})
