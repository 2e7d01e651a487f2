/** What all causes look at, worked out once: the episode, the accounts of its batches, and what changed around its beginning. */
import type { EvidenceEvent } from '../incident/evidence.ts'
import type { Account, Excess, ExcessTerm } from '../timeline/account.ts'
import { accountOf, excessOf, usualAccount } from '../timeline/account.ts'
import type { Behind } from '../timeline/behind.ts'
import { findBehind } from '../timeline/behind.ts'
import { reachOf } from '../timeline/completeness.ts'
import type { Episode } from '../timeline/episode.ts'
import { findBlip, findEpisode, wellBatches } from '../timeline/episode.ts'
import type { Concentration, IntakeChange } from '../timeline/intake.ts'
import { concentration, intakeChange, shareShift, withoutLate } from '../timeline/intake.ts'
import type { Lateness } from '../timeline/lateness.ts'
import { findLateness } from '../timeline/lateness.ts'
import { heldAt, known } from '../timeline/line.ts'
import { plannedAt } from '../timeline/partitions.ts'
import { median } from '../timeline/robust.ts'
import type { Stall } from '../timeline/stall.ts'
import { findStall } from '../timeline/stall.ts'
import type { TaskCost, TaskFacts } from '../timeline/tasks.ts'
import { taskCost, taskFacts, workStage } from '../timeline/tasks.ts'
import type { TimedBatch, Timeline } from '../timeline/timeline.ts'
import type { Pressure } from './pressure.ts'
import { pressure } from './pressure.ts'

export interface ExecutorLoss {
  readonly event: EvidenceEvent
  /** Slots before and lowest after it; null = not seen. */
  readonly slotsBefore: number | null
  readonly slotsAfter: number | null
  readonly replacedAt: number | null
}

export interface Facts {
  readonly timeline: Timeline
  readonly episode: Episode | null
  /** The newest batch is somewhat over its limit and nothing is known after it: a blip, or the beginning. null = it is not. */
  readonly blip: TimedBatch | null
  /** Batches that were well: before the episode, or all recent ones when there is none. */
  readonly base: readonly TimedBatch[]
  /** The newest batches that were well, up to now. */
  readonly well: readonly TimedBatch[]
  readonly usual: Account | null
  /** Accounts of the ill batches, the open one last. */
  readonly ill: readonly Account[]
  /** Extra seconds by term, summed over the ill batches that ended; null without an account on both sides. */
  readonly excess: Excess | null
  readonly excessSeconds: number
  readonly pressure: Pressure | null
  readonly intake: IntakeChange | null
  readonly shift: number | null
  readonly concentration: Concentration | null
  readonly stall: Stall | null
  /** The reader takes less than arrives. */
  readonly behind: Behind | null
  readonly lateness: Lateness | null
  readonly losses: readonly ExecutorLoss[]
  /** Whether executors could be seen for as long as what is judged lasts. */
  readonly executorsSeen: boolean
  readonly tasksBefore: TaskFacts | null
  readonly tasksNow: TaskFacts | null
  readonly costBefore: TaskCost | null
  readonly costNow: TaskCost | null
  readonly lag: { readonly before: number; readonly now: number } | null
}

/** An executor lost this long before the first ill batch can still be its cause: it made that batch late. */
const LOSS_BEFORE_SECONDS = 10
/** The first look at executors may come this long after an episode has begun: no more than a scrape. */
const LATE_READING_SECONDS = 60
/** Without an episode the last minute is compared with what came before it. */
const LAST_MINUTE = 60
/** Without an episode, losses and late uploads of the last minutes are still told. */
const RECENT_SECONDS = 120

