import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'

/** 100 records/s come into one partition and 80 are read, so the lag grows by 20 a second; everything is read every 10 s for 5 min. */
const every10 = Array.from({ length: 31 }, (_, i) => i * 10)
const end = (t: number) => 100 * t
const committed = (t: number) => 80 * t
const lag = (t: number) => 20 * t

const series = (signal: string, t: readonly number[], value: (t: number) => number | null, source = 'kafka'): Series => ({
  signal,
  entity: { topic: 'orders', partition: 0, ...(signal === 'partition.log_end_offset' ? {} : { group: 'etl' }) },
  source,
  t,
  v: t.map(value),
})

function closureOf(parts: readonly Series[], change: Partial<Evidence> = {}) {
  return buildTimeline({
    bundle: 1,
    pipeline: { name: 'orders', topics: [{ name: 'orders', partitions: 1 }], reader: { kind: 'consumer-group', group: 'etl' } },
    asked_at: '2026-11-30T13:05:00Z',
    window: { from: '2026-11-30T13:00:00Z', to: '2026-11-30T13:05:00Z' },
    series: parts,
    batches: [],
    commits: [],
    events: [],
    gaps: [],
    ...change,
  }).closure
}

const offsets = (t = every10) => [series('partition.log_end_offset', t, end), series('partition.committed_offset', t, committed)]

test('a measured lag that grows by what came in less what was read adds up', () => {
  expect(closureOf([...offsets(), series('partition.lag', every10, lag)])).toMatchObject({ state: 'adds_up', error: 0, resolution: 0 })
})

test('a lag that stands still at a good value does not: of 6,000 records in a minute 1,200 are not in it', () => {
  const closure = closureOf([...offsets(), series('partition.lag', every10, (t) => lag(Math.min(t, 200)))])
  expect(closure).toMatchObject({ state: 'broken', error: 0.2, partitions: [0] })
  expect(closure.signals).toEqual(['partition.lag', 'partition.log_end_offset'])
  expect(closure.says).toContain('20 % of what flowed')
})

test('between the two it is said, and nothing is broken', () => {
  expect(closureOf([...offsets(), series('partition.lag', every10, (t) => 1.5 * lag(t))])).toMatchObject({ state: 'open', error: 0.1 })
})

test('the lag of the whole group is tested against all its partitions', () => {
  const group = { ...series('group.lag', every10, (t) => lag(Math.min(t, 200))), entity: { group: 'etl' } }
  expect(closureOf([...offsets(), group])).toMatchObject({ state: 'broken', error: 0.2 })
  expect(closureOf([...offsets(), { ...group, entity: { group: 'somebody-else' } }]).state).toBe('untested')
})

describe('not tested is said, and is no zero', () => {
  const untested = (parts: readonly Series[]) => {
    const closure = closureOf(parts)
    expect(closure).toMatchObject({ state: 'untested', error: null, resolution: null, signals: [] })
    return closure.says
  }

  test('where only offsets were read', () => {
    expect(untested(offsets())).toContain('nobody but the offsets tells the lag')
  })

  test('where no positions were read', () => {
    untested([series('partition.log_end_offset', every10, end), series('partition.lag', every10, lag)])
  })

  test('where lag and offsets were read minutes apart, even if they seem to contradict each other', () => {
    const minutes = [0, 100, 200, 300]
    const between = [50, 150, 250]
    expect(untested([...offsets(minutes), series('partition.lag', between, () => 0)])).toContain('not read often enough at the same times')
  })

  test('where next to nothing flowed', () => {
    const still = [series('partition.log_end_offset', every10, () => 50), series('partition.committed_offset', every10, () => 20)]
    expect(untested([...still, series('partition.lag', every10, () => 7)])).toContain('too few records')
  })
})

test('a commit between two readings of the position hides what it took: no contradiction', () => {
  // All that came in a minute is committed at its end; the lag is read halfway between the readings of the position.
  const inSteps = (t: number) => end(Math.floor(t / 60) * 60)
  const halfway = every10.slice(0, -1).map((t) => t + 5)
  const parts = [series('partition.log_end_offset', every10, end), series('partition.committed_offset', every10, inSteps)]
  const closure = closureOf([...parts, series('partition.lag', halfway, (t) => end(t) - inSteps(t))])
  expect(closure.state).not.toBe('broken')
  expect(closure.error ?? 0).toBe(0)
})

test('clocks of two sources that may differ by 7 s are given that much', () => {
  // In the last 20 s 2,000 records/s come, and the exporter's clock is 5 s behind: 9,500 of 46,000 records are not in its lag yet.
  const rising = (t: number) => end(t) + 1900 * Math.max(0, t - 280)
  const late = (t: number) => rising(Math.max(0, t - 5)) - committed(Math.max(0, t - 5))
  const parts = [series('partition.log_end_offset', every10, rising), series('partition.committed_offset', every10, committed)]
  const clocks = [
    { source: 'kafka', skew_bound_s: 2 },
    { source: 'exporter', skew_bound_s: 5 },
  ]
  expect(closureOf([...parts, series('partition.lag', every10, late, 'exporter')], { clocks }).state).not.toBe('broken')
  expect(closureOf([...parts, series('partition.lag', every10, late)], { clocks }).state).toBe('broken')
})

test('nobody can have read further than the log reaches', () => {
  // The topic was made anew: its log begins again, the group still stands where it was.
  const anew = series('partition.log_end_offset', every10, (t) => (t < 200 ? end(t) : t - 200))
  expect(closureOf([anew, series('partition.committed_offset', every10, committed)])).toMatchObject({
    state: 'broken',
    partitions: [0],
    signals: ['partition.position', 'partition.log_end_offset'],
  })
})

test('whatever flows, a true lag adds up, and so does one that is off by a constant (a transaction marker, another start)', () => {
  const rates = fc.record({
    into: fc.integer({ min: 2, max: 5000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    off: fc.integer({ min: 0, max: 1e6 }),
  })
  fc.assert(
    fc.property(rates, ({ into, share, off }) => {
      const parts = [
        series('partition.log_end_offset', every10, (t) => into * t),
        series('partition.committed_offset', every10, (t) => into * share * t),
        series('partition.lag', every10, (t) => into * (1 - share) * t + off),
      ]
      expect(closureOf(parts)).toMatchObject({ state: 'adds_up' })
    }),
    { numRuns: 50 },
  )
})
