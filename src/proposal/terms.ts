/**
 * The readings that expectations speak of, each read the same way before a change and after it. One entry a reading; none of them is a
 * gauge that could look healthy while records wait, except those that only show whether a setting has been turned.
 */
import type { MeasureName, SignalName } from '../incident/signal.ts'
import { measures, signals } from '../incident/signal.ts'
import { accountOf } from '../timeline/account.ts'
import { between, heldAt, known } from '../timeline/line.ts'
import { plannedAt } from '../timeline/partitions.ts'
import { median } from '../timeline/robust.ts'
import type { TimedBatch, Timeline } from '../timeline/timeline.ts'
import type { Look } from './grounds.ts'
import { sourceStage } from './seen-settings.ts'

export interface Reading {
  /** Seconds since window.from. */
  readonly at: number
  readonly value: number
}

export interface Term {
  /** Of a value; a share is 0 to 1, and above 1 where there is more than fits. */
  readonly unit: string
  /** What a person calls it; this and the unit as the table of signals has them. */
  readonly words: string
  /** Smallest difference that matters (engine.md §3.3). */
  readonly floor: number
  /** Which way relief goes. */
  readonly better: 'lower' | 'higher'
  /** Readings from `from` on (seconds since window.from), oldest first; unfinished batches give none, nor do cold ones unless asked for. */
  readonly read: (look: Pick<Look, 'timeline' | 'evidence'>, from: number, cold?: boolean) => Reading[]
}

/** The intake before a batch is read over so long, s. */
const INTAKE_SECONDS = 60
/** A flow ratio is read over at least this long and so many commits (engine.md §3.2). */
const FLOW_SECONDS = 30
const FLOW_COMMITS = 4

const perBatch =
  (value: (batch: TimedBatch, timeline: Timeline) => number | null): Term['read'] =>
  ({ timeline }, from, cold = false) =>
    timeline.batches.flatMap((batch) => {
      if (batch.open || (batch.warmUp && !cold) || batch.start < from) return []
      const one = value(batch, timeline)
      return one === null ? [] : [{ at: batch.end as number, value: one }]
    })

const gauge =
  (line: (timeline: Timeline) => Timeline['lag']): Term['read'] =>
  ({ timeline }, from) => {
    const points = known(line(timeline), from, timeline.now).map(([at, value]) => ({ at, value }))
    const now = heldAt(line(timeline), timeline.now)
    return points.length > 0 || now === null ? points : [{ at: timeline.now, value: now }]
  }

export const terms = {
  /** Slots x wall time of the stage that reads the topic, less the run time of its tasks: what an uneven load wastes. */
  'stage.idle_slot_share': {
    ...measures['stage.idle_slot_share'],
    floor: 0.1,
    better: 'lower',
    read: perBatch((batch, timeline) => {
      const stage = sourceStage(batch)
      const slots = heldAt(timeline.slots, batch.end as number) ?? timeline.pipeline.reader.slots ?? null
      if (stage?.run_ms === undefined || stage.wall_ms === undefined || stage.wall_ms <= 0 || slots === null || slots <= 0) return null
      return Math.max(0, 1 - stage.run_ms / (stage.wall_ms * slots))
    }),
  },
  /** Time for one trigger's records at the rate at which they arrive, over the trigger: independent of the backlog in the batch. */
  'reader.load': {
    ...measures['reader.load'],
    floor: 0.1,
    better: 'lower',
    read: perBatch((batch, timeline) => {
      const { jobs, rows, seconds } = accountOf(batch, timeline)
      const period = timeline.triggerS
      const intake = intakeBefore(timeline, batch)
      if (jobs === null || !rows || period === null || intake === null) return null
      return (seconds - jobs + (jobs * intake * period) / rows) / period
    }),
  },
  'batch.duration_s': { ...measures['batch.duration_s'], floor: 0.5, better: 'lower', read: perBatch((batch) => batch.seconds) },
  /** Records finished over records that arrived, between commits. */
  'reader.flow_ratio': {
    ...measures['reader.flow_ratio'],
    floor: 0.1,
    better: 'higher',
    read: flowRatio,
  },
  'reader.lag': { ...measures['reader.lag'], floor: 0, better: 'lower', read: lagAfterCommits },
  'reader.lag_growth': { ...measures['reader.lag_growth'], floor: 1, better: 'lower', read: lagGrowth },
  'executor.count': { ...signals['executor.count'], floor: 0.5, better: 'higher', read: gauge((timeline) => timeline.executors) },
  'group.members': { ...signals['group.members'], floor: 0.5, better: 'higher', read: series('group.members') },
  'executor.gc_share': {
    ...signals['executor.gc_share'],
    floor: 0.05,
    better: 'lower',
    read: series('executor.gc_share'),
  },
} as const satisfies Partial<Record<MeasureName | SignalName, Term>>

