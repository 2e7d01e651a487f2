/**
 * Many sightings of a batch, one batch. The checkpoint, the UI and the event log each know a part of it, and a second look knows
 * more than the first. What is kept does not depend on the order in which they came, and the same sighting twice adds nothing.
 */

import { canonical, distinct } from '../incident/canonical.ts'
import type { Stage } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import { mergeStages } from './stages.ts'

export type SeenJob = NonNullable<BatchSighting['jobs']>[number]

export interface SeenBatch extends BatchSighting {
  readonly jobs: readonly SeenJob[]
  readonly stages: readonly Stage[]
  /** Seen under more than one run: it was begun, and run again after a restart. */
  readonly ranTwice: boolean
}

/** A checkpoint that is this much older than the query in the UI is not that query's. */
const STALE_CHECKPOINT_MS = 600_000

/** Sightings joined by batch id, in order of id. Of several queries only the one that is meant (`queryOf`). */
export function joinSightings(sightings: readonly BatchSighting[]): SeenBatch[] {
  const query = queryOf(sightings)
  const byId = new Map<number, BatchSighting[]>()
  for (const sighting of distinct(sightings)) {
    if (sighting.query !== undefined && sighting.query !== query) continue
    const group = byId.get(sighting.id)
    if (group) group.push(sighting)
    else byId.set(sighting.id, [sighting])
  }
  return [...byId].sort(([a], [b]) => a - b).map(([id, group]) => joinOne(id, query, group))
}

/** The query whose checkpoint was read, unless that checkpoint is long dead and the UI shows another; without a checkpoint, the newest. */
export function queryOf(sightings: readonly BatchSighting[]): string | undefined {
  const newest = new Map<string, { atMs: number; checkpoint: boolean }>()
  for (const sighting of sightings) {
    if (sighting.query === undefined) continue
    const entry = newest.get(sighting.query) ?? { atMs: 0, checkpoint: false }
    entry.atMs = Math.max(entry.atMs, lastSignMs(sighting))
    entry.checkpoint ||= sighting.offsetsWrittenMs !== undefined || sighting.committedMs !== undefined
    newest.set(sighting.query, entry)
  }
  const latest = Math.max(...[...newest.values()].map((entry) => entry.atMs))
  const rank = (entry: { atMs: number; checkpoint: boolean }) =>
    entry.checkpoint && entry.atMs >= latest - STALE_CHECKPOINT_MS ? Number.POSITIVE_INFINITY : entry.atMs
  return [...newest].sort(([a, x], [b, y]) => {
    const [rx, ry] = [rank(x), rank(y)]
    return rx === ry ? y.atMs - x.atMs || (a < b ? -1 : 1) : ry > rx ? 1 : -1
  })[0]?.[0]
}

/** Ids of all queries that were seen, in order. */
export function queriesSeen(sightings: readonly BatchSighting[]): string[] {
  return [...new Set(sightings.flatMap((s) => (s.query === undefined ? [] : [s.query])))].sort()
}

function lastSignMs(sighting: BatchSighting): number {
  return Math.max(
    sighting.plannedAtMs ?? 0,
    sighting.offsetsWrittenMs ?? 0,
    sighting.committedMs ?? 0,
    sighting.sqlStartMs ?? 0,
    sighting.triggerStartMs ?? 0,
    ...(sighting.jobs ?? []).map((job) => job.endMs ?? job.startMs),
  )
}

