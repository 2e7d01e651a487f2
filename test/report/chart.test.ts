import { describe, expect, test } from 'vitest'
import type { Attribution } from '../../src/attribution/attribution.ts'
import type { EvidenceEvent } from '../../src/incident/evidence.ts'
import { pageLayout } from '../../src/report/chart/layout.ts'
import { altText, storyChart } from '../../src/report/chart.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Line, Timeline } from '../../src/timeline/timeline.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'
import { overlapping, textsOf } from './drawn-texts.ts'

const view = { zone: 'Europe/Berlin' }
const longTopic = `eu-west-1.prod.payments.${'card-authorisations.'.repeat(9)}`

const cases: Readonly<Record<string, () => [Timeline, Attribution | null]>> = {
  'hot partition among 12': () => both(timelineOf({ kind: 'hot_partition' }), 'hot_partition'),
  'hot partition among 100': () => both(timelineOf({ kind: 'hot_partition', partitions: 100, rate: 20 }), 'hot_partition'),
  'slow sink with an open batch': () => both(timelineOf({ kind: 'slow_sink', agoS: 400 }), 'slow_sink'),
  'executor lost': () => both(timelineOf({ kind: 'executor_loss' }), 'executor_loss'),
  'executors and table not seen': () => both(timelineOf({ kind: 'hot_partition', unseen: ['slots', 'freshness'] }), 'hot_partition'),
  'nothing seen at all': () =>
    both(timelineOf({ kind: 'hot_partition', unseen: ['intake', 'lag', 'batches', 'slots', 'freshness'] }), 'hot_partition'),
  'long names': () => both(timelineOf({ kind: 'hot_partition', topic: longTopic, table: longTopic }), 'hot_partition'),
  'one partition': () => both(timelineOf({ kind: 'intake_surge', partitions: 1, hot: 0, slots: 1 }), 'intake_surge'),
  'a window of a minute': () => both(timelineOf({ kind: 'source_stall', lengthS: 60, agoS: 25 }), 'source_stall', 25),
  'polls without an answer': () => both(timelineOf({ kind: 'intake_surge', hole: [150, 90] }), 'intake_surge'),
  'began half an hour ago': () => both(timelineOf({ kind: 'intake_surge', agoS: 1800 }), 'intake_surge', 1800),
  'within baseline': () => both(timelineOf({ kind: 'quiet' }), 'quiet'),
  'without a verdict': () => [timelineOf({ kind: 'slow_sink' }), null],
}

function both(timeline: Timeline, kind: Parameters<typeof verdictOf>[0], agoS = 240): [Timeline, Attribution] {
  return [timeline, verdictOf(kind, timeline, { agoS })]
}

describe.each(Object.keys(cases))('%s', (name) => {
  const [timeline, attribution] = (cases[name] as () => [Timeline, Attribution | null])()
  const svg = storyChart(timeline, attribution, view)
  const texts = textsOf(svg)

  test('the same bytes again', () => {
    const [again, verdict] = (cases[name] as () => [Timeline, Attribution | null])()
    expect(storyChart(again, verdict, view)).toBe(svg)
  })

  test('every word is on the page, large enough for a phone, and over no other word', () => {
    for (const text of texts) {
      expect(text.left, text.words).toBeGreaterThanOrEqual(0)
      expect(text.right, text.words).toBeLessThanOrEqual(pageLayout.width)
      expect(text.size, text.words).toBeGreaterThanOrEqual(22)
    }
    expect(overlapping(texts)).toEqual([])
  })

  test('numbers are rounded, and none is missing', () => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(svg).not.toMatch(/\d\.\d{3,}/)
  })

  test('panels, units and zone are named', () => {
    const words = texts.map((text) => text.words)
    for (const panel of ['Lag', 'Batch duration', 'Executors', 'Table freshness']) expect(words).toContain(panel)
    expect(words.some((text) => text.startsWith('records/s'))).toBe(true)
    expect(words).toContain('time of day, Europe/Berlin')
  })
})

const wordsOf = (name: keyof typeof cases): string[] => {
  const [timeline, attribution] = (cases[name] as () => [Timeline, Attribution | null])()
  return textsOf(storyChart(timeline, attribution, view)).map((text) => text.words)
}

test('the onset is an interval with its times', () => {
  expect(wordsOf('hot partition among 12')).toContain('began 14:01:55 – 14:02:05')
})

