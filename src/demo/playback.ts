/**
 * Which instant of a story it is now. The demo's time and the story's differ by a span that stays the same while the story plays, so
 * that all its times fit each other. It stands still, and its span grows, where it waits for a person: before the alert is fired,
 * before the change is said to be applied, and at its end. The span is a whole multiple of the reader's trigger, because triggers
 * stand on multiples of it since 1970 and how late a batch is would else be another.
 */
import type { DemoClock } from './demo-clock.ts'
import type { Recorded } from './story.ts'

export interface Instant {
  /** Of the story, epoch ms. */
  readonly storyMs: number
  /** From the story's time to the demo's, ms. */
  readonly spanMs: number
}

export interface Playback {
  readonly at: () => Instant
  /** The alert goes out, or somebody asks: the story begins. */
  readonly alert: () => void
  /** The clock leaps to this instant of the story, epoch ms, if it is not there yet. */
  readonly leapTo: (storyMs: number) => void
  /** It is said to be in force: what came of it plays. */
  readonly applied: () => void
}

export function playback(story: Pick<Recorded, 'moments' | 'triggerMs' | 'looks'>, clock: DemoClock): Playback {
  const { alertMs, appliedMs } = story.moments
  const grain = Math.max(1, story.triggerMs)
  let holdsAtMs = alertMs
  let spanMs = Math.floor((clock.nowMs() - alertMs) / grain) * grain
  const at = (): Instant => {
    const nowMs = clock.nowMs()
    if (nowMs - spanMs > holdsAtMs) spanMs = Math.ceil((nowMs - holdsAtMs) / grain) * grain
    return { storyMs: nowMs - spanMs, spanMs }
  }
  return {
    at,
    alert() {
      if (holdsAtMs !== alertMs) return
      spanMs = Math.floor((clock.nowMs() - alertMs) / grain) * grain
      holdsAtMs = appliedMs
    },
    leapTo(storyMs) {
      clock.leapTo(storyMs + at().spanMs)
    },
    applied() {
      clock.leapTo(appliedMs + at().spanMs)
      holdsAtMs = story.looks.at(-1)?.askedAtMs ?? appliedMs
    },
  }
}
