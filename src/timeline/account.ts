/**
 * Where the seconds of a batch went, and where the extra seconds of an ill batch came from: sums that close.
 *
 * A batch is phases of the driver (latestOffset, planning, walCommit, commitOffsets) and addBatch; addBatch is its jobs, the commit
 * of the table after the last write job, and what is left (driver time). The jobs' time is exactly
 *     rows x cost per row / slots x unevenness      (unevenness = jobs' time x slots / run time of all tasks)
 * so its change from a usual batch splits without remainder over the four factors by the logarithmic mean (LMDI I, Ang 2004):
 *     share of x = (J1 - J0) / ln(J1 / J0) x ln(x1 / x0).
 */
import type { Batch } from '../incident/evidence.ts'
import { heldAt } from './line.ts'
import { median } from './robust.ts'
import type { TimedBatch, Timeline } from './timeline.ts'

export interface Account {
  readonly id: number
  readonly seconds: number
  readonly rows: number | null
  /** Seconds; null = not seen. */
  readonly latestOffset: number | null
  readonly planning: number | null
  readonly walCommit: number | null
  readonly commitOffsets: number | null
  readonly addBatch: number | null
  /** Time in which at least one job ran; what lies between jobs is the driver's (it reads the table's log there). */
  readonly jobs: number | null
  /** addBatch after the last write job, up to Delta's next job if there is one: the table's commit. For an open batch: so far. */
  readonly sinkCommit: number | null
  /** Sum of the run time of all tasks, seconds. */
  readonly run: number | null
  readonly cpu: number | null
  readonly slots: number | null
  /** Seconds after its commit in which the table's log was gathered and a checkpoint of it written; 0 = this batch had none. */
  readonly upkeep: number
}

/** Terms of the extra time, seconds. They add up to the extra time of the batch. */
export interface Excess {
  readonly volume: number
  readonly cost: number
  readonly slots: number
  readonly unevenness: number
  /** Jobs' time that could not be split (no task totals). */
  readonly work: number
  readonly sinkCommit: number
  readonly checkpoint: number
  readonly planning: number
  readonly latestOffset: number
  /** What is left: driver time that no source tells apart. */
  readonly driver: number
}

export type ExcessTerm = keyof Excess

/** File times and the driver's clock are those of two machines, s. */
const FILE_TIME_SLACK = 0.5

const seconds = (ms: number | undefined) => (ms === undefined ? null : ms / 1000)

/** Phases that were read merged are booked on the first name. */
function phase(batch: Batch, ...names: string[]): number | null {
  let total: number | null = null
  for (const name of names) {
    const value = seconds(batch.duration_ms?.[name])
    if (value !== null) total = (total ?? 0) + value
  }
  return total
}

export function accountOf(batch: TimedBatch, timeline: Timeline): Account {
  const jobs = batch.jobs ?? []
  const writes = jobs.filter((j) => j.kind !== 'delta-snapshot')
  const seenUntil = batch.open ? batch.start + batch.seconds : (batch.end as number)
  const running = writes.some((j) => j.end === null)
  // Where the commit's own time is known, jobs after it are not the batch's: every tenth version Delta writes a checkpoint of its log.
  const committed = commitTime(batch, timeline)
  const before = committed === null ? writes : writes.filter((j) => j.end !== null && j.end <= committed + FILE_TIME_SLACK)
  const own = before.length > 0 ? before : writes
  const lastWrite = own.length > 0 ? Math.max(...own.map((j) => j.end ?? seenUntil)) : null
  const stages = batch.stages ?? []
  const run = total(stages.map((s) => s.run_ms))
  const cpu = total(stages.map((s) => s.cpu_ms))
  const wall = total(stages.map((s) => s.wall_ms))
  const addBatch = phase(batch, 'addBatch')
  const jobsSeconds =
    lastWrite !== null
      ? covered(jobs.map((j) => [j.start, j.end ?? seenUntil] as const))
      : wall !== null
        ? wall / 1000
        : (addBatch ?? phase(batch, 'processing'))
  const commitOffsets = phase(batch, 'commitOffsets')
  const addBatchEnd = batch.open ? seenUntil : (batch.end as number) - (commitOffsets ?? 0)
  // Jobs after the write are Delta's own, once the commit is made: every tenth version it gathers its log into a checkpoint.
  const gathering = lastWrite === null ? [] : jobs.filter((j) => j.start > lastWrite).map((j) => j.start)
  const commitEnd = Math.min(addBatchEnd, ...gathering)
  return {
    id: batch.id,
    seconds: batch.seconds,
    rows: batch.rows ?? null,
    latestOffset: phase(batch, 'latestOffset'),
    planning: phase(batch, 'queryPlanning', 'getBatch'),
    walCommit: phase(batch, 'walCommit'),
    commitOffsets,
    addBatch,
    jobs: jobsSeconds,
    // A batch in flight whose write job has ended is committing; while it runs the commit has not begun.
    // Where jobs are not listed, what addBatch took beyond its stages bounds the commit from above.
    sinkCommit: running
      ? null
      : lastWrite !== null
        ? Math.max(0, commitEnd - lastWrite)
        : addBatch !== null && wall !== null && jobsSeconds !== null && !batch.open
          ? Math.max(0, addBatch - jobsSeconds)
          : null,
    run: run === null ? null : run / 1000,
    cpu: cpu === null ? null : cpu / 1000,
    upkeep: gathering.length > 0 ? Math.max(0, addBatchEnd - commitEnd) : 0,
    slots: heldAt(timeline.slots, seenUntil) ?? timeline.pipeline.reader.slots ?? null,
  }
}

