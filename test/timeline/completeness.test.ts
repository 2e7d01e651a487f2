import { describe, expect, it } from 'vitest'
import { buildTimeline } from '../../src/timeline/build.ts'
import { reachOf } from '../../src/timeline/completeness.ts'
import { slowSince } from '../../src/timeline/slow-since.ts'
import type { SeriesName } from '../../src/timeline/timeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

describe('each series says from when to when it was seen', () => {
  const timeline = buildTimeline(evidenceOf({ startedAt: 100, uiBatches: 150 }))
  const reach = (series: SeriesName) => {
    const found = reachOf(timeline, series)
    return found === null ? null : [Math.round(found.from), Math.round(found.to)]
  }

  it('an hour of intake, 250 batches, executors and commits of the hour', () => {
    expect(reach('intake')).toEqual([0, 3600])
    // 250 batches of 5 s, the newest of them from 3,595 s to 3,598 s.
    expect(reach('batches')).toEqual([2350, 3598])
    expect(reach('stages')).toEqual([2350, 3598])
    expect(reach('executors')).toEqual([0, 3600])
    expect(reach('freshness')).toEqual([108, 3600])
    // Lag needs a position: that of the oldest batch whose offsets are kept.
    expect(reach('lag')).toEqual([3103, 3600])
  })

  it('what was not seen has no reach, and a total reaches as far as its shortest part', () => {
    expect(reachOf(buildTimeline(evidenceOf({ without: ['delta'] })), 'freshness')).toBeNull()
    const evidence = evidenceOf({})
    const series = evidence.series.map((s) =>
      s.entity.partition === 5 && s.clock === 'record'
        ? { ...s, t: s.t.filter((t) => t >= 3000), v: s.v.slice(s.t.findIndex((t) => t >= 3000)) }
        : s,
    )
    expect(reachOf(buildTimeline({ ...evidence, series }), 'intake')?.from).toBe(3000)
  })
})

describe('since when batches are slow, by the commits of the table', () => {
  const commits = (from: number, apart: readonly number[]) => {
    const at = (version: number) => apart.slice(0, version + 1).reduce((sum, seconds) => sum + seconds, from)
    return apart.map((_, version) => ({ version, at: at(version), kind: 'data' as const }))
  }
  const times = (n: number, seconds: number) => Array.from({ length: n }, () => seconds)

  it('is between the last that came in time and the first three that did not', () => {
    // 100 commits 5 s apart up to 500 s, then 60 that are 7 s apart.
    expect(slowSince({ commits: commits(0, [...times(100, 5), ...times(60, 7)]), triggerS: 5 }, 5)).toEqual([490, 507])
  })

  it('where batches grow by and by it is where they begin to, not where they have grown', () => {
    const growing = Array.from({ length: 60 }, (_, i) => 5.3 + i * 0.2)
    const since = slowSince({ commits: commits(0, [...times(100, 5), ...growing]), triggerS: 5 }, 5)
    expect(since?.[0]).toBeLessThanOrEqual(500)
    expect(since?.[1]).toBeGreaterThanOrEqual(500)
    expect(since?.[1]).toBeLessThan(520)
  })

  it.each<[string, readonly number[], number | null]>([
    ['while all come in time', times(200, 5), 5],
    ['when all that are kept come late', times(200, 7), 5],
    ['without a trigger to be late for', [...times(100, 5), ...times(60, 7)], null],
    ['when a pause parts them and nothing else', [...times(100, 5), 400, ...times(100, 5)], 5],
  ])('is not told %s', (_, apart, triggerS) => {
    expect(slowSince({ commits: commits(0, apart), triggerS }, 5)).toBeNull()
  })
})
