/**
 * `/stages/<id>/<attempt>/taskList` and `/taskSummary`: single tasks.
 *
 * The index of a task is NOT the Kafka partition (rig-spark.md T3): `partition` stays absent, rows let it be matched later.
 * Of a running task only its age (now − launchTime) is live; rows come with heartbeats (10 s), run and CPU time at its end.
 */
import type { RunningTask, SlowTask, Stage, StageByExecutor } from '../incident/evidence.ts'
import { countAt, entries, fieldsAt, instantAt, isFields, nsToMs, numberAt, numbersAt, textAt } from './spark-fields.ts'

export interface SparkTask {
  readonly id: number
  readonly executor: string
  readonly host: string | null
  readonly launchMs: number
  readonly running: boolean
  readonly succeeded: boolean
  /** Launch to finish. */
  readonly durationMs: number
  /** Rows read from Kafka, or else from the shuffle; null = nothing reported yet. */
  readonly rows: number | null
  readonly runMs: number
  readonly cpuMs: number
  readonly gcMs: number
  readonly deserializeMs: number
  readonly schedulerDelayMs: number
}

/** Null = not a list. */
export function parseTasks(body: unknown): SparkTask[] | null {
  const list = entries(body)
  if (list === null) return null
  return list.flatMap((entry) => {
    const id = numberAt(entry, 'taskId')
    const launchMs = instantAt(entry, 'launchTime')
    const executor = textAt(entry, 'executorId')
    if (id === undefined || launchMs === undefined || executor === undefined) return []
    const metrics = fieldsAt(entry, 'taskMetrics')
    const input = countAt(fieldsAt(metrics, 'inputMetrics'), 'recordsRead')
    const shuffled = countAt(fieldsAt(metrics, 'shuffleReadMetrics'), 'recordsRead')
    const running = textAt(entry, 'status') === 'RUNNING'
    const rows = input > 0 ? input : shuffled
    return [
      {
        id,
        executor,
        host: textAt(entry, 'host') ?? null,
        launchMs,
        running,
        succeeded: textAt(entry, 'status') === 'SUCCESS',
        durationMs: countAt(entry, 'duration'),
        rows: metrics === undefined || (running && rows === 0) ? null : rows,
        runMs: countAt(metrics, 'executorRunTime'),
        cpuMs: nsToMs(countAt(metrics, 'executorCpuTime')),
        gcMs: countAt(metrics, 'jvmGcTime'),
        deserializeMs: countAt(metrics, 'executorDeserializeTime'),
        schedulerDelayMs: countAt(entry, 'schedulerDelay'),
      },
    ]
  })
}

/** Quartiles over all finished tasks, as `/taskSummary?quantiles=0,0.5,0.75,1` gives them. */
export interface TaskQuantiles {
  readonly task_ms?: Stage['task_ms']
  readonly task_rows?: Stage['task_rows']
}

export const QUANTILES = '0,0.5,0.75,1'

/** Null = not a summary. */
export function parseTaskSummary(body: unknown): TaskQuantiles | null {
  if (!isFields(body)) return null
  const task_ms = named(numbersAt(body, 'duration'))
  const input = numbersAt(fieldsAt(body, 'inputMetrics'), 'recordsRead')
  const shuffled = numbersAt(fieldsAt(body, 'shuffleReadMetrics'), 'readRecords')
  const task_rows = named((input.at(-1) ?? 0) > 0 ? input : shuffled)
  if (task_ms === null) return null
  return { task_ms, ...(task_rows === null ? {} : { task_rows }) }
}

function named(values: readonly number[]): NonNullable<Stage['task_ms']> | null {
  const [min, median, p75, max] = values
  return min === undefined || median === undefined || p75 === undefined || max === undefined ? null : { min, median, p75, max }
}

/** Spark's own rule, so that a quantile of ours equals one of its page: the value at ⌊q·n⌋. */
function quantilesOf(values: readonly number[]): NonNullable<Stage['task_ms']> | null {
  const sorted = values.toSorted((a, b) => a - b)
  return named([0, 0.5, 0.75, 1].flatMap((q) => sorted[Math.min(Math.floor(q * sorted.length), sorted.length - 1)] ?? []))
}

