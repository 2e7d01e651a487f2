/** How late batches begin, in words: Spark has no such number for Structured Streaming, so it is said what it is. */
import type { SchedulingDelay } from '../attribution/attribution.ts'
import { duration } from '../incident/format.ts'
import type { NoDelay } from '../timeline/scheduling.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { seen } from './line.ts'

/** A batch that begins less than this after its trigger is on time, s (engine.md: floor of the scheduling delay). */
export const onTimeS = 0.5

const why: Readonly<Record<NoDelay, string>> = {
  'back to back': 'none is defined, batches run back to back without a trigger interval',
  'no interval': 'not known, nobody tells the trigger interval',
  'no grid': 'not known, batches do not begin at multiples of the trigger interval',
}

/** What an incident costs; null while batches begin on time or nothing is known. */
export function delayInWords(delay: SchedulingDelay | null): string | null {
  if (delay === null || delay.now === null || delay.now < onTimeS) return null
  const ago = duration(delay.now)
  const late = delay.waits ? `the trigger of the next batch is ${ago} past` : `the newest batch began ${ago} after its trigger`
  if (delay.before === null) return late
  return `${late}; usually batches begin ${delay.before < onTimeS ? 'at it' : `${duration(delay.before)} after it`}`
}

/** What a verdict of calm rests on. null where no batch was seen. */
export function delayLookedAt(timeline: Timeline, from: number): string | null {
  const { line, unknown } = timeline.scheduling
  if (timeline.batches.length === 0) return null
  if (unknown !== null) return `scheduling delay: ${why[unknown]}`
  const delays = seen(line, from).map((point) => point.v)
  if (delays.length === 0) return null
  const late = delays.filter((seconds) => seconds >= onTimeS)
  if (late.length === 0) return 'scheduling delay: none, every batch began at its trigger'
  return `scheduling delay: ${late.length} of ${delays.length} batches began late, at most ${duration(Math.max(...late))} after their trigger`
}
