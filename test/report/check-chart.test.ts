/** Before and after a change, as an eye and an ear meet it: simulated ends, and a real hot partition that was taken back by others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { declaredIn } from '../../src/proposal/declared.ts'
import type { Look } from '../../src/proposal/grounds.ts'
import { propose } from '../../src/proposal/propose.ts'
import type { TermName } from '../../src/proposal/terms.ts'
import { terms } from '../../src/proposal/terms.ts'
import { verify } from '../../src/recovery/verify.ts'
import { ink } from '../../src/report/chart/look.ts'
import { checkAltText } from '../../src/report/check-chart/alt-text.ts'
import type { CheckStory } from '../../src/report/check-chart.ts'
import { checkChart } from '../../src/report/check-chart.ts'
import { homeChart } from '../../src/report/messages/incident/home.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import { lookOf, proposed } from '../build/look.ts'
import { noon } from '../build/stored-values.ts'
import type { CourseName } from '../build/world-evidence.ts'
import { lookFrom, seenAt } from '../build/world-evidence.ts'
import { heightOf, onPhone, textsOf, unreadable } from './drawn-texts.ts'

const appliedAtMs = noon + 90_000

function storyOf(looks: CheckStory['looks'], at: number): CheckStory {
  const [before] = looks
  const proposal = proposed(propose(before, declaredIn(before.evidence)))
  const now = looks.at(-1) as Look
  const { outcome, measured } = verify({ proposal, appliedAtMs: at, before, now, last: true })
  return { proposal, appliedAtMs: at, looks, outcome: outcome ?? 'cannot_tell', measured }
}

/** @param at seconds after the application */
function played(course: CourseName, ...at: readonly number[]): CheckStory {
  const looks = at.map((s) => lookFrom(seenAt(course, appliedAtMs + s * 1000, appliedAtMs)))
  return storyOf([lookFrom(seenAt(course, noon, null)), ...looks], appliedAtMs)
}

/** A drill in which the key was spread again by its producer, and nobody restarted the query (test/drills). */
function recorded(): CheckStory {
  const kept = (kind: string) => lookOf(readBundle(readFileSync(join(import.meta.dirname, `../drills/${kind}-recorded.json.gz`))))
  const before = kept('hot_partition')
  return storyOf([before, kept('straggler_host'), kept('slow_sink')], Date.parse(before.evidence.asked_at) + 30_000)
}

const stories: Readonly<Record<string, () => CheckStory>> = {
  'it recovered': () => played('the hot partition is split', 120, 360, 1230),
  'it had no effect': () => played('executors come and do nothing', 120, 360, 640),
  'nothing was seen since': () => played('nothing can be seen any more', 120, 1230),
  'a look half a minute after the application': () => played('the hot partition is split', 30),
  'real evidence': recorded,
}

const drawn = (story: CheckStory, zone = 'UTC') => checkChart(story, { zone, ...homeChart })
const wordsOf = (svg: string): string[] => textsOf(svg).map(({ words }) => words)

describe.each(Object.keys(stories))('%s', (name) => {
  const story = stories[name]!()
  const svg = drawn(story)

  test('is drawn in the format of the home message, the same again and again', () => {
    expect(svg).toMatch(/^<svg [^>]*width="1600"/)
    expect(onPhone(heightOf(svg))).toBeLessThanOrEqual(187)
    expect(drawn(stories[name]!())).toBe(svg)
  })

  test('every word can be read on a phone, and none is cut short', () => {
    expect(unreadable(svg)).toEqual([])
    expect(wordsOf(svg).filter((words) => words.includes('…'))).toEqual([])
  })

  test('says for three readings what was before, what is expected and what is now, and when it was applied', () => {
    const words = wordsOf(svg)
    expect(words.filter((one) => / before$/.test(one))).toHaveLength(3)
    expect(words.filter((one) => /^expected [≤≥] /.test(one))).toHaveLength(3)
    expect(words.filter((one) => /^now/.test(one))).toHaveLength(3)
    expect(words.filter((one) => /^applied \d\d:\d\d:\d\d$/.test(one))).toHaveLength(1)
  })
})

test('the numbers at its side are those of the check', () => {
  const words = wordsOf(drawn(played('the hot partition is split', 120, 360, 1230)))
  expect(words).toEqual(
    expect.arrayContaining(['Idle slots', 'applied 12:01:30', '12:22:00 UTC', '57 % before', 'expected ≤ 14 %', 'now 2 %']),
  )
})

test('what the message says above it is not said again', () => {
  const words = wordsOf(drawn(played('the hot partition is split', 120, 360, 1230))).join('\n')
  expect(words).not.toContain('recovered')
  expect(words).not.toContain('minPartitions')
})

