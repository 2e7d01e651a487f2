/**
 * Batches from sightings: what the checkpoint, the UI and the event log each saw of a micro-batch becomes one batch of the bundle,
 * with its phases by subtraction, also for the batch in flight. Pure; times become seconds since `window.from`.
 */
import type { Batch, BatchJob, OffsetsByTopic } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import { fileClockAhead, onDriverClock } from './file-clock.ts'
import type { Surroundings } from './phases.ts'
import { phasesOf } from './phases.ts'
import { sinceZero, stageSinceZero } from './rebase.ts'
import { schedulingOf, withDelays } from './scheduling.ts'
import type { SeenBatch } from './sightings.ts'
import { joinSightings } from './sightings.ts'
import { triggerOf } from './trigger.ts'
import { triggerStarts } from './trigger-start.ts'

export type { Trigger } from './trigger.ts'
export { inferTrigger } from './trigger.ts'

export interface BatchContext {
  /** Epoch seconds of `window.from`. */
  readonly zeroS: number
  readonly askedAtMs: number
  /** What the owners declare; null = infer it. */
  readonly declaredTriggerS?: number | null
  /** Seconds by which the driver's clock was found ahead of the one that asked: an age is the time between the two. */
  readonly driverAheadS?: number
}

/** Longer between the offsets file and the execution of a run's first batch: the file was written before the restart. */
const REPLAY_MS = 5000
/** Batches around a missing one in which the UI was seen to work. */
const UI_REACH = 3

/** Joins sightings of any order and number: the same set gives the same batches, in order of id. */
export function joinBatches(sightings: readonly BatchSighting[], context: BatchContext): Batch[] {
  const joined = joinSightings(sightings)
  const ahead = fileClockAhead(joined)
  const seen = joined.map((batch) => onDriverClock(batch, ahead))
  const trigger = triggerOf(seen, context.declaredTriggerS ?? null)
  const rows = rowsByBatch(seen)
  const starts = triggerStarts(seen, rows, trigger.seconds)
  const lastUiId = Math.max(...seen.filter(inUi).map((batch) => batch.id))
  const batches = seen.flatMap((batch, i) => {
    const before = seen[i - 1]?.id === batch.id - 1 ? seen[i - 1] : undefined
    const next = seen[i + 1]
    const around: Surroundings = {
      startMs: starts.get(batch.id) ?? null,
      nextSignMs: next === undefined ? null : firstSignMs(next),
      uiLooked: lastUiId >= batch.id - UI_REACH,
      replayed: isReplayed(seen[i - 1], batch),
      askedAtMs: context.askedAtMs + (context.driverAheadS ?? 0) * 1000,
    }
    const built = buildBatch(batch, before, rows.get(batch.id), around, context.zeroS)
    return built === null ? [] : [built]
  })
  const reader = trigger.from === 'unknown' ? {} : { trigger_s: trigger.seconds }
  return withDelays(batches, schedulingOf(batches, { reader, zeroS: context.zeroS }))
}

function buildBatch(
  batch: SeenBatch,
  before: SeenBatch | undefined,
  rows: number | undefined,
  around: Surroundings,
  zeroS: number,
): Batch | null {
  const phases = phasesOf(batch, around)
  if (phases === null) return null
  const at = (epochMs: number) => sinceZero(epochMs / 1000, zeroS)
  const open = phases.endMs === null
  return {
    id: batch.id,
    start: at(phases.startMs),
    end: phases.endMs === null ? null : at(phases.endMs),
    rows: rows ?? batch.rows ?? null,
    duration_ms: phases.durations,
    ...(phases.missing.length > 0 ? { phases_missing: phases.missing } : {}),
    ...(Object.keys(phases.merged).length > 0 ? { phases_merged: phases.merged } : {}),
    scheduling_delay_ms: null,
    from_offset: before?.toOffset ?? null,
    to_offset: batch.toOffset ?? null,
    ...(batch.stages.length > 0 ? { stages: batch.stages.map((stage) => stageSinceZero(stage, zeroS)) } : {}),
    ...(batch.jobs.length > 0 ? { jobs: batch.jobs.map((job) => jobOf(job, at)) } : {}),
    state_rows: batch.stateRows ?? null,
    state_bytes: batch.stateBytes ?? null,
    // 0 is Spark's "no watermark yet".
    watermark: batch.watermarkMs === undefined || batch.watermarkMs <= 0 ? null : at(batch.watermarkMs),
    late_rows: batch.lateRows ?? null,
    commit_version: null,
    ...(open ? { open: true, age_s: Math.max(0, sinceZero(around.askedAtMs / 1000, phases.startMs / 1000)) } : {}),
    ...(phases.phase === undefined ? {} : { phase: phases.phase }),
    ...(phases.phaseSinceMs === undefined ? {} : { phase_since: at(phases.phaseSinceMs) }),
    ...(phases.endBounds === undefined ? {} : { end_bounds: [at(phases.endBounds[0]), at(phases.endBounds[1])] as const }),
    ...(around.replayed ? { replayed: true, ...(batch.plannedAtMs === undefined ? {} : { planned_at: at(batch.plannedAtMs) }) } : {}),
    ...(batch.run === undefined ? {} : { run: batch.run }),
  }
}

function jobOf(job: SeenBatch['jobs'][number], at: (epochMs: number) => number): BatchJob {
  return {
    start: at(job.startMs),
    end: job.endMs === null ? null : at(job.endMs),
    kind: job.kind,
    tasks: job.tasks,
    failed_tasks: job.failedTasks,
  }
}

/** Records between the end of the batch before and its own end; absent where either is not known or the position went back. */
function rowsByBatch(batches: readonly SeenBatch[]): Map<number, number> {
  const rows = new Map<number, number>()
  for (let i = 1; i < batches.length; i++) {
    const [before, batch] = [batches[i - 1], batches[i]]
    if (before === undefined || batch === undefined || before.id !== batch.id - 1) continue
    const taken = recordsBetween(before.toOffset, batch.toOffset)
    if (taken !== null) rows.set(batch.id, taken)
  }
  return rows
}

function recordsBetween(from: OffsetsByTopic | undefined, to: OffsetsByTopic | undefined): number | null {
  if (from === undefined || to === undefined) return null
  let sum = 0
  for (const [topic, ends] of Object.entries(to)) {
    const starts = from[topic]
    // A topic that was not read before may begin anywhere; a partition added to a known topic begins at 0.
    if (starts === undefined) return null
    for (const [partition, end] of Object.entries(ends)) {
      const taken = end - (starts[partition] ?? 0)
      if (taken < 0) return null
      sum += taken
    }
  }
  return sum
}

function inUi(batch: SeenBatch): boolean {
  return batch.sqlStartMs !== undefined || batch.jobs.length > 0
}

function executedMs(batch: SeenBatch): number | undefined {
  return batch.sqlStartMs ?? batch.jobs[0]?.startMs
}

function firstSignMs(batch: SeenBatch): number | null {
  return batch.triggerStartMs ?? batch.plannedAtMs ?? batch.offsetsWrittenMs ?? executedMs(batch) ?? null
}

/** Planned by a run that died in it, and executed by the next from the same offsets file. */
function isReplayed(before: SeenBatch | undefined, batch: SeenBatch): boolean {
  if (batch.ranTwice) return true
  const executed = executedMs(batch)
  if (executed === undefined || batch.run === undefined || before === undefined || before.run === batch.run) return false
  const written = batch.offsetsWrittenMs ?? batch.plannedAtMs
  return written !== undefined && executed - written > REPLAY_MS
}