test('the partition the verdict points at is named with its level, the others are counted', () => {
  expect(wordsOf('hot partition among 100')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^partition 3: \d+\/s$/), '99 others, each 20/s']),
  )
})

test('a hundred partitions are a band and a few lines', () => {
  const many = storyChart(...(cases['hot partition among 100'] as () => [Timeline, Attribution])(), view)
  expect(many.match(/<path/g)?.length).toBeLessThan(20)
})

test('an empty panel says why', () => {
  expect(wordsOf('executors and table not seen')).toEqual(
    expect.arrayContaining(['not seen: the driver UI did not answer within 4 s', 'not seen: table path not configured']),
  )
})

test('a gap is hatched, and no line crosses it', () => {
  const svg = storyChart(...(cases['polls without an answer'] as () => [Timeline, Attribution])(), view)
  // In the intake, and in the lag that is worked out from it.
  expect(textsOf(svg).filter((text) => text.words === 'not seen')).toHaveLength(2)
  const band = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="[\d.]+" fill="url\(#unseen\)"/.exec(svg) as RegExpExecArray
  const [from, to] = [Number(band[1]), Number(band[1]) + Number(band[2])]
  const inside = [...svg.matchAll(/<path d="([^"]+)"[^>]*stroke="#b3b8be"/g)]
    .flatMap(([, d]) => horizontals(d as string))
    .filter(([a, b]) => a < to - 1 && b > from + 1)
  expect(inside).toEqual([])
})

test('an open batch is drawn open', () => {
  expect(wordsOf('executor lost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^open for \d+ s$/), 'trigger 5 s', 'executor 1 removed']),
  )
})

test('events close together share a label', () => {
  const timeline = timelineOf({ kind: 'executor_loss' })
  const at = (ago: number, kind: string, executor?: string): EvidenceEvent => ({
    at: timeline.now - ago,
    kind,
    ...(executor === undefined ? {} : { entity: { executor } }),
  })
  const events = [at(240, 'executor_removed', '1'), at(239, 'executor_removed', '2'), at(60, 'deploy'), at(58, 'restart'), at(57, 'alert')]
  const texts = textsOf(storyChart({ ...timeline, events }, verdictOf('executor_loss', timeline), view))
  expect(texts.map((text) => text.words)).toEqual(expect.arrayContaining(['executors 1 and 2 removed', 'deploy, restart']))
  expect(overlapping(texts)).toEqual([])
})

test('a saw-tooth with more teeth than pixels is a band, not a black block', () => {
  const [timeline, attribution] = [
    timelineOf({ kind: 'quiet', agoS: 1800 }),
    verdictOf('hot_partition', timelineOf({ kind: 'quiet' }), { agoS: 1800 }),
  ]
  const longest = [...storyChart(timeline, attribution, view).matchAll(/ d="([^"]+)"/g)].map(([, d]) => (d as string).length)
  expect(Math.max(...longest)).toBeLessThan(4500)
})

test('baseline, onset and now are in the window, an idle hour is not', () => {
  const words = wordsOf('hot partition among 12')
  expect(words).toEqual(expect.arrayContaining(['14:00', '14:05', '14:06:00']))
  expect(words).not.toContain('13:50')
  expect(wordsOf('began half an hour ago')).toEqual(expect.arrayContaining(['13:30', '14:00']))
})

test('names of others cannot leave their text', () => {
  const timeline = timelineOf({ kind: 'quiet', topic: `</text><script>alert("1")</script>&\u001b[31m` })
  const svg = storyChart(timeline, verdictOf('quiet', timeline), view)
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;/text&gt;&lt;script&gt;')
  expect(svg).not.toMatch(/\p{Cc}/u)
})

test('a plain consumer group has no batches that could be missing', () => {
  const timeline = timelineOf({ kind: 'quiet', unseen: ['batches', 'slots'] })
  const group: Timeline = { ...timeline, pipeline: { ...timeline.pipeline, reader: { kind: 'consumer-group', group: 'g' } } }
  expect(textsOf(storyChart(group, null, view)).map((text) => text.words)).not.toContain('Batch duration')
})

test('an empty freshness of a sink that is no table is not called a table', () => {
  const timeline = timelineOf({ kind: 'quiet', unseen: ['freshness'] })
  const search: Timeline = { ...timeline, pipeline: { ...timeline.pipeline, sink: { kind: 'search' } } }
  const words = textsOf(storyChart(search, null, view)).map((text) => text.words)
  expect(words).toContain('Freshness')
  expect(words).not.toContain('Table freshness')
})

describe('what was not seen up to the end is not called now', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const failed = (source: string): Timeline['gaps'] => [
    { source, signal: null, from: timeline.now - 300, to: timeline.now, reason: 'no answer' },
  ]
  const words = (one: Timeline) => textsOf(storyChart(one, null, view)).map((text) => text.words)
  const until = (line: Line, end: number): Line => ({
    t: line.t.filter((t) => t <= end),
    v: line.v.slice(0, line.t.filter((t) => t <= end).length),
  })

  test('the age of a table whose log could not be read', () => {
    expect(words(timeline).some((text) => text.startsWith('now: '))).toBe(true)
    const freshness = { ...until(timeline.freshness, timeline.now - 300) }
    const held = { t: [...freshness.t, timeline.now], v: [...freshness.v, 300] }
    const commits = timeline.commits.filter((commit) => commit.at < timeline.now - 300)
    expect(words({ ...timeline, freshness: held, commits, gaps: failed('delta') })).toContain('now: not seen')
  })

  test('an intake whose brokers went silent', () => {
    const partitions = timeline.partitions.map((flow) => ({
      ...flow,
      intake: until(flow.intake, timeline.now - 300),
      logEnd: until(flow.logEnd, timeline.now - 300),
    }))
    expect(words({ ...timeline, partitions, gaps: failed('kafka') })).toContainEqual(expect.stringMatching(/^all 12, each was \d+\/s$/))
    expect(words(timeline)).toContainEqual(expect.stringMatching(/^all 12, each \d+\/s$/))
  })
})