test('whatever is expected of whichever readings can be read on a phone', () => {
  const story = played('executors come and do nothing', 120, 640)
  const value = fc.constantFrom(0, 0.0004, 0.57, 1, 4.72, 50, 9_999, 48_312, 86_399, 1_240_000, 3.2e9)
  const reading = fc.record({
    signal: fc.constantFrom(...(Object.keys(terms) as TermName[])),
    from: value,
    to: fc.tuple(value, value),
    now: fc.option(value),
    located: fc.boolean(),
  })
  const zones = fc.constantFrom('UTC', 'America/Argentina/Buenos_Aires')
  fc.assert(
    fc.property(fc.uniqueArray(reading, { minLength: 1, maxLength: 4, selector: ({ signal }) => signal }), zones, (drawnOf, zone) => {
      // 50 times as much as there is time for is as much as was ever seen.
      const readings = drawnOf.map(({ from, to: [low, high], now, ...one }) => {
        const most = (v: number): number => (terms[one.signal].unit === 'share' ? Math.min(50, v) : v)
        return { ...one, from: most(from), to: [most(low), most(high)] as const, now: now === null ? null : most(now) }
      })
      const expects = readings.map(({ signal, from, to, located }) => ({
        ...{ signal, from, to, located, unit: terms[signal].unit },
        ...{ within: [60, 300] as const, says: '' },
      }))
      const measured = readings.map(({ signal, from, to, now, located }) => ({
        ...{ signal, before: from, expected: to, now, located, unit: terms[signal].unit },
        ...{ back: now === null ? null : false, says: '' },
      }))
      const svg = drawn({ ...story, proposal: { ...story.proposal, expects }, measured }, zone)
      expect(unreadable(svg)).toEqual([])
      expect(onPhone(heightOf(svg))).toBeLessThanOrEqual(187)
    }),
    { numRuns: 100 },
  )
})

const count = (svg: string, part: string): number => svg.split(part).length - 1

test('cold batches are hollow, and the band begins where readings may count', () => {
  const svg = drawn(played('executors come and do nothing', 120, 360, 640))
  const hollow = new RegExp(`<circle [^>]*fill="${ink.paper}"`, 'g')
  // Five of each of the two readings that cold batches give.
  expect(svg.match(hollow)).toHaveLength(10)
  const bands = [...svg.matchAll(new RegExp(`<rect x="([\\d.]+)"[^>]*fill="${ink.expectedBand}"`, 'g'))].map(([, x]) => Number(x))
  const line = Number(new RegExp(`<line x1="([\\d.]+)"[^>]*stroke="${ink.limit}"`).exec(svg)?.[1])
  expect(bands).toHaveLength(3)
  for (const left of bands) expect(left).toBeGreaterThan(line)
})

test('what no look reached is hatched, what an earlier look saw is not', () => {
  expect(wordsOf(drawn(played('nothing can be seen any more', 120, 1230)))).toContain('not seen')
  const all = drawn(played('the hot partition is split', 360, 1230))
  expect(wordsOf(all)).not.toContain('not seen')
  // The newest look keeps 100 batches; the one before still had those just after the restart.
  const alone = drawn(played('the hot partition is split', 1230))
  expect(count(all, '<circle')).toBeGreaterThan(count(alone, '<circle'))
})

test('no line joins what lies on both sides of a stretch that was not seen', () => {
  const svg = drawn(recorded())
  const holes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="url\(#unseen\)"/g)].map((hole) =>
    hole.slice(1).map(Number),
  )
  expect(holes.length).toBeGreaterThanOrEqual(2)
  for (const [, path] of svg.matchAll(new RegExp(`<path d="([^"]+)"[^>]*stroke="${ink.rest}"`, 'g'))) {
    const points = path!
      .slice(1)
      .split('L')
      .map((point) => point.split(',').map(Number))
    points.slice(1).forEach(([x = 0, y = 0], i) => {
      const [before = 0] = points[i] ?? []
      const crossed = holes.filter(
        ([left = 0, top = 0, width = 0, height = 0]) => y >= top && y <= top + height && before < left + width && x > left,
      )
      expect(crossed, `from ${before} to ${x}`).toEqual([])
    })
  }
})

test('read out, it says what was changed, when, how it turned out, and each reading', () => {
  expect(checkAltText(played('the hot partition is split', 1230))).toBe(
    'Chart of orders before and after a change, applied 20 min 30 s before its end: recovered, as the change predicted. ' +
      'minPartitions: not set → 16 tasks (query orders). ' +
      'Slot time that is idle while a batch reads and works: 2 % now, 57 % before, at most 14 % expected. ' +
      'Duration of a batch: 7.3 s now, 22 s before, 3.9 s to 11 s expected. ' +
      'Lag just after a commit: 6,195 records now, 25 k records before, at most 9,303 records expected.',
  )
  expect(checkAltText(recorded())).toContain('the change is not to be seen in the pipeline')
})
