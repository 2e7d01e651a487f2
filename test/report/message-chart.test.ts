/** The chart of a message: the same story where there is a fifth of the room, read on a phone by people who were woken. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attribution } from '../../src/attribution/attribution.ts'
import type { EvidenceEvent } from '../../src/incident/evidence.ts'
import { storyChart } from '../../src/report/chart.ts'
import { homeChart } from '../../src/report/messages/incident/home.ts'
import type { Timeline } from '../../src/timeline/timeline.ts'
import type { IncidentKind, TimelineOptions, Unseen } from '../build/timeline.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'
import type { DrawnText } from './drawn-texts.ts'
import { heightOf, onPhone, textsOf, unreadable } from './drawn-texts.ts'

const draw = (timeline: Timeline, attribution: Attribution | null, zone = 'Europe/Berlin'): string =>
  storyChart(timeline, attribution, { zone, ...homeChart })
const drawnOf = (options: TimelineOptions, change: Partial<Timeline> = {}, verdict: Partial<Attribution> = {}) => {
  const timeline = { ...timelineOf(options), ...change }
  const svg = draw(timeline, verdictOf(options.kind, timeline, { agoS: options.agoS ?? 240, ...verdict }))
  return { svg, texts: textsOf(svg), words: textsOf(svg).map((text) => text.words) }
}
/** Words in the row of a title, left to right. */
const rowOf = (texts: readonly DrawnText[], title: string): string[] => {
  const row = texts.find((text) => text.words === title)
  return texts
    .filter((text) => row !== undefined && Math.abs(text.bottom - row.bottom) < 2)
    .toSorted((a, b) => a.left - b.left)
    .map((text) => text.words)
}

const kinds: readonly IncidentKind[] = ['quiet', 'hot_partition', 'intake_surge', 'slow_sink', 'executor_loss', 'source_stall']
const panels: readonly Unseen[] = ['intake', 'lag', 'batches', 'slots', 'freshness']
const names = fc.constantFrom('orders', 'eu-west-1.prod.payments.card-authorisations.v3', 'a')

const incidents = fc.record({
  kind: fc.constantFrom(...kinds),
  partitions: fc.integer({ min: 1, max: 40 }),
  lengthS: fc.constantFrom(60, 600, 1500),
  ago: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
  triggerS: fc.constantFrom(1, 5, 60),
  rate: fc.constantFrom(0.2, 3, 60, 40_000),
  slots: fc.constantFrom(1, 4, 96),
  topic: names,
  table: names,
  objective: fc.constantFrom(1, 120, 86_400),
  unseen: fc.subarray([...panels]),
  hole: fc.option(fc.double({ min: 0.01, max: 0.6, noNaN: true }), { nil: null }),
  hot: fc.subarray([3, 7, 11], { minLength: 1 }),
  inferred: fc.boolean(),
  topics: fc.constantFrom(1, 2),
  zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'),
  events: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      kind: fc.constantFrom('executor_removed', 'executor_added', 'deploy', 'config_change'),
      executor: fc.constantFrom('1', '12'),
    }),
    { maxLength: 6 },
  ),
})

type Simulated = typeof incidents extends fc.Arbitrary<infer T> ? T : never

function simulated({ ago, hole, hot, inferred, topics, events, objective, ...options }: Simulated): [Timeline, Attribution] {
  const agoS = Math.max(10, Math.round(options.lengthS * ago))
  const from = hole === null ? null : Math.round(agoS * hole)
  const built = timelineOf({
    ...options,
    agoS,
    freshnessObjectiveS: objective,
    ...(from === null ? {} : { hole: [from, Math.round(from / 2)] as const }),
  })
  const first = built.pipeline.topics[0]!
  const timeline: Timeline = {
    ...built,
    pipeline: { ...built.pipeline, topics: topics === 1 ? [first] : [first, { ...first, name: 'other' }] },
    triggerFrom: inferred ? 'inferred' : 'declared',
    events: [
      ...built.events,
      ...events.map(({ at, kind, executor }): EvidenceEvent => ({ at: at * built.now, kind, entity: { executor } })),
    ].toSorted((a, b) => a.at - b.at),
  }
  const verdict = verdictOf(options.kind, timeline, { agoS })
  return [timeline, { ...verdict, place: { ...verdict.place, partitions: [...hot] } }]
}

