/** What a verdict of "within baseline" rests on: each signal with its level, so that silence is not mistaken for health. */

import { duration, listed, numbered, rate, records } from '../../incident/format.ts'
import { median } from '../../timeline/robust.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { lagRead, lastSeen, levelNow } from '../line.ts'
import { delayLookedAt } from '../scheduling-words.ts'

/** The level of the last ten minutes stands for "now". */
const recentS = 600

export function whatWasLookedAt(timeline: Timeline): string[] {
  const from = timeline.now - recentS
  const lines: string[] = []
  const intake = levelNow(timeline.intake, timeline.now, null)
  if (intake !== null) {
    const parts = timeline.partitions.length
    lines.push(
      `intake: ${rate(intake)} over ${numbered(parts, 'partition')}${timeline.arrivalsFrom > timeline.now ? ' (by record time)' : ''}`,
    )
  }
  const lag = lastSeen(lagRead(timeline.lag, timeline.partitions, timeline.now))
  if (lag !== null) lines.push(`lag: ${records(lag.v)}`)
  const done = timeline.batches.filter((batch) => !batch.open && batch.start >= from)
  if (done.length > 0) {
    const typical = median(done.map((batch) => batch.seconds))
    const limit = timeline.triggerS === null ? '' : ` of a ${duration(timeline.triggerS)} trigger`
    lines.push(`batches: ${done.length}, ${done.length === 1 ? 'it took' : 'half of them under'} ${duration(typical)}${limit}`)
  }
  const delay = delayLookedAt(timeline, from)
  if (delay !== null) lines.push(delay)
  const slots = lastSeen(timeline.slots)
  const executors = lastSeen(timeline.executors)
  const work = [executors === null ? '' : numbered(executors.v, 'executor'), slots === null ? '' : numbered(slots.v, 'task slot')].filter(
    (part) => part !== '',
  )
  if (work.length > 0) lines.push(`executors: ${listed(work)}`)
  const age = lastSeen(timeline.freshness)
  if (age !== null) {
    const objective = timeline.pipeline.objective?.freshness_s
    lines.push(`table: newest data ${duration(age.v)} old${objective === undefined ? '' : ` (objective ${duration(objective)})`}`)
  }
  const reaches = timeline.complete.flatMap(({ series, from: first }) =>
    series === 'lag' || series === 'stages' ? [] : [`${words[series]} ${duration(Math.round(timeline.now - first))}`],
  )
  if (reaches.length > 0) lines.push(`how far back: ${listed(reaches)}`)
  return lines
}

/** Lag reaches as far as batches and intake do, stages as far as batches or less. */
const words = { intake: 'intake', batches: 'batches', executors: 'executors', freshness: 'commits of the table' } as const