test('width scales the picture, a height shrinks its panels, but not to nothing', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const within = (height: number) => storyChart(timeline, null, { ...view, width: 800, layout: { ...pageLayout, height } })
  expect(within(1000)).toMatch(/^<svg [^>]*width="800" height="500" viewBox="0 0 1600 1000"/)
  const [, low] = /viewBox="0 0 1600 (\d+)"/.exec(within(100)) as RegExpExecArray
  expect(Number(low)).toBeGreaterThan(600)
})

describe('the words for those who cannot see it', () => {
  test('say the verdict and what each panel shows', () => {
    const [timeline, attribution] = (cases['executors and table not seen'] as () => [Timeline, Attribution])()
    expect(altText(timeline, attribution)).toMatchInlineSnapshot(
      `"Chart of orders over 6 min 8 s: one partition takes more than its reader can work off. It began 4 min before the end. Intake of partition 3: from 59 records/s to 477 records/s. Intake in total: from 714 records/s to 1,122 records/s. Lag: from 2,155 records to 130 k records. Batch duration: from 3.9 s to 1 min 28 s. One batch is open for 25 s. Task slots not seen: the driver UI did not answer within 4 s. Age of the newest commit not seen: table path not configured."`,
    )
  })

  test('call no change what is none', () => {
    const [timeline, attribution] = (cases['slow sink with an open batch'] as () => [Timeline, Attribution])()
    expect(altText(timeline, attribution)).toMatch(/Intake in total: \d+ records\/s, as before\./)
  })
})

/** Horizontal stretches of a path of absolute M, L, H and V commands, as [left, right]. */
function horizontals(d: string): [number, number][] {
  const stretches: [number, number][] = []
  let x = 0
  for (const [, command, rest] of d.matchAll(/([MLHV])([^MLHV]*)/g)) {
    const numbers = (rest as string).split(/[ ,]/).map(Number)
    for (let i = 0; i < numbers.length; i += command === 'M' || command === 'L' ? 2 : 1) {
      if (command === 'V') continue
      const to = numbers[i] as number
      if (command !== 'M') stretches.push([Math.min(x, to), Math.max(x, to)])
      x = to
    }
  }
  return stretches
}

test('intake says up to when it goes by the time records were made, for want of their arrival', () => {
  const unitOf = (motion: Motion) => {
    const words = textsOf(storyChart(buildTimeline(evidenceOf(motion)), null, view)).map((text) => text.words)
    return words.find((text) => text.startsWith('records/s'))
  }
  // Ten minutes are shown; the checkpoint keeps 100 batches of 5 s, from 14:51:40 on.
  expect(unitOf({})).toBe('records/s, before 14:51 by the time records were made')
  expect(unitOf({ triggerS: 10, startedAt: 2000 })).toBe('records/s')
  expect(unitOf({ without: ['checkpoint'] })).toBe('records/s, by the time records were made')
})