export interface TaskDetail {
  readonly tasks: readonly SparkTask[]
  /** Whether `tasks` are all finished tasks of the stage. */
  readonly whole: boolean
  /** From the summary where not all tasks were read. */
  readonly quantiles: TaskQuantiles | null
  /** The driver's clock at the time of reading, epoch ms. */
  readonly nowMs: number
  /** Our clock at the time of reading, epoch ms. */
  readonly seenMs: number
  /** The same stage at an earlier look. */
  readonly before: TaskDetail | null
}

const SLOWEST = 5

const tenth = (ms: number): number => Math.round(ms * 10) / 10

/** What single tasks add to a stage's totals. */
export function taskFields(detail: TaskDetail): Partial<Stage> {
  const finished = detail.tasks.filter((task) => task.succeeded)
  const running = detail.tasks.filter((task) => task.running)
  const rows = finished.flatMap((task) => task.rows ?? [])
  const task_ms = detail.quantiles?.task_ms ?? quantilesOf(finished.map((task) => task.durationMs))
  const task_rows = detail.quantiles?.task_rows ?? (detail.whole ? quantilesOf(rows) : null)
  return {
    ...(task_ms === null ? {} : { task_ms }),
    ...(task_rows === null ? {} : { task_rows }),
    ...(finished.length === 0
      ? {}
      : {
          slowest: finished
            .toSorted((a, b) => b.durationMs - a.durationMs || a.id - b.id)
            .slice(0, SLOWEST)
            .map(slowTask),
          by_executor: byExecutor(finished),
          task_sample: finished.map((task) => [task.rows ?? 0, task.runMs, tenth(task.cpuMs)] as const),
          // Rows and times of the same tasks: the stage's own totals mix finished and running ones while it runs.
          ...(detail.whole ? { scheduler_delay_ms: sum(finished, (task) => task.schedulerDelayMs) } : {}),
          ...(detail.whole && running.length > 0
            ? {
                rows: sum(finished, (task) => task.rows ?? 0),
                run_ms: sum(finished, (task) => task.runMs),
                cpu_ms: tenth(sum(finished, (task) => task.cpuMs)),
                gc_ms: sum(finished, (task) => task.gcMs),
              }
            : {}),
        }),
    ...(running.length === 0 ? {} : { running_tasks: running.map((task) => runningTask(task, detail)) }),
  }
}

function slowTask(task: SparkTask): SlowTask {
  return { executor: task.executor, ...(task.host === null ? {} : { host: task.host }), ms: task.durationMs, rows: task.rows }
}

/** `reads` hold [epoch s, recordsRead] of each look; 0 = no heartbeat so far. */
function runningTask(task: SparkTask, detail: TaskDetail): RunningTask {
  const earlier = detail.before?.tasks.find((other) => other.id === task.id && other.running)
  return {
    executor: task.executor,
    ...(task.host === null ? {} : { host: task.host }),
    ms: Math.max(0, Math.round(detail.nowMs - task.launchMs)),
    rows: task.rows,
    reads: [
      ...(earlier === undefined || detail.before === null ? [] : [[detail.before.seenMs / 1000, earlier.rows ?? 0] as const]),
      [detail.seenMs / 1000, task.rows ?? 0],
    ],
  }
}

function byExecutor(tasks: readonly SparkTask[]): StageByExecutor[] {
  const groups = Map.groupBy(tasks, (task) => task.executor)
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([executor, group]) => ({
      executor,
      ...(group[0]?.host == null ? {} : { host: group[0].host }),
      tasks: group.length,
      rows: sum(group, (task) => task.rows ?? 0),
      run_ms: sum(group, (task) => task.runMs),
      cpu_ms: tenth(sum(group, (task) => task.cpuMs)),
      gc_ms: sum(group, (task) => task.gcMs),
      deserialize_ms: sum(group, (task) => task.deserializeMs),
      scheduler_delay_ms: sum(group, (task) => task.schedulerDelayMs),
    }))
}

function sum<T>(list: readonly T[], of: (entry: T) => number): number {
  return list.reduce((total, entry) => total + of(entry), 0)
}
