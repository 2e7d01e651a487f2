/** Up to when the table is complete, who holds it back, and what breaks when. */
import { duration } from '../incident/format.ts'
import { heldAt, known, rateBetween } from '../timeline/line.ts'
import { median } from '../timeline/robust.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { CompleteTo, Deadline } from './attribution.ts'
import type { Facts } from './facts.ts'

/** A partition this much behind the others holds the table back, s. */
const BEHIND = 5
/** Further ahead than this nobody plans for. */
const HORIZON_SECONDS = 7 * 86_400

export function completeTo(facts: Facts): CompleteTo | null {
  const { timeline } = facts
  const dated = timeline.partitions
    .filter((p) => p.completeTo !== null)
    .map((p) => ({ partition: p.partition, at: p.completeTo as number }))
  if (dated.length === 0 || dated.length < timeline.partitions.length) return null
  const at = Math.min(...dated.map((d) => d.at))
  const held = dated.filter((d) => d.at <= at + BEHIND)
  const others = dated.filter((d) => d.at > at + BEHIND).map((d) => d.at)
  return {
    table: timeline.pipeline.sink?.table ?? timeline.pipeline.name,
    at,
    heldBackBy: others.length > 0 ? held.map((d) => d.partition).sort((a, b) => a - b) : [],
    others: others.length > 0 ? median(others) : null,
    byRecordTime: timeline.recordClock,
    lateness: facts.lateness === null ? null : { longest: facts.lateness.longest, over: facts.lateness.over },
  }
}

export function deadlines(facts: Facts): Deadline[] {
  return [...objective(facts.timeline), ...lagObjective(facts), ...dataLoss(facts)].sort((a, b) => a.at - b.at)
}

function objective(timeline: Timeline): Deadline[] {
  const freshness = timeline.pipeline.objective?.freshness_s
  const newest = timeline.commits.filter((c) => c.kind === 'data').at(-1)
  if (freshness === undefined || newest === undefined) return []
  const at = newest.at + freshness
  if (at <= timeline.now) {
    return [{ kind: 'objective_broken', at, partition: null, what: `the table is older than its objective of ${duration(freshness)}` }]
  }
  // While batches come and go in time the next commit moves it on: no deadline.
  if (timeline.batches.at(-1)?.open !== true) return []
  return [
    {
      kind: 'objective_breaks',
      at,
      partition: null,
      what: `without a new commit the table passes its objective of ${duration(freshness)}`,
    },
  ]
}

/** Lag in time = records that wait / records that arrive a second (Little's law); broken since it last stood below the objective. */
function lagObjective({ timeline, intake }: Facts): Deadline[] {
  const seconds = timeline.pipeline.objective?.lag_s
  if (seconds === undefined || intake === null || intake.now <= 0) return []
  const points = known(timeline.lag, Number.NEGATIVE_INFINITY, timeline.now)
  const allowed = seconds * intake.now
  let since: number | null = null
  for (const [t, lag] of points) since = lag <= allowed ? null : (since ?? t)
  if (since === null) return []
  return [
    {
      kind: 'objective_broken',
      at: since,
      partition: null,
      what: `the reader is further behind than its objective of ${duration(seconds)}`,
    },
  ]
}

/**
 * Records are deleted `retention` after they were made. The reader's position in record time moves at (consumption / intake) seconds a
 * second, so the oldest unread record is deleted in (retention - age) / (1 - consumption / intake) seconds.
 */
function dataLoss(facts: Facts): Deadline[] {
  const { timeline } = facts
  const out: Deadline[] = []
  for (const topic of timeline.pipeline.topics) {
    const retention = topic.retention_ms
    if (retention === undefined || retention <= 0) continue
    for (const flow of timeline.partitions.filter((p) => p.topic === topic.name)) {
      if (flow.completeTo === null) continue
      const from = facts.episode?.since ?? timeline.now - 300
      const position = known(flow.position, from, timeline.now)
      const first = position[0]
      const last = position.at(-1)
      const intake = rateBetween(flow.logEnd, Math.max(from, flow.logEnd.t[0] ?? from), flow.logEnd.t.at(-1) ?? timeline.now)
      if (!first || !last || last[0] <= first[0] || intake === null || intake <= 0) continue
      const consumption = (last[1] - first[1]) / (last[0] - first[0])
      const behind = 1 - consumption / intake
      const lag = heldAt(flow.lag, timeline.now) ?? 0
      if (behind <= 0.02 || lag <= 0) continue
      const inSeconds = (retention / 1000 - (timeline.now - flow.completeTo)) / behind
      if (inSeconds < HORIZON_SECONDS)
        out.push({
          kind: 'data_loss',
          at: timeline.now + Math.max(0, inSeconds),
          partition: flow.partition,
          what: `partition ${flow.partition} of ${topic.name} starts losing unread data`,
        })
    }
  }
  return out.sort((a, b) => a.at - b.at).slice(0, 1)
}
