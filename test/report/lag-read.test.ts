/** The lag of now is worked out from the newest log end: where that is old, nobody is told that all is calm now. */
import { describe, expect, test } from 'vitest'
import { costInWords } from '../../src/report/cost-words.ts'
import { highestOf, lagRead } from '../../src/report/line.ts'
import type { PartitionFlow } from '../../src/timeline/timeline.ts'
import { judge } from '../../src/workflow/judge.ts'
import { groupEvidence } from './group-evidence.ts'

const flow = (end: number, position: number): PartitionFlow => ({
  topic: 'orders',
  partition: 0,
  logEnd: { t: [0, end], v: [0, 100] },
  arrived: { t: [], v: [] },
  made: { t: [], v: [] },
  position: { t: [0, position], v: [0, 60] },
  intake: { t: [], v: [] },
  lag: { t: [], v: [] },
  completeTo: null,
})
const line = { t: [50, 100], v: [30, 40] }

test('a log end of now: the line as it is', () => {
  expect(lagRead(line, [flow(98, 50)], 100)).toEqual(line)
})

test('an older one: the last point stands where it was read', () => {
  expect(lagRead(line, [flow(90, 50)], 100)).toEqual({ t: [50, 90], v: [30, 40] })
})

test('a reader that got further since: the last point goes', () => {
  expect(lagRead(line, [flow(70, 80)], 100)).toEqual({ t: [50], v: [30] })
})

test('a lag that somebody measured is no guess', () => {
  expect(lagRead({ t: [50, 80], v: [1, 2] }, [flow(70, 60)], 100)).toEqual({ t: [50, 80], v: [1, 2] })
})

describe('brokers that went silent ten minutes ago', () => {
  const until = (one: (typeof groupEvidence.series)[number]) => {
    const kept = one.t.filter((t) => one.signal !== 'partition.log_end_offset' || t <= 600)
    return { ...one, t: kept, v: one.v.slice(0, kept.length) }
  }
  const { attribution, timeline } = judge({ ...groupEvidence, series: groupEvidence.series.map(until) })

  test('the cost says how old the lag is, and it is not zero', () => {
    // Four partitions, 10 records a second each, for 600 s.
    expect(costInWords(attribution, timeline)).toEqual(['lag 24 k records 10 min ago'])
  })
})

test('the highest of very many lines', () => {
  const lines = Array.from({ length: 150_000 }, (_, i) => ({ t: [1], v: [i] }))
  expect(highestOf(lines, 0, 2)).toBe(149_999)
  expect(highestOf([{ t: [1, 5], v: [9, 3] }], 0, 9, [{ from: 0, to: 2 }])).toBe(3)
})