export type TermName = keyof typeof terms

export function isTerm(signal: string): signal is TermName {
  return Object.hasOwn(terms, signal)
}

/**
 * Records/s that came before a batch was planned: those it took since the one before was, and where a cap leaves some of them in the log,
 * the newest minute of the intake, whichever is more.
 */
function intakeBefore({ intake, batches }: Timeline, batch: TimedBatch): number | null {
  const before = batches.find((one) => one.id === batch.id - 1)
  const apart = before === undefined ? 0 : plannedAt(batch) - plannedAt(before)
  const taken = apart > 0 && typeof batch.rows === 'number' ? batch.rows / apart : null
  const near = known(intake, batch.start - INTAKE_SECONDS, batch.start).map(([, rate]) => rate)
  if (taken === null && near.length === 0) return null
  return Math.max(taken ?? 0, near.length === 0 ? 0 : median(near))
}

/** A batch that lowers the lag is over; just before it the lag holds what the batch had taken already. */
function lagAfterCommits({ timeline }: Pick<Look, 'timeline'>, from: number): Reading[] {
  const { lag, batches, now } = timeline
  if (batches.length === 0) return known(lag, from, now).map(([at, value]) => ({ at, value }))
  return batches.flatMap((batch) => {
    if (batch.open || (batch.end as number) < from) return []
    const value = heldAt(lag, batch.end as number)
    return value === null ? [] : [{ at: batch.end as number, value }]
  })
}

/** From commit to commit. */
function lagGrowth(look: Pick<Look, 'timeline'>, from: number): Reading[] {
  const points = lagAfterCommits(look, from)
  return points.slice(1).map(({ at, value }, i) => {
    const before = points[i] as Reading
    return { at, value: (value - before.value) / Math.max(0.1, at - before.at) }
  })
}

function flowRatio({ timeline }: Pick<Look, 'timeline'>, from: number): Reading[] {
  const { partitions } = timeline
  const commits = (partitions[0]?.position.t ?? []).filter((t) => t >= from)
  const at = (t: number): { read: number; log: number } | null => {
    let [read, log] = [0, 0]
    for (const { position, logEnd, arrived } of partitions) {
      const done = heldAt(position, t)
      const end = between(logEnd, t) ?? between(arrived, t) ?? heldAt(arrived, t)
      if (done === null || end === null) return null
      read += done
      log += end
    }
    return { read, log }
  }
  const out: Reading[] = []
  for (let i = FLOW_COMMITS; i < commits.length; i++) {
    const to = commits[i] as number
    let first = i - FLOW_COMMITS
    while (first > 0 && to - (commits[first] as number) < FLOW_SECONDS) first--
    const [a, b] = [at(commits[first] as number), at(to)]
    if (a === null || b === null || to - (commits[first] as number) < FLOW_SECONDS || b.log <= a.log) continue
    out.push({ at: to, value: (b.read - a.read) / (b.log - a.log) })
  }
  return out
}

/** All entities of a series at each of its times: their mean. */
function series(signal: string): Term['read'] {
  return ({ evidence, timeline }, from) => {
    const byTime = new Map<number, number[]>()
    for (const one of evidence.series.filter((s) => s.signal === signal)) {
      one.t.forEach((t, i) => {
        const value = one.v[i] ?? null
        if (value !== null && t >= from && t <= timeline.now) byTime.set(t, [...(byTime.get(t) ?? []), value])
      })
    }
    return [...byTime].sort(([a], [b]) => a - b).map(([at, values]) => ({ at, value: values.reduce((a, b) => a + b, 0) / values.length }))
  }
}