export function gatherFacts(timeline: Timeline): Facts {
  const episode = findEpisode(timeline)
  const well = wellBatches(timeline, timeline.now)
  // A query that has not run for long has a past as well: what was seen of it is halved.
  const seen = timeline.now - (timeline.batches.find((b) => !b.open && !b.warmUp)?.start ?? Number.NEGATIVE_INFINITY)
  const since = episode?.began?.[0] ?? episode?.since ?? timeline.now - Math.min(LAST_MINUTE, seen / 2)
  const base = episode?.base ?? wellBatches(timeline, since)
  const usual = usualAccount(base.map((b) => accountOf(b, timeline)))
  const illBatches = episode?.ill.filter((b) => b.seconds > episode.limit) ?? []
  const ill = illBatches.map((b) => accountOf(b, timeline))
  const closed = ill.filter((_, i) => !(illBatches[i] as TimedBatch).open)
  const excesses = usual === null ? [] : (closed.length > 0 ? closed : ill).map((a) => excessOf(a, usual))
  const excess = excesses.length === 0 ? null : addUp(excesses)
  const stall = findStall(timeline)
  const firstBase = base[0]
  // Nothing tells when it began: what changed may have changed at any time that was seen of other series.
  const unbased = isUnbased(episode)
  // What the first ill batch read came in after its predecessor was planned.
  const from = unbased
    ? (reachOf(timeline, 'intake')?.from ?? since - 300)
    : Math.max(firstBase ? plannedAt(firstBase) : since - 300, since - 600)
  const until = episode?.ended ?? timeline.now
  const intake = intakeChange(timeline, [from, since], since, until, unbased)
  const lateness = findLateness(timeline, since)
  const onTime = intake === null ? null : withoutLate(intake, lateness?.partitions ?? [])
  return {
    timeline,
    episode,
    blip: episode === null ? findBlip(timeline) : null,
    base,
    well,
    usual,
    ill,
    excess,
    excessSeconds: excess === null ? 0 : Object.values(excess).reduce((a, b) => a + b, 0),
    pressure: pressure(usual, closed, intake, episode, timeline.triggerS),
    intake,
    shift: onTime === null ? null : shareShift(onTime),
    concentration: onTime === null ? null : concentration(onTime),
    stall,
    behind: findBehind(timeline),
    lateness,
    losses: losses(timeline, episode, since),
    executorsSeen: executorsSeen(timeline, since),
    tasksBefore: pooled(base),
    tasksNow: pooled(episode?.ill.filter((b) => b.seconds > (episode?.limit ?? 0)) ?? []),
    costBefore: taskCost(stagesOf(base)),
    costNow: taskCost(stagesOf(illBatches)),
    lag: lagChange(timeline, since),
  }
}

/** It began before the oldest batch that is kept, and nothing else tells when. */
function isUnbased(episode: Episode | null): boolean {
  return episode?.censored === true && episode.began === null
}

export function addUp(all: readonly Excess[]): Excess {
  const of = (term: ExcessTerm) => all.reduce((sum, e) => sum + e[term], 0)
  return {
    volume: of('volume'),
    cost: of('cost'),
    slots: of('slots'),
    unevenness: of('unevenness'),
    work: of('work'),
    sinkCommit: of('sinkCommit'),
    checkpoint: of('checkpoint'),
    planning: of('planning'),
    latestOffset: of('latestOffset'),
    driver: of('driver'),
  }
}

function stagesOf(batches: readonly TimedBatch[]) {
  return batches.map(workStage).filter((s) => s !== null)
}

/** Task facts of the batch in the middle of these (by slowest task), so that one odd batch does not speak for all. */
function pooled(batches: readonly TimedBatch[]): TaskFacts | null {
  const each = batches
    .map((b) => {
      const stage = workStage(b)
      // Only a stage that reads the topic has the batch's rows.
      const reads = b.stages?.length === 1 || stage?.name === 'source'
      return stage === null || stage.running ? null : taskFacts(stage, reads ? (b.rows ?? null) : null)
    })
    .filter((f) => f !== null)
  if (each.length === 0) return null
  const of = (read: (f: TaskFacts) => number | null): number | null => {
    const seen = each.map(read).filter((v) => v !== null)
    return seen.length === 0 ? null : median(seen)
  }
  const slowest = each.reduce((a, b) => ((b.executorRatio ?? 0) > (a.executorRatio ?? 0) ? b : a))
  return {
    tasks: of((f) => f.tasks) as number,
    medianMs: of((f) => f.medianMs) as number,
    maxMs: of((f) => f.maxMs) as number,
    maxRows: of((f) => f.maxRows),
    medianRows: of((f) => f.medianRows),
    meanRows: of((f) => f.meanRows),
    rowsCorrelation: of((f) => f.rowsCorrelation),
    cpuShare: of((f) => f.cpuShare),
    cpuPerRowMs: of((f) => f.cpuPerRowMs),
    runPerRowMs: of((f) => f.runPerRowMs),
    gcShare: of((f) => f.gcShare),
    executorRatio: of((f) => f.executorRatio),
    slowestExecutor: slowest.slowestExecutor,
  }
}

