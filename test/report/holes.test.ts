import { describe, expect, test } from 'vitest'
import type { Gap } from '../../src/incident/evidence.ts'
import type { PanelName } from '../../src/report/chart/holes.ts'
import { holesFromSources, merged, readingsOf, reasonFor, unseenInMost } from '../../src/report/chart/holes.ts'
import { delta } from '../../src/sources/delta.ts'
import { kafkaGroup } from '../../src/sources/kafka-group.ts'
import { kafkaPartitions } from '../../src/sources/kafka-partitions.ts'
import { sparkUi } from '../../src/sources/spark-ui.ts'
import { timelineOf } from '../build/timeline.ts'

const quiet = timelineOf({ kind: 'quiet' })
const why = (panel: PanelName, ...gaps: Gap[]) => reasonFor(panel, { ...quiet, gaps })
const down = (source: string, more: Partial<Gap> = {}): Gap => ({ source, signal: null, reason: `${source} is down`, ...more })

test.each<[PanelName, string]>([
  ['intake', kafkaPartitions.name],
  ['lag', kafkaGroup.name],
  ['lag', 'checkpoint'],
  ['batches', sparkUi.name],
  ['slots', sparkUi.name],
  ['freshness', delta.name],
])('an empty panel of %s says why %s gave nothing', (panel, source) => {
  expect(why(panel, down('another'), down(source))).toBe(`${source} is down`)
})

test('the source that tells most comes first, and what lacks for a stretch only comes last', () => {
  expect(why('lag', down('kafka'), down('checkpoint'))).toBe('checkpoint is down')
  expect(why('batches', down('spark-ui', { from: 1, to: 2 }), down('checkpoint'))).toBe('checkpoint is down')
  expect(why('batches', down('spark-ui', { from: 1, to: 2 }))).toBe('spark-ui is down')
})

describe('a source that failed and named no signal', () => {
  const window = { from: 0, to: 600 }
  /** Read every ten seconds, but not between `from` and `to`. */
  const readings = (from = 0, to = 0) => readingsOf([{ t: every10(from, to), v: every10(from, to) }])
  const every10 = (from: number, to: number) => Array.from({ length: 60 }, (_, i) => i * 10).filter((t) => t <= from || t >= to)
  const failed = (source: string, from: number, to: number) => ({ ...quiet, gaps: [down(source, { from, to })] })

  test('what it should have fed is not seen between the readings around the failure', () => {
    expect(holesFromSources('intake', () => readings(100, 160), true, failed('kafka', 105, 155), window)).toEqual([{ from: 100, to: 160 }])
  })

  test('what was read all the same is no hole', () => {
    expect(holesFromSources('intake', () => readings(), true, failed('kafka', 105, 155), window)).toEqual([])
  })

  test('a reading that lacks for another reason is not put on it', () => {
    expect(holesFromSources('intake', () => readings(100, 160), true, failed('kafka', 300, 350), window)).toEqual([])
  })

  test('it ends where the failure ends, or is not over', () => {
    expect(holesFromSources('intake', () => readings(500, 601), true, failed('kafka', 505, 600), window)).toEqual([{ from: 500, to: 600 }])
    const open = { ...quiet, gaps: [down('kafka', { from: 505 })] }
    expect(holesFromSources('intake', () => readings(500, 601), true, open, window)).toEqual([{ from: 500, to: 600 }])
  })

  test.each<[PanelName, string, boolean, boolean]>([
    ['intake', 'delta', true, false],
    ['freshness', 'delta', false, true],
    ['batches', 'event-log', false, true],
    ['lag', 'kafka-group', false, true],
    // An exporter with a name of its own may have fed anything that is polled.
    ['lag', 'our-exporter', true, true],
    ['lag', 'our-exporter', false, false],
  ])('%s is fed by %s (polled: %s): %s', (panel, source, polled, feeds) => {
    expect(holesFromSources(panel, () => readings(100, 160), polled, failed(source, 105, 155), window)).toHaveLength(feeds ? 1 : 0)
  })

  test('a lag without log ends is not known, though they are another signal', () => {
    const gaps = [{ source: 'kafka', signal: 'partition.log_end_offset', reason: 'no answer', from: 105, to: 155 }]
    expect(holesFromSources('lag', () => readings(100, 160), false, { ...quiet, gaps }, window)).toEqual([{ from: 100, to: 160 }])
    expect(holesFromSources('lag', () => readings(), false, { ...quiet, gaps }, window)).toEqual([])
  })

  test('a hundred thousand gaps in ten thousand readings cost no minute', () => {
    const many = { ...quiet, gaps: Array.from({ length: 100_000 }, (_, i) => down('kafka', { from: i, to: i + 0.5 })) }
    const sparse = readingsOf([{ t: Array.from({ length: 10_000 }, (_, i) => i * i), v: Array.from({ length: 10_000 }, () => 1) }])
    const begin = performance.now()
    holesFromSources('intake', () => sparse, true, many, { from: 0, to: 1e8 })
    expect(performance.now() - begin).toBeLessThan(2000)
  })
})

describe('many lines', () => {
  const window = { from: 0, to: 100 }
  const t = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
  const but = (...missing: number[]) => ({ t, v: t.map((at) => (missing.includes(at) ? null : 1)) })

  test('one that was not seen among five is no hole, two of them are one that was partly seen', () => {
    expect(unseenInMost([but(50), but(), but(), but(), but()], 0.2, window)).toEqual([])
    expect(unseenInMost([but(50), but(50), but(), but(), but()], 0.2, window)).toEqual([{ from: 40, to: 60, partly: true }])
  })

  test('none seen is a whole hole', () => {
    expect(unseenInMost([but(50), but(50)], 0, window)).toEqual([{ from: 40, to: 60 }])
  })

  test('where they are missing one after the other, the middle is a whole hole', () => {
    expect(unseenInMost([but(40, 50), but(50, 60)], 0, window)).toEqual([
      { from: 30, to: 40, partly: true },
      { from: 40, to: 60 },
      { from: 60, to: 70, partly: true },
    ])
  })

  test('holes that only an instant parts are one; a whole and a partial one stay apart', () => {
    expect(
      merged([
        { from: 10, to: 20 },
        { from: 20.001, to: 30 },
      ]),
    ).toEqual([{ from: 10, to: 30 }])
    expect(
      merged([
        { from: 10, to: 20 },
        { from: 20, to: 30, partly: true },
      ]),
    ).toHaveLength(2)
    expect(
      merged([
        { from: 10, to: 25 },
        { from: 20, to: 30, partly: true },
      ]),
    ).toEqual([{ from: 10, to: 30 }])
  })
})
