/** Which stretch of time the chart shows: enough calm before the onset to compare with, then everything up to now. */
import type { Attribution } from '../../attribution/attribution.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { seen } from '../line.ts'

/** Without an onset there is nothing to frame: the last ten minutes. */
const usualS = 600
const leastBeforeS = 60
const mostBeforeS = 1200
/** So many points of intake before the onset make a baseline that an eye can compare with. */
const baselinePoints = 4

export interface ShownWindow {
  readonly from: number
  readonly to: number
}

export function shownWindow(timeline: Timeline, attribution: Attribution | null): ShownWindow {
  const to = timeline.now
  const onset = attribution?.onset ?? null
  const wanted = onset === null ? to - usualS : baselineStart(timeline, onset[0], to)
  const oldest = oldestSeen(timeline)
  const from = oldest === null ? wanted : Math.max(wanted, oldest)
  // An instant is not a window: half a minute at least.
  return { from: Math.min(from, to - 30), to }
}

function baselineStart(timeline: Timeline, onset: number, to: number): number {
  const before = Math.min(mostBeforeS, Math.max(leastBeforeS, (to - onset) * 0.5))
  const line = timeline.partitions[0]?.intake ?? timeline.intake
  const points = seen(line, onset - mostBeforeS, onset)
  const enough = points.at(-baselinePoints)?.t
  return Math.min(onset - before, enough ?? onset - before)
}

function oldestSeen(timeline: Timeline): number | null {
  const first = [
    timeline.lag,
    timeline.freshness,
    timeline.slots,
    ...timeline.partitions.map((flow) => flow.intake),
    ...timeline.partitions.map((flow) => flow.lag),
  ]
    .map((line) => seen(line)[0]?.t)
    .concat(timeline.batches[0]?.start)
    .filter((t) => t !== undefined)
  return first.length === 0 ? null : Math.min(...first)
}