/** Whether executors were seen from the time on at which what is judged began: before their first reading one may have been lost. */
function executorsSeen(timeline: Timeline, since: number): boolean {
  const reach = reachOf(timeline, 'executors')
  return reach !== null && reach.from <= since + LATE_READING_SECONDS
}

/** A fall of the count that no event explains is a loss too; its reason was not seen. */
function fallen(timeline: Timeline, from: number): ExecutorLoss[] {
  const line = timeline.executors.t.length > 0 ? timeline.executors : timeline.slots
  const points = known(line, Number.NEGATIVE_INFINITY, timeline.now)
  for (let i = 1; i < points.length; i++) {
    const [t, v] = points[i] as readonly [number, number]
    const [, before] = points[i - 1] as readonly [number, number]
    if (t < from || v >= before) continue
    const back = points.slice(i).find(([, later]) => later >= before)
    return [
      {
        event: { at: t, kind: 'executor_removed', text: `their number fell from ${before} to ${v}; no reason was seen` },
        slotsBefore: heldAt(timeline.slots, (points[i - 1] as readonly [number, number])[0]),
        slotsAfter: heldAt(timeline.slots, t),
        replacedAt: back?.[0] ?? null,
      },
    ]
  }
  return []
}

/**
 * Losses that what is judged can be due to. Where it began before the oldest batch that is kept, also an earlier one, if it was not made
 * good by then: an executor that was replaced at once slows nothing half an hour later.
 */
function losses(timeline: Timeline, episode: Episode | null, since: number): ExecutorLoss[] {
  const from = episode === null ? timeline.now - RECENT_SECONDS : Math.min(since, episode.from) - LOSS_BEFORE_SECONDS
  const earliest = isUnbased(episode) ? Number.NEGATIVE_INFINITY : from
  const stillMissing = ({ event, slotsBefore, replacedAt }: ExecutorLoss) => {
    const slots = heldAt(timeline.slots, since)
    return event.at >= from || (slots !== null && slotsBefore !== null ? slots < slotsBefore : replacedAt === null || replacedAt > since)
  }
  return lossesSince(timeline, earliest).filter(stillMissing)
}

function lossesSince(timeline: Timeline, from: number): ExecutorLoss[] {
  const told = timeline.events.some((e) => e.kind === 'executor_removed' && e.at >= from)
  if (!told) return fallen(timeline, from)
  return timeline.events
    .filter((e) => e.kind === 'executor_removed' && e.at >= from && e.at <= timeline.now && !/\bidle\b|decommission/i.test(e.text ?? ''))
    .map((event) => {
      const after = known(timeline.slots, event.at, timeline.now).map(([, v]) => v)
      const added = timeline.events.find((e) => e.kind === 'executor_added' && e.at > event.at)
      return {
        event,
        slotsBefore: heldAt(timeline.slots, event.at - 0.5),
        slotsAfter: after.length === 0 ? heldAt(timeline.slots, timeline.now) : Math.min(...after),
        replacedAt: added?.at ?? null,
      }
    })
}

function lagChange(timeline: Timeline, since: number): { before: number; now: number } | null {
  const before = known(timeline.lag, since - 300, since).map(([, v]) => v)
  const now = timeline.lag.v.at(-1) ?? null
  return before.length === 0 || now === null ? null : { before: median(before), now }
}