describe('of any incident', () => {
  test('every word can be read on a phone, stands on the picture and over no other word', () => {
    fc.assert(
      fc.property(incidents, (one) => {
        expect(unreadable(draw(...simulated(one), one.zone))).toEqual([])
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  test('it is no higher than leaves room for the words of the message, and no panel vanishes', () => {
    fc.assert(
      fc.property(incidents, (one) => {
        const svg = draw(...simulated(one), one.zone)
        expect(onPhone(heightOf(svg))).toBeLessThanOrEqual(187)
        const titles = textsOf(svg)
          .filter((text) =>
            /^(Intake|Intake per partition|Lag|Batches|Batch duration|Executors|Freshness|Table freshness)$/.test(text.words),
          )
          .toSorted((a, b) => a.top - b.top)
          .map((text) =>
            text.words
              .split(' ')
              .at(text.words.startsWith('Table') ? 1 : 0)!
              .toLowerCase()
              .slice(0, 5),
          )
        expect(titles).toEqual(['intak', 'lag', 'batch', 'execu', 'fresh'])
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})

test('it is drawn with two pixels for each unit, so that it is sharp', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  expect(draw(timeline, null)).toMatch(/^<svg [^>]*width="1600"/)
})

test('what the message says above it is not said again', () => {
  const { words } = drawnOf({ kind: 'hot_partition' })
  expect(words.join('\n')).not.toContain('one partition takes more')
})

test('the onset, the zone and the units are named', () => {
  const { texts, words } = drawnOf({ kind: 'hot_partition' })
  expect(words).toContain('began 14:01:55 – 14:02:05')
  expect(words).toContain('14:06:00 Europe/Berlin')
  expect(rowOf(texts, 'Intake')).toEqual(['Intake', 'records/s', expect.stringMatching(/^partition 3: \d+\/s$/), '11 others, each 60/s'])
  expect(rowOf(texts, 'Lag').slice(0, 2)).toEqual(['Lag', 'records'])
})

test('three partitions that are pointed at keep their values in fewer words, and their dashes', () => {
  const place = { ...verdictOf('hot_partition', timelineOf({ kind: 'hot_partition' })).place, partitions: [3, 7, 11] }
  const { svg, texts } = drawnOf({ kind: 'hot_partition' }, {}, { place })
  expect(rowOf(texts, 'Intake')).toEqual([
    'Intake',
    'records/s',
    expect.stringMatching(/^p3: \d+\/s$/),
    expect.stringMatching(/^p7: \d+\/s$/),
    expect.stringMatching(/^p11: \d+\/s$/),
    expect.stringMatching(/^others: \d+\/s$/),
  ])
  for (const dash of ['14 6', '4 5']) expect(svg).toMatch(new RegExp(`<line [^>]*stroke-dasharray="${dash}"`))
})

test('executors of which none came or went are one line that says so; those that did are drawn', () => {
  const calm = drawnOf({ kind: 'hot_partition' })
  expect(rowOf(calm.texts, 'Executors')).toEqual(['Executors', 'unchanged', '4 task slots', '2 executors'])
  const lost = drawnOf({ kind: 'executor_loss' })
  expect(rowOf(lost.texts, 'Executors')).toEqual(['Executors', '2 task slots', '1 executor'])
  const heightUntilFreshness = ({ texts }: typeof calm): number =>
    texts.find((text) => text.words === 'Table freshness')!.top - texts.find((text) => text.words === 'Executors')!.top
  expect(heightUntilFreshness(calm)).toBeLessThan(40)
  expect(heightUntilFreshness(lost)).toBeGreaterThan(55)
})

test('a panel that was not seen is one hatched line that says why', () => {
  const { svg, texts } = drawnOf({ kind: 'hot_partition', unseen: ['slots', 'freshness'] })
  expect(rowOf(texts, 'Executors')).toEqual(['Executors', 'not seen: the driver UI did not answer within 4 s'])
  expect(rowOf(texts, 'Table freshness')).toEqual(['Table freshness', 'not seen: table path not configured'])
  const hatched = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"[^>]*fill="url\(#unseen\)"/g)].map(([, width]) => Number(width))
  expect(hatched).toHaveLength(2)
  expect(Math.min(...hatched)).toBeGreaterThanOrEqual(60)
})

test('a stretch that was not seen is hatched and named where there is room', () => {
  const { svg, words } = drawnOf({ kind: 'intake_surge', hole: [150, 90] })
  expect(svg.match(/fill="url\(#unseen\)"/g)).toHaveLength(2)
  expect(words.filter((one) => one === 'not seen')).toHaveLength(2)
})

describe('what happened at an instant', () => {
  const at = (ago: number, kind: string, executor?: string): EvidenceEvent => ({
    at: 3600 - ago,
    kind,
    ...(executor === undefined ? {} : { entity: { executor } }),
  })

  test('stands beside the words of the onset', () => {
    const { texts } = drawnOf({ kind: 'executor_loss' })
    expect(rowOf(texts, 'executor 1 removed')).toEqual(['began 14:01:55 – 14:02:05', 'executor 1 removed'])
  })

  test('is counted where there is no room for all of it', () => {
    const events = [at(245, 'executor_removed', '1'), at(240, 'executor_added', '2'), at(235, 'config_change')]
    const { words } = drawnOf({ kind: 'executor_loss' }, { events })
    expect(words).toContain('executor 1 removed +2')
  })

  test('is written shorter where that is enough', () => {
    const { words } = drawnOf({ kind: 'slow_sink' }, { events: [at(242, 'executor_added', '1'), at(240, 'executor_added', '2')] })
    expect(words).toContain('execs 1 and 2 added')
  })

  test('stands to the left of its mark when that is near the end', () => {
    const { texts, svg } = drawnOf({ kind: 'quiet' }, { events: [at(20, 'deploy')] })
    const label = texts.find((text) => text.words === 'deploy')!
    const mark = Number(/<path d="M([\d.]+) [\d.]+l-9 -14h18z"/.exec(svg)?.[1])
    expect(label.right).toBeLessThan(mark)
    expect(label.right).toBeGreaterThan(mark - 30)
  })
})
