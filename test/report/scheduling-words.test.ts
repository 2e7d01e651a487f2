import { describe, expect, it, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { SchedulingDelay } from '../../src/attribution/attribution.ts'
import { altText, storyChart } from '../../src/report/chart.ts'
import { delayInWords, delayLookedAt } from '../../src/report/scheduling-words.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { textsOf } from './drawn-texts.ts'

const timelineOf = (motion: Motion) => buildTimeline(evidenceOf(motion))
const delay: SchedulingDelay = { before: 0, now: 8.2, waits: false, unknown: null }

test.each<[string, SchedulingDelay | null, string | null]>([
  ['the newest batch', delay, 'the newest batch began 8.2 s after its trigger; usually batches begin at it'],
  ['one that is due', { ...delay, waits: true, now: 35 }, 'the trigger of the next batch is 35 s past; usually batches begin at it'],
  ['usually late', { ...delay, before: 2 }, 'the newest batch began 8.2 s after its trigger; usually batches begin 2 s after it'],
  ['no baseline', { ...delay, before: null }, 'the newest batch began 8.2 s after its trigger'],
  ['a wink is nothing', { ...delay, now: 0.3 }, null],
  ['not known', { ...delay, now: null, unknown: 'back to back' }, null],
  ['no batches', null, null],
])('what it costs: %s', (_, of, words) => {
  expect(delayInWords(of)).toBe(words)
})

describe('what calm rests on', () => {
  it.each<[string, Motion, string]>([
    ['on time', {}, 'scheduling delay: none, every batch began at its trigger'],
    ['back to back', { triggerS: null }, 'scheduling delay: none is defined, batches run back to back without a trigger interval'],
    [
      'a batch of 6.97 s, and one more until the reader was in time again',
      { commitS: (t) => (t > 3350 && t < 3355 ? 4.5 : 0.4) },
      'scheduling delay: 2 of 99 batches began late, at most 2 s after their trigger',
    ],
  ])('%s', (_, motion, words) => {
    expect(delayLookedAt(timelineOf(motion), 3000)).toBe(words)
  })

  it('an interval that nobody tells', () => {
    const evidence = evidenceOf({})
    const { trigger_s: _, ...reader } = evidence.pipeline.reader
    const timeline = buildTimeline({ ...evidence, pipeline: { ...evidence.pipeline, reader } })
    expect(delayLookedAt(timeline, 3000)).toBe('scheduling delay: not known, nobody tells the trigger interval')
  })
})

test('the chart names it, and draws the wait at the foot of the batch that ran over', () => {
  const late = timelineOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4), askedAt: 3579 })
  const attribution = attribute(late)
  const view = { zone: 'Europe/Berlin' }
  expect(textsOf(storyChart(late, attribution, view)).map((text) => text.words)).toContain('began 7.4 s late')
  expect(altText(late, attribution)).toContain('The newest batch began 7.4 s after its trigger.')
  const calm = timelineOf({})
  expect(storyChart(calm, attribute(calm), view)).not.toContain(' late<')
})