function joinOne(id: number, query: string | undefined, group: readonly BatchSighting[]): SeenBatch {
  const run = lastRun(group)
  const ofRun = group.filter((s) => s.run === undefined || s.run === run)
  const planned = group.filter((s) => s.plannedAtMs !== undefined)
  const toOffset = (planned.find((s) => s.toOffset !== undefined) ?? group.find((s) => s.toOffset !== undefined))?.toOffset
  const commits = group.map((s) => s.committedMs)
  const written = commits.filter((c) => typeof c === 'number')
  const committedMs = written.length > 0 ? Math.round(Math.max(...written)) : commits.includes(null) ? null : undefined
  const progress = ofRun.filter((s) => s.phasesMs !== undefined).sort((a, b) => (b.triggerStartMs ?? 0) - (a.triggerStartMs ?? 0))[0]
  return {
    id,
    ...(query === undefined ? {} : { query }),
    ...(run === undefined ? {} : { run }),
    ...optional('plannedAtMs', largest(group, 'plannedAtMs')),
    ...optional('offsetsWrittenMs', largest(group, 'offsetsWrittenMs')),
    ...(committedMs === undefined ? {} : { committedMs }),
    ...(toOffset === undefined ? {} : { toOffset }),
    ...optional('watermarkMs', largest(group, 'watermarkMs')),
    ...rootExecution(ofRun),
    ...(progress?.phasesMs === undefined ? {} : { phasesMs: progress.phasesMs }),
    ...optional('triggerStartMs', progress?.triggerStartMs ?? largest(ofRun, 'triggerStartMs')),
    ...optional('rows', largest(ofRun, 'rows')),
    ...optional('stateRows', largest(ofRun, 'stateRows')),
    ...optional('stateBytes', largest(ofRun, 'stateBytes')),
    ...optional('lateRows', largest(ofRun, 'lateRows')),
    jobs: mergeJobs(ofRun.flatMap((s) => s.jobs ?? [])),
    stages: mergeStages(ofRun.flatMap((s) => s.stages ?? [])),
    ranTwice: new Set(group.flatMap((s) => (s.run === undefined ? [] : [s.run]))).size > 1,
  }
}

type NumberField = 'plannedAtMs' | 'offsetsWrittenMs' | 'watermarkMs' | 'triggerStartMs' | 'rows' | 'stateRows' | 'stateBytes' | 'lateRows'

function largest(group: readonly BatchSighting[], field: NumberField): number | undefined {
  const values = group.flatMap((s) => (s[field] === undefined ? [] : [Math.round(s[field])]))
  return values.length === 0 ? undefined : Math.max(...values)
}

function optional<K extends NumberField>(field: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [field]: value } as Partial<Record<K, number>>)
}

/** The run that executed the batch last. */
function lastRun(group: readonly BatchSighting[]): string | undefined {
  const firstSign = (s: BatchSighting) =>
    Math.min(s.sqlStartMs ?? Infinity, s.triggerStartMs ?? Infinity, ...(s.jobs ?? []).map((j) => j.startMs))
  let best: { run: string; at: number } | undefined
  for (const s of group) {
    if (s.run === undefined) continue
    const at = firstSign(s)
    const known = Number.isFinite(at) ? at : 0
    if (best === undefined || known > best.at || (known === best.at && s.run > best.run)) best = { run: s.run, at: known }
  }
  return best?.run
}

/** A finished execution tells more than a running one; of two running ones the later look. */
function rootExecution(group: readonly BatchSighting[]): Pick<BatchSighting, 'sqlStartMs' | 'sqlDurationMs' | 'sqlRunning'> {
  const seen = group
    .filter((s) => s.sqlStartMs !== undefined)
    .sort(
      (a, b) =>
        Number(isRunning(a)) - Number(isRunning(b)) ||
        (b.sqlDurationMs ?? 0) - (a.sqlDurationMs ?? 0) ||
        (a.sqlStartMs ?? 0) - (b.sqlStartMs ?? 0),
    )
  const [best] = seen
  if (best?.sqlStartMs === undefined) return {}
  return {
    sqlStartMs: Math.round(best.sqlStartMs),
    ...(best.sqlDurationMs === undefined ? {} : { sqlDurationMs: Math.round(best.sqlDurationMs) }),
    sqlRunning: isRunning(best),
  }
}

function isRunning(sighting: BatchSighting): boolean {
  return sighting.sqlRunning ?? sighting.sqlDurationMs === undefined
}

function mergeJobs(jobs: readonly SeenJob[]): SeenJob[] {
  const byStart = new Map<string, SeenJob>()
  for (const job of jobs) {
    const key = `${job.startMs}/${job.kind}/${job.tasks}`
    const known = byStart.get(key)
    if (known === undefined) byStart.set(key, job)
    else {
      const ends = [known.endMs, job.endMs].filter((end) => end !== null)
      byStart.set(key, {
        ...job,
        endMs: ends.length === 0 ? null : Math.max(...ends),
        failedTasks: Math.max(known.failedTasks, job.failedTasks),
      })
    }
  }
  return [...byStart.values()].sort((a, b) => a.startMs - b.startMs || (canonical(a) < canonical(b) ? -1 : 1))
}
