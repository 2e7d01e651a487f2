/**
 * The phases of a batch by subtraction, with nothing switched on in Spark (rig-spark.md §3): each step leaves an instant behind
 * (plan, offsets file, root execution's start and end, commit file), and a phase is the time between two of them. The phases of a
 * finished batch add up to triggerExecution exactly; what cannot be told apart is one term, `driver`, never zero.
 */
import type { Phases } from '../incident/evidence.ts'
import type { SeenBatch } from './sightings.ts'

export interface BatchPhases {
  /** Epoch ms. */
  readonly startMs: number
  readonly endMs: number | null
  readonly durations: Phases
  readonly missing: readonly string[]
  readonly merged: Readonly<Record<string, readonly string[]>>
  readonly endBounds?: readonly [number, number]
  /** Of a batch in flight: what it is in, and since when. */
  readonly phase?: string
  readonly phaseSinceMs?: number
}

export interface Surroundings {
  /** Trigger start, where it could be told. */
  readonly startMs: number | null
  /** A later batch was begun, so this one has ended, whatever its files say. */
  readonly nextSignMs: number | null
  /** The execution of this batch would have been seen in the UI if it had begun. */
  readonly uiLooked: boolean
  /** It was planned before a restart and run again after it: its offsets file tells nothing of this run. */
  readonly replayed: boolean
  readonly askedAtMs: number
}

/** Instants that must be in order may be a kernel tick or two off. */
const ROUNDING_MS = 50
const AFTER_OFFSETS = ['getBatch', 'queryPlanning', 'addBatch', 'commitOffsets']

/** null = nothing that could be placed in time was seen of this batch. */
export function phasesOf(batch: SeenBatch, around: Surroundings): BatchPhases | null {
  const told = fromEventLog(batch)
  if (told !== null) return told
  const marks = marksOf(batch, around)
  if (marks === null) return null
  const committed = typeof batch.committedMs === 'number' ? Math.max(batch.committedMs, marks.startMs) : null
  if (committed !== null) return finished(batch, marks, committed)
  if (around.nextSignMs === null && stillOpen(batch)) return inFlight(marks, around)
  return endedUnseen(marks, around)
}

/** The event log knows better than any subtraction. What its parts leave of the whole is the driver's. */
function fromEventLog(batch: SeenBatch): BatchPhases | null {
  const { phasesMs, triggerStartMs } = batch
  const whole = phasesMs?.triggerExecution
  if (phasesMs === undefined || triggerStartMs === undefined || whole === undefined) return null
  const parts = Object.entries(phasesMs).reduce((sum, [name, ms]) => (name === 'triggerExecution' ? sum : sum + ms), 0)
  return {
    startMs: triggerStartMs,
    endMs: triggerStartMs + whole,
    durations: parts < whole ? { ...phasesMs, driver: whole - parts } : phasesMs,
    missing: [],
    merged: {},
  }
}

interface Execution {
  readonly startMs: number
  /** null = not known to have ended. */
  readonly endMs: number | null
}

interface Marks {
  readonly startMs: number
  readonly startKnown: boolean
  readonly plannedMs: number | null
  readonly writtenMs: number | null
  readonly execution: Execution | null
  /** Span of the jobs, where the execution itself was not seen. */
  readonly jobs: Execution | null
}

function marksOf(batch: SeenBatch, around: Surroundings): Marks | null {
  const execution = executionOf(batch)
  const jobs = execution === null ? spanOf(batch) : null
  const planned = around.replayed ? null : (batch.plannedAtMs ?? null)
  const offsetsWritten = around.replayed ? null : (batch.offsetsWrittenMs ?? null)
  const first = planned ?? offsetsWritten ?? execution?.startMs ?? jobs?.startMs ?? null
  const known = around.startMs !== null && !around.replayed && planned !== null
  const startMs = known ? Math.min(around.startMs as number, planned) : first
  if (startMs === null) return null
  const written = offsetsWritten === null ? null : Math.max(offsetsWritten, planned ?? startMs)
  return { startMs, startKnown: known, plannedMs: planned, writtenMs: written, execution, jobs }
}

function executionOf(batch: SeenBatch): Execution | null {
  const { sqlStartMs, sqlDurationMs, sqlRunning } = batch
  if (sqlStartMs === undefined) return null
  return { startMs: sqlStartMs, endMs: sqlRunning === true || sqlDurationMs === undefined ? null : sqlStartMs + sqlDurationMs }
}

function spanOf(batch: SeenBatch): Execution | null {
  const [first] = batch.jobs
  if (first === undefined) return null
  const ends = batch.jobs.map((job) => job.endMs)
  return { startMs: first.startMs, endMs: ends.includes(null) ? null : Math.max(first.startMs, ...ends.map((end) => end ?? 0)) }
}

/** Collects phases as steps along the time axis, so that they add up by construction. */
function ladder(marks: Marks) {
  const durations: Record<string, number> = {}
  const missing: string[] = []
  const merged: Record<string, readonly string[]> = {}
  let at = marks.startMs
  const step = (name: string, to: number, also: readonly string[] = []) => {
    const end = Math.max(at, to)
    durations[name] = end - at
    if (also.length > 0) merged[name] = also
    at = end
  }
  if (marks.plannedMs === null) missing.push('latestOffset')
  else if (marks.startKnown) step('latestOffset', marks.plannedMs)
  else missing.push('latestOffset')
  if (marks.writtenMs !== null) step('walCommit', marks.writtenMs)
  const planning = (to: number) => {
    if (marks.writtenMs !== null) step('queryPlanning', to, ['getBatch'])
    else if (marks.plannedMs !== null) step('queryPlanning', to, ['walCommit', 'getBatch'])
    else missing.push('walCommit', 'queryPlanning')
  }
  return { durations, missing, merged, step, planning, at: () => at }
}

