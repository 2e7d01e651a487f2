/** From evidence with a hole in it to the picture: what was not seen looks neither like zero nor like calm. */
import { describe, expect, test } from 'vitest'
import type { Evidence, Gap } from '../../src/incident/evidence.ts'
import { storyChart } from '../../src/report/chart.ts'
import { costInWords } from '../../src/report/cost-words.ts'
import { judge } from '../../src/workflow/judge.ts'
import { evidenceOf } from '../build/pipeline.ts'
import type { DrawnText } from './drawn-texts.ts'
import { overlapping, textsOf } from './drawn-texts.ts'
import { groupEvidence } from './group-evidence.ts'

/** Its newest hundred batches reach back further than the chart. */
const calm = evidenceOf({ triggerS: 10 })
const now = 3600
const gap = (source: string, from: number, to: number): Gap => ({ source, signal: null, from, to, reason: 'no answer' })

interface Drawn {
  readonly svg: string
  readonly texts: readonly DrawnText[]
  /** What is written in a panel, scale and end labels included. */
  readonly panel: (title: string) => string[]
}

function drawn(evidence: Evidence): Drawn {
  const { timeline, attribution } = judge(evidence)
  const svg = storyChart(timeline, attribution, { zone: 'UTC' })
  const texts = textsOf(svg)
  const titles = ['Intake per partition', 'Lag', 'Batch duration', 'Executors', 'Table freshness']
  const top = (title: string) => texts.find((text) => text.words === title)?.top ?? Number.POSITIVE_INFINITY
  const panel = (title: string) => {
    const next = Math.min(...titles.map(top).filter((at) => at > top(title)), Number.POSITIVE_INFINITY)
    return texts.filter((text) => text.top >= top(title) && text.top < next).map((text) => text.words)
  }
  expect(overlapping(texts)).toEqual([])
  return { svg, texts, panel }
}

test('a calm pipeline has no hole', () => {
  expect(
    drawn(calm)
      .texts.map((text) => text.words)
      .filter((words) => /seen/.test(words)),
  ).toEqual([])
})

describe('batches that a driver did not tell of', () => {
  const from = 3300
  const missed = { ...calm, batches: calm.batches.filter((batch) => batch.start < from || batch.start > from + 100) }

  test('are a hole in their panel and in the lag', () => {
    const { panel } = drawn(missed)
    expect(panel('Batch duration')).toContain('not seen')
    expect(panel('Lag')).toContain('not seen')
  })

  test('do not pile their records up into a lag that was never there', () => {
    const highest = (evidence: Evidence) =>
      Math.max(
        ...drawn(evidence)
          .panel('Lag')
          .map((words) => Number(words.replaceAll(',', '')) || 0),
      )
    expect(highest(missed)).toBe(highest(calm))
  })

  test('up to now, while records arrive, are a hole as well', () => {
    const { panel } = drawn({ ...calm, batches: calm.batches.filter((batch) => batch.start < now - 60) })
    expect(panel('Batch duration')).toContain('not seen')
  })

  test('of DStreams, which number by time, are one where the driver could not be read', () => {
    const dstreams = {
      ...missed,
      pipeline: { ...calm.pipeline, reader: { ...calm.pipeline.reader, kind: 'spark-dstreams' as const } },
      batches: missed.batches.map((batch) => ({ ...batch, id: batch.id * 5000 })),
    }
    expect(drawn(dstreams).panel('Batch duration')).not.toContain('not seen')
    expect(drawn({ ...dstreams, gaps: [gap('spark', from, from + 100)] }).panel('Batch duration')).toContain('not seen')
  })
})

describe('executors', () => {
  const lost = evidenceOf({ lost: [{ at: 3500, back: 3510 }] })
  const driver = [gap('spark-ui', 3200, 3450)]

  test('whose comings and goings are known hold between them, whatever else the driver did not tell', () => {
    expect(drawn({ ...lost, gaps: driver }).panel('Executors')).not.toContain('not seen')
  })

  test('that are polled are not seen where no poll was answered', () => {
    const t = Array.from({ length: 361 }, (_, i) => i * 10).filter((at) => at < 3300 || at > 3400)
    const polled = {
      ...calm,
      series: [
        ...calm.series.filter((one) => !one.signal.startsWith('executor.')),
        { signal: 'executor.slots', entity: {}, source: 'spark', t, v: t.map(() => 4) },
      ],
    }
    expect(drawn(polled).panel('Executors')).not.toContain('not seen')
    expect(drawn({ ...polled, gaps: [gap('spark', 3300, 3400)] }).panel('Executors')).toContain('not seen')
  })
})

describe('an intake of which some partitions were not seen', () => {
  const brokersAlone = evidenceOf({ triggerS: 10, without: ['checkpoint'] })
  const unanswered = (...partitions: number[]): Evidence => without(brokersAlone, partitions)
  const without = (evidence: Evidence, partitions: readonly number[]): Evidence => ({
    ...evidence,
    series: evidence.series.map((one) =>
      partitions.includes(one.entity.partition ?? -1)
        ? { ...one, v: one.v.map((value, i) => ((one.t[i] as number) > 3400 && (one.t[i] as number) < 3500 ? null : value)) }
        : one,
    ),
  })
  /** Long level stretches of the bold line in the middle. */
  const middle = (svg: string) =>
    [...svg.matchAll(/<path d="([^"]+)"[^>]*stroke="#1a1a1a" stroke-width="3.5"/g)].map(([, d]) => d as string)

  test('one of eight is one line that breaks', () => {
    expect(drawn(unanswered(2)).panel('Intake per partition')).not.toContain('partly seen')
  })

  test('three of eight leave no middle to be drawn', () => {
    const { svg, panel } = drawn(unanswered(2, 3, 4))
    expect(panel('Intake per partition')).toContain('partly seen')
    const broken = middle(svg).join('').match(/M/g) ?? []
    expect(broken).toHaveLength((middle(drawn(brokersAlone).svg).join('').match(/M/g) ?? []).length + 1)
  })

  test('is none where batches tell what had arrived when they were planned', () => {
    expect(drawn(without(calm, [2, 3, 4])).panel('Intake per partition')).not.toContain('partly seen')
  })

  test('all of them are a whole hole', () => {
    expect(drawn(unanswered(0, 1, 2, 3, 4, 5, 6, 7)).panel('Intake per partition')).toContain('not seen')
  })
})

test('a lag without new log ends says what it was, not that it is nothing', () => {
  const until = groupEvidence.series.map((one) => {
    const t = one.t.filter((at) => one.signal !== 'partition.log_end_offset' || at <= 900)
    return { ...one, t, v: one.v.slice(0, t.length) }
  })
  expect(drawn({ ...groupEvidence, series: until }).panel('Lag')).toContain('all: was 36 k')
})

test('a table whose log could not be read is not called old', () => {
  const late = { ...calm, commits: calm.commits.filter((commit) => commit.at < 3300), gaps: [gap('delta', 3300, now)] }
  const { attribution, timeline } = judge(late)
  expect(costInWords({ ...attribution, outcome: 'inconclusive' }, timeline)).toContainEqual(
    expect.stringMatching(/^how old the newest data of the table orders_bronze is was not seen for 5 min/),
  )
  const { attribution: stale, timeline: read } = judge({ ...late, gaps: [] })
  expect(costInWords({ ...stale, outcome: 'inconclusive' }, read)).toContainEqual(expect.stringMatching(/got its newest data 5 min .* ago/))
})
