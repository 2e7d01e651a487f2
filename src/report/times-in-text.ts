/**
 * Sentences of the engine know no zone. Where one needs a time of day it holds a mark, "{at 232.5}", seconds since
 * window.from; the report, which knows the reader's zone, writes the time in its place.
 */
import type { Timeline } from '../timeline/timeline.ts'
import type { WallClock } from './wall-clock.ts'

const mark = /\{at (-?\d+(?:\.\d+)?)\}/g

export function withTimes(text: string, timeline: Timeline, clock: WallClock): string {
  const nowS = timeline.zeroS + timeline.now
  return text.replace(mark, (_, seconds: string) => clock.moment(timeline.zeroS + Number(seconds), nowS))
}

/** For programs: seconds since window.from, as all times of a bundle. */
export function inSeconds(text: string): string {
  return text.replace(mark, (_, seconds: string) => `${seconds} s`)
}
