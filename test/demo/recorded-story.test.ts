/** A story played back: nothing of its own time is left, nothing is told before it was known, and the verdict is made here and now. */
import { describe, expect, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import { configHash } from '../../src/config/pipeline-from.ts'
import { demoClock } from '../../src/demo/demo-clock.ts'
import { movedFindings } from '../../src/demo/moved-findings.ts'
import type { Playback } from '../../src/demo/playback.ts'
import { playback } from '../../src/demo/playback.ts'
import { recordedSources } from '../../src/demo/recorded-sources.ts'
import type { Recorded } from '../../src/demo/story.ts'
import { readStory, storyNames } from '../../src/demo/story.ts'
import { readBundle, writeBundle } from '../../src/sources/bundle.ts'
import { sources } from '../../src/sources/index.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Diagnosis } from '../../src/workflow/diagnose.ts'
import { diagnose } from '../../src/workflow/diagnose.ts'
import type { Question } from '../../src/workflow/ports.ts'
import { pipelineAt } from '../fixtures/spark/question.ts'

const stories = await Promise.all(storyNames().map((name) => readStory(name)))

/** Two days after the story, by hand. */
function replayed(story: Recorded): { readonly play: Playback; readonly clock: Clock & { readonly pass: (ms: number) => void } } {
  let now = story.moments.alertMs + 2 * 86_400_000 + 1_234
  const clock = demoClock({ nowMs: () => now, after: () => () => {} })
  const pass = (ms: number): void => {
    now += ms
  }
  return { play: playback(story, clock), clock: { nowMs: clock.nowMs, wait: async (ms) => pass(ms), pass } }
}

async function asked(story: Recorded, { play, clock }: ReturnType<typeof replayed>): Promise<Diagnosis> {
  const { checkpoint, table, spark } = story.pipeline as Record<string, string>
  const pipeline = pipelineAt(spark ?? null, { checkpoint: checkpoint ?? null, table: table ?? null, topic: story.pipeline.topic })
  const freeze = (evidence: Parameters<typeof writeBundle>[0]) => {
    const bundle = writeBundle(evidence)
    return { bundle, evidence: readBundle(bundle) }
  }
  const request = { pipeline, deadlineMs: 20_000, thorough: false, signal: new AbortController().signal, progress: () => {} }
  return diagnose(
    { ...request, engine: 'test', configHash: configHash(pipeline) },
    { sources: recordedSources(sources, story, play.at), clock, freeze },
  )
}

/** All numbers in a value. */
function numbers(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbers) : []
}

const within = (story: Recorded) => {
  const [from, to] = [story.looks[0]!.askedAtMs - 3 * 3_600_000, story.looks.at(-1)!.askedAtMs + 3_600_000]
  return (value: number): boolean => (value > from && value < to) || (value > from / 1000 && value < to / 1000)
}

test('there is a story', () => {
  expect(stories.length).toBeGreaterThan(0)
})

describe.each(stories)('$name', (story) => {
  test('moved by two days, no instant of its own time is left, and no other number has changed', () => {
    const days = 2 * 86_400_000
    const own = within(story)
    for (const { findings } of story.looks.flatMap((look) => look.turns)) {
      const [before, after] = [numbers(findings), numbers(movedFindings(findings, days))]
      expect(after.filter(own)).toEqual([])
      const odd = before.filter((value, i) => {
        const by = own(value) ? (value > 1e11 ? days : days / 1000) : 0
        return Math.abs(after[i]! - value - by) > 1e-6
      })
      expect(odd).toEqual([])
    }
  })

  test('it names no time of day of its own in words either', () => {
    const texts = JSON.stringify(story.looks.map((look) => look.turns.map(({ findings: { events, gaps } }) => [events, gaps])))
    expect(texts.match(/\b\d\d:\d\d:\d\d\b|\d{4}-\d\d-\d\d/g) ?? []).toEqual([])
  })

  test('the trigger stays where it was, and so does the story until the alert is fired', () => {
    const one = replayed(story)
    const { alertMs } = story.moments
    const before = one.play.at()
    expect(before.storyMs).toBeLessThanOrEqual(alertMs)
    one.clock.pass(600_000)
    const later = one.play.at()
    expect(alertMs - later.storyMs).toBeLessThan(Math.max(1, story.triggerMs))
    expect(later.spanMs % Math.max(1, story.triggerMs)).toBe(0)
  })

  test('what was found only later is not told', async () => {
    const one = replayed(story)
    one.play.alert()
    const { storyMs, spanMs } = one.play.at()
    const question = { askedAtMs: one.clock.nowMs() } as Question
    const answers = await Promise.all(recordedSources(sources, story, one.play.at).map((source) => source.collect(question)))
    const newest = (found: unknown, own: (value: number) => boolean): number =>
      numbers(found).reduce((most, value) => Math.max(most, own(value) ? (value > 1e11 ? value : value * 1000) : 0), 0)
    // A look takes some seconds itself.
    const soon = 10_000
    expect(newest(story.looks, within(story))).toBeGreaterThan(storyMs + soon)
    const moved = story.looks.map((look) => ({ ...look, askedAtMs: look.askedAtMs + spanMs }))
    expect(newest(answers, within({ ...story, looks: moved }))).toBeLessThan(one.clock.nowMs() + soon)
  })

  test('what is found is judged now: without its cause in the list, the answer is another', async () => {
    const one = replayed(story)
    one.play.alert()
    const { attribution, timeline } = await asked(story, one)
    expect(attribution.outcome).toBe('cause')
    const without = attribute(
      timeline,
      causes.filter(({ name }) => name !== attribution.cause),
    )
    expect(without.cause).not.toBe(attribution.cause)
  })

  test('the answer does not depend on the day on which it is played', async () => {
    const [one, other] = [replayed(story), replayed(story)]
    other.clock.pass(5 * Math.max(1, story.triggerMs))
    for (const { play } of [one, other]) play.alert()
    const [a, b] = [await asked(story, one), await asked(story, other)]
    expect(b.attribution.onset).toEqual(a.attribution.onset)
    // A command to check a number names the instant that it is about.
    const told = (of: Diagnosis): unknown => JSON.parse(JSON.stringify(of.attribution).replaceAll(/--time \d+/g, '--time'))
    expect(told(b)).toEqual(told(a))
  })

  test('it stands still until the change is said to be applied, and the clock leaps to where that was', () => {
    const one = replayed(story)
    one.play.alert()
    const { appliedMs } = story.moments
    one.play.leapTo(appliedMs)
    expect(one.play.at().storyMs).toBe(appliedMs)
    one.clock.pass(3_600_000)
    expect(one.play.at().storyMs).toBeLessThanOrEqual(appliedMs)
    one.play.applied()
    const began = one.play.at()
    one.clock.pass(1_000)
    const end = story.looks.at(-1)!.askedAtMs
    expect(one.play.at().storyMs).toBe(Math.min(end, began.storyMs + 1_000))
  })
})
