/** `/stages?details=false`: sums over the tasks of each stage (about 1,000 stages kept, newest first). */
import type { Stage } from '../incident/evidence.ts'
import type { BatchLabel } from './spark-descriptions.ts'
import { parseDescription } from './spark-descriptions.ts'
import { countAt, entries, instantAt, nsToMs, numberAt, textAt } from './spark-fields.ts'

export interface SparkStage {
  readonly id: number
  readonly attempt: number
  readonly label: BatchLabel | null
  readonly status: string
  readonly running: boolean
  readonly submittedMs: number | null
  readonly completedMs: number | null
  readonly tasks: number
  readonly doneTasks: number
  readonly failedTasks: number
  readonly runMs: number
  readonly cpuMs: number
  readonly gcMs: number
  readonly deserializeMs: number
  readonly fetchWaitMs: number
  readonly inputBytes: number
  readonly inputRows: number
  readonly outputRows: number
  readonly shuffleRows: number
  /** First line only. */
  readonly failure: string | null
}

/** Null = not a list. Stages that never ran (skipped, pending) are dropped; of several attempts only the last is kept, with all failures. */
export function parseStages(body: unknown): SparkStage[] | null {
  const list = entries(body)
  if (list === null) return null
  const lastAttempt = new Map<number, SparkStage>()
  for (const entry of list) {
    const id = numberAt(entry, 'stageId')
    const status = textAt(entry, 'status')
    if (id === undefined || status === undefined || status === 'SKIPPED' || status === 'PENDING') continue
    const attempt = countAt(entry, 'attemptId')
    const stage: SparkStage = {
      id,
      attempt,
      label: parseDescription(textAt(entry, 'description')),
      status,
      running: status === 'ACTIVE',
      submittedMs: instantAt(entry, 'submissionTime') ?? null,
      completedMs: instantAt(entry, 'completionTime') ?? null,
      tasks: countAt(entry, 'numTasks'),
      doneTasks: countAt(entry, 'numCompleteTasks'),
      failedTasks: countAt(entry, 'numFailedTasks'),
      runMs: countAt(entry, 'executorRunTime'),
      cpuMs: nsToMs(countAt(entry, 'executorCpuTime')),
      gcMs: countAt(entry, 'jvmGcTime'),
      deserializeMs: countAt(entry, 'executorDeserializeTime'),
      fetchWaitMs: countAt(entry, 'shuffleFetchWaitTime'),
      inputBytes: countAt(entry, 'inputBytes'),
      inputRows: countAt(entry, 'inputRecords'),
      outputRows: countAt(entry, 'outputRecords'),
      shuffleRows: countAt(entry, 'shuffleReadRecords'),
      failure: textAt(entry, 'failureReason')?.split('\n')[0]?.slice(0, 200) ?? null,
    }
    const other = lastAttempt.get(id)
    const failedTasks = stage.failedTasks + (other?.failedTasks ?? 0)
    lastAttempt.set(id, { ...(other !== undefined && other.attempt > attempt ? other : stage), failedTasks })
  }
  return [...lastAttempt.values()]
}

/** Kafka rows come without bytes (Spark counts none for them); files and caches have bytes. */
export function readsKafka(stage: SparkStage): boolean {
  return stage.inputBytes === 0 && stage.inputRows > 0
}

/**
 * The stage in the words of the evidence. `seenMs` = when it was read, epoch ms; times in it are epoch seconds. While it runs its rows
 * are left out: they count what running tasks have read, and its run and CPU time do not.
 */
export function stageTotals(stage: SparkStage, name: string | undefined, seenMs: number): Stage {
  const rows = readsKafka(stage) ? stage.inputRows : stage.shuffleRows
  return {
    id: stage.id,
    ...(name === undefined ? {} : { name }),
    tasks: stage.tasks,
    run_ms: stage.runMs,
    cpu_ms: Math.round(stage.cpuMs * 10) / 10,
    gc_ms: stage.gcMs,
    shuffle_wait_ms: stage.fetchWaitMs,
    failed_tasks: stage.failedTasks,
    ...(rows > 0 && !stage.running ? { rows } : {}),
    ...(stage.submittedMs !== null && stage.completedMs !== null ? { wall_ms: stage.completedMs - stage.submittedMs } : {}),
    ...(stage.running ? { running: true, tasks_done: stage.doneTasks, tasks_failed: stage.failedTasks, seen_at: seenMs / 1000 } : {}),
  }
}