function finished(batch: SeenBatch, marks: Marks, committed: number): BatchPhases {
  const { durations, missing, merged, step, planning, at } = ladder(marks)
  const { execution } = marks
  const end = Math.max(committed, at())
  const fits = (part: Execution) => part.startMs >= at() - ROUNDING_MS && (part.endMs ?? part.startMs) <= end + ROUNDING_MS
  if (execution !== null && fits(execution)) {
    planning(Math.min(execution.startMs, end))
    if (execution.endMs === null) step('addBatch', end, ['commitOffsets'])
    else {
      step('addBatch', Math.min(execution.endMs, end))
      step('commitOffsets', end)
    }
  } else {
    rest(batch, marks, end, { durations, merged, missing, at: at(), fits, walMerged: marks.writtenMs === null && marks.plannedMs !== null })
  }
  return { startMs: marks.startMs, endMs: end, durations: { triggerExecution: end - marks.startMs, ...durations }, missing, merged }
}

/**
 * From the offsets file to the commit file without a root execution that fits between: how long addBatch took is known from the
 * execution's own duration (its clock may be another), or at least the span of its jobs; what is left is the driver's.
 */
function rest(
  batch: SeenBatch,
  marks: Marks,
  end: number,
  into: {
    durations: Record<string, number>
    merged: Record<string, readonly string[]>
    missing: string[]
    at: number
    fits: (part: Execution) => boolean
    walMerged: boolean
  },
): void {
  const whole = end - into.at
  const wal = into.walMerged ? ['walCommit'] : []
  const { sqlDurationMs, sqlRunning } = batch
  const { jobs } = marks
  if (marks.execution !== null && sqlRunning !== true && sqlDurationMs !== undefined && sqlDurationMs <= whole) {
    into.durations.addBatch = sqlDurationMs
    into.durations.driver = whole - sqlDurationMs
    into.merged.driver = [...wal, 'getBatch', 'queryPlanning', 'commitOffsets']
  } else if (jobs !== null && jobs.endMs !== null && into.fits(jobs) && jobs.endMs - jobs.startMs <= whole) {
    into.durations.addBatch = jobs.endMs - jobs.startMs
    into.durations.driver = whole - (jobs.endMs - jobs.startMs)
    into.merged.driver = [...wal, 'getBatch', 'queryPlanning', 'addBatch', 'commitOffsets']
  } else {
    into.durations.driver = whole
    into.merged.driver = [...wal, ...AFTER_OFFSETS]
  }
}

function stillOpen(batch: SeenBatch): boolean {
  return batch.committedMs === null || batch.sqlRunning === true || batch.jobs.some((job) => job.endMs === null)
}

/** Only what has ended is a phase; the one it is in stands beside it. */
function inFlight(marks: Marks, around: Surroundings): BatchPhases {
  const { durations, missing, merged, step, planning, at } = ladder(marks)
  const { execution, jobs } = marks
  let phase: string | undefined
  let since = at()
  if (execution !== null) {
    planning(execution.startMs)
    phase = 'addBatch'
    since = execution.startMs
    if (execution.endMs !== null) {
      step('addBatch', execution.endMs)
      phase = 'commitOffsets'
      since = at()
    }
  } else if (jobs !== null) {
    phase = 'addBatch'
    since = jobs.startMs
  } else if (around.uiLooked) {
    phase = 'queryPlanning'
  }
  return {
    startMs: marks.startMs,
    endMs: null,
    durations,
    missing,
    merged,
    ...(phase === undefined ? {} : { phase, phaseSinceMs: since }),
  }
}

/** It is over, but no commit file says when: seen in the UI only, or its commit file is gone. */
function endedUnseen(marks: Marks, around: Surroundings): BatchPhases {
  const { durations, missing, merged, step, planning, at } = ladder(marks)
  const { execution, jobs } = marks
  const latest = Math.max(at(), around.nextSignMs ?? around.askedAtMs)
  let end = latest
  if (execution !== null) {
    planning(Math.min(execution.startMs, latest))
    if (execution.endMs !== null) {
      step('addBatch', Math.min(execution.endMs, latest))
      end = at()
    } else missing.push('addBatch')
  } else if (jobs !== null) {
    if (jobs.endMs !== null) {
      durations.addBatch = Math.max(0, jobs.endMs - jobs.startMs)
      end = Math.min(Math.max(at(), jobs.endMs), latest)
    }
    missing.push('queryPlanning')
  } else missing.push('queryPlanning', 'addBatch')
  missing.push('commitOffsets', 'triggerExecution')
  if (marks.writtenMs === null && !missing.includes('walCommit') && merged.queryPlanning === undefined) missing.push('walCommit')
  return {
    startMs: marks.startMs,
    endMs: end,
    durations,
    missing: [...new Set(missing)],
    merged,
    ...(end < latest ? { endBounds: [end, latest] as const } : {}),
  }
}
