/** Jobs, SQL executions and stages put together to micro-batches, and these told as sightings. */
import type { Stage } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import type { BatchLabel } from './spark-descriptions.ts'
import type { SqlExecution } from './spark-executions.ts'
import { batchKey } from './spark-executions.ts'
import type { SparkJob } from './spark-jobs.ts'
import type { SparkStage } from './spark-stages.ts'
import { readsKafka, stageTotals } from './spark-stages.ts'
import type { TaskDetail } from './spark-tasks.ts'
import { taskFields } from './spark-tasks.ts'

export interface SparkBatch {
  readonly id: number
  readonly run: string
  readonly queryId: string
  readonly startMs: number
  readonly root: SqlExecution | null
  readonly jobs: readonly SparkJob[]
  /** The batch's own stages; those of Delta's snapshot jobs are left out: their rows are lines of the Delta log. */
  readonly stages: readonly SparkStage[]
}

/** Batches of one query, oldest first. Sources that failed come as empty lists. */
export function assembleBatches(
  queryId: string,
  jobs: readonly SparkJob[],
  roots: ReadonlyMap<string, SqlExecution>,
  stages: readonly SparkStage[],
): SparkBatch[] {
  const drafts = new Map<string, { label: BatchLabel & { batch: number }; jobs: SparkJob[]; stages: SparkStage[] }>()
  const draftOf = (label: BatchLabel | null) => {
    if (label === null || label.batch === null || label.queryId !== queryId) return null
    const key = batchKey(label.run, label.batch)
    const draft = drafts.get(key) ?? { label: { ...label, batch: label.batch }, jobs: [], stages: [] }
    drafts.set(key, draft)
    return draft
  }
  for (const root of roots.values()) draftOf(root.label)
  const jobOfStage = new Map<number, SparkJob>()
  for (const job of jobs.toSorted((a, b) => a.id - b.id)) {
    draftOf(job.label ?? strayLabel(job, roots))?.jobs.push(job)
    for (const id of job.stageIds) if (!jobOfStage.has(id)) jobOfStage.set(id, job)
  }
  for (const stage of stages.toSorted((a, b) => a.id - b.id)) {
    const job = jobOfStage.get(stage.id)
    const label = stage.label ?? job?.label ?? (job === undefined ? null : strayLabel(job, roots))
    if (label?.about == null) draftOf(label)?.stages.push(stage)
  }
  const batches = [...drafts].flatMap(([key, draft]): SparkBatch[] => {
    const root = roots.get(key) ?? null
    const starts = [root?.startMs, ...draft.jobs.map((job) => job.startMs), ...draft.stages.map((stage) => stage.submittedMs)]
    const startMs = Math.min(...starts.filter((ms): ms is number => ms != null))
    if (!Number.isFinite(startMs)) return []
    return [{ id: draft.label.batch, run: draft.label.run, queryId, startMs, root, jobs: draft.jobs, stages: draft.stages }]
  })
  return batches.toSorted((a, b) => a.startMs - b.startMs || a.id - b.id)
}

/** User code in foreachBatch may overwrite the description: then the root execution or, in its time, the job group tells the batch. */
function strayLabel(job: SparkJob, roots: ReadonlyMap<string, SqlExecution>): BatchLabel | null {
  for (const root of roots.values()) {
    if (job.root !== null ? job.root === root.id : job.group === root.label?.run && covers(root, job.startMs)) return root.label
  }
  return null
}

const covers = (root: SqlExecution, ms: number): boolean => ms >= root.startMs && (root.running || ms <= root.startMs + root.durationMs)

/** The stage that read most rows from Kafka; null = none is known to have read any. */
export function sourceStage(batch: SparkBatch): SparkStage | null {
  return batch.stages.filter(readsKafka).toSorted((a, b) => b.inputRows - a.inputRows)[0] ?? null
}

export function isOpen(batch: SparkBatch): boolean {
  return batch.root?.running === true || batch.jobs.some((job) => job.running) || batch.stages.some((stage) => stage.running)
}

/**
 * Rows read from Kafka. Two sources joined are stages of one job and add up; a foreachBatch that reads its batch twice does so in
 * two jobs, and the rows count once. Absent while such a stage runs, or where the stages are no longer listed.
 */
function rowsOf(batch: SparkBatch): number | null {
  const sources = batch.stages.filter(readsKafka)
  if (sources.length === 0 || sources.some((stage) => stage.completedMs === null)) return null
  const byJob = Map.groupBy(sources, (stage) => batch.jobs.find((job) => job.stageIds.includes(stage.id))?.id ?? -1)
  return Math.max(...[...byJob.values()].map((stages) => stages.reduce((total, stage) => total + stage.inputRows, 0)))
}

/** How many tasks the query's source stage usually has: names a running one that has not reported a row yet. */
export function usualSourceTasks(batches: readonly SparkBatch[]): number | null {
  return batches.map(sourceStage).findLast((stage) => stage !== null)?.tasks ?? null
}

/** `details` by stage id; `seenMs` = our clock when the lists were read, epoch ms. */
export function toSighting(
  batch: SparkBatch,
  details: ReadonlyMap<number, TaskDetail>,
  sourceTasks: number | null,
  seenMs: number,
): BatchSighting {
  const rows = rowsOf(batch)
  return {
    id: batch.id,
    query: batch.queryId,
    run: batch.run,
    ...(batch.root === null
      ? {}
      : { sqlStartMs: batch.root.startMs, sqlDurationMs: batch.root.durationMs, sqlRunning: batch.root.running }),
    jobs: batch.jobs.map((job) => ({
      startMs: job.startMs,
      endMs: job.endMs,
      kind: job.label?.about == null ? 'query' : 'delta-snapshot',
      tasks: job.tasks,
      failedTasks: job.failedTasks,
    })),
    stages: batch.stages.map((stage): Stage => {
      const isSource =
        readsKafka(stage) || (stage.running && stage.tasks === sourceTasks && stage.shuffleRows === 0 && stage.inputBytes === 0)
      const detail = details.get(stage.id)
      return {
        ...stageTotals(stage, isSource ? 'source' : undefined, detail?.seenMs ?? seenMs),
        ...(detail === undefined ? {} : taskFields(detail)),
      }
    }),
    ...(rows === null ? {} : { rows }),
  }
}