/** When the table's commit of this batch was written; null = not seen. */
function commitTime(batch: TimedBatch, timeline: Timeline): number | null {
  const version = batch.commit_version
  if (typeof version !== 'number') return null
  const at = timeline.commits.find((c) => c.version === version && c.kind === 'data')?.at
  return at !== undefined && at > batch.start && at <= (batch.end ?? timeline.now) ? at : null
}

/** Length of the union of intervals. */
function covered(intervals: readonly (readonly [number, number])[]): number {
  let length = 0
  let until = Number.NEGATIVE_INFINITY
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    if (to > until) length += to - Math.max(from, until)
    until = Math.max(until, to)
  }
  return length
}

function total(values: readonly (number | undefined)[]): number | null {
  const seen = values.filter((v) => v !== undefined)
  return seen.length === 0 ? null : seen.reduce((a, b) => a + b, 0)
}

/** The usual batch: the median of every part. null where fewer than 3 batches showed the part. */
export function usualAccount(accounts: readonly Account[]): Account | null {
  if (accounts.length === 0) return null
  const of = (read: (a: Account) => number | null) => {
    const seen = accounts.map(read).filter((v) => v !== null)
    return seen.length < Math.min(3, accounts.length) ? null : median(seen)
  }
  return {
    id: -1,
    seconds: median(accounts.map((a) => a.seconds)),
    rows: of((a) => a.rows),
    latestOffset: of((a) => a.latestOffset),
    planning: of((a) => a.planning),
    walCommit: of((a) => a.walCommit),
    commitOffsets: of((a) => a.commitOffsets),
    addBatch: of((a) => a.addBatch),
    jobs: of((a) => a.jobs),
    sinkCommit: of((a) => a.sinkCommit),
    run: of((a) => a.run),
    cpu: of((a) => a.cpu),
    slots: of((a) => a.slots),
    // One batch in ten has it: the usual of those that do.
    upkeep: median(accounts.map((a) => a.upkeep).filter((v) => v > 0)) || 0,
  }
}

/** Logarithmic mean of two positive numbers. */
function logMean(a: number, b: number): number {
  return Math.abs(a - b) < 1e-9 ? a : (a - b) / Math.log(a / b)
}

/** Splits `now.seconds - usual.seconds` exactly; what is not seen on either side ends in `driver` (or `work` for jobs). */
export function excessOf(now: Account, usual: Account): Excess {
  const delta = (read: (a: Account) => number | null) => {
    const a = read(now)
    const b = read(usual)
    return a === null || b === null ? 0 : a - b
  }
  const factors = { volume: 0, cost: 0, slots: 0, unevenness: 0, work: 0 }
  const j1 = now.jobs
  const j0 = usual.jobs
  if (j1 !== null && j0 !== null && j1 > 0 && j0 > 0) {
    const mean = logMean(j1, j0)
    const ok = (a: number | null, b: number | null): a is number => a !== null && b !== null && a > 0 && b > 0
    if (ok(now.rows, usual.rows) && ok(now.run, usual.run) && ok(now.slots, usual.slots)) {
      const costNow = now.run / now.rows
      const costUsual = (usual.run as number) / (usual.rows as number)
      factors.volume = mean * Math.log(now.rows / (usual.rows as number))
      factors.cost = mean * Math.log(costNow / costUsual)
      factors.slots = -mean * Math.log(now.slots / (usual.slots as number))
      factors.unevenness = j1 - j0 - factors.volume - factors.cost - factors.slots
    } else if (ok(now.rows, usual.rows)) {
      factors.volume = mean * Math.log(now.rows / (usual.rows as number))
      factors.work = j1 - j0 - factors.volume
    } else factors.work = j1 - j0
  }
  const sinkCommit = delta((a) => a.sinkCommit)
  const checkpoint = delta((a) => a.walCommit) + delta((a) => a.commitOffsets)
  const planning = delta((a) => a.planning)
  const latestOffset = delta((a) => a.latestOffset)
  const named =
    factors.volume + factors.cost + factors.slots + factors.unevenness + factors.work + sinkCommit + checkpoint + planning + latestOffset
  return { ...factors, sinkCommit, checkpoint, planning, latestOffset, driver: now.seconds - usual.seconds - named }
}
