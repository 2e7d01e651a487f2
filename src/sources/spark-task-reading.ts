/** Fetches the tasks of chosen stages: one request for a small stage, three for a large one. */
import type { Gap, Series } from '../incident/evidence.ts'
import type { Driver } from './spark-rest.ts'
import { gap, SMALL_LIMITS } from './spark-rest.ts'
import type { SparkStage } from './spark-stages.ts'
import type { SparkTask, TaskDetail } from './spark-tasks.ts'
import { parseTaskSummary, parseTasks, QUANTILES } from './spark-tasks.ts'

/** Tasks of one answer (1.9 KB each, 0.1 KB compressed). Up to here a stage is read whole. */
const WHOLE = 64
const SLOWEST = 16

export interface TaskReading {
  readonly details: ReadonlyMap<number, TaskDetail>
  readonly gaps: readonly Gap[]
}

/**
 * `driverAhead` = driver's clock minus ours, ms. `before` = an earlier look: its tasks that still run keep what they had read then.
 * Stops asking after the first stage that is not answered in time.
 */
export async function readTasks(
  driver: Driver,
  app: string,
  stages: readonly SparkStage[],
  driverAhead: number,
  before: ReadonlyMap<number, TaskDetail> = new Map(),
): Promise<TaskReading> {
  const details = new Map<number, TaskDetail>()
  const failed: Gap[] = []
  let stop = false
  let next = 0
  const worker = async (): Promise<void> => {
    for (let stage = stages[next++]; stage !== undefined && !stop; stage = stages[next++]) {
      const got = await readOne(driver, app, stage, driverAhead)
      if (got.detail !== null) details.set(stage.id, { ...got.detail, before: before.get(stage.id) ?? null })
      failed.push(...got.gaps)
      if (got.hopeless) stop = true
    }
  }
  await Promise.all([worker(), worker()])
  const missing = stages.length - details.size
  const first = failed[0]
  if (missing === 0 || first === undefined) return { details, gaps: [] }
  return {
    details,
    gaps: [gap(`tasks of ${missing} of ${stages.length} chosen stages not seen; ${first.reason}`, first.mend, { signal: 'stage.task_ms' })],
  }
}

interface One {
  readonly detail: TaskDetail | null
  readonly gaps: readonly Gap[]
  /** No use in asking for more stages. */
  readonly hopeless: boolean
}

async function readOne(driver: Driver, app: string, stage: SparkStage, driverAhead: number): Promise<One> {
  const base = `${app}/stages/${stage.id}/${stage.attempt}`
  const what = `tasks of stage ${stage.id}`
  const list = (query: string) => driver.ask(`${base}/taskList?${query}`, parseTasks, what, SMALL_LIMITS)
  const whole = stage.tasks <= WHOLE
  // Task ids rise with launch: the middle ones are neither cold nor biased towards slow ones.
  const middle = Math.max(0, Math.floor((stage.doneTasks - WHOLE) / 2))
  const asked = whole
    ? [await list(`offset=0&length=${WHOLE * 2}&sortBy=ID`)]
    : [
        await list(`offset=${middle}&length=${WHOLE}&sortBy=ID&status=success`),
        await list(`offset=0&length=${SLOWEST}&sortBy=-runtime&status=success`),
        ...(stage.running ? [await list(`offset=0&length=${WHOLE}&sortBy=ID&status=running`)] : []),
      ]
  const summary = whole ? null : await driver.ask(`${base}/taskSummary?quantiles=${QUANTILES}`, parseTaskSummary, what, SMALL_LIMITS)
  const gaps = asked.flatMap((answer) => answer.gaps)
  const hopeless = asked.some(
    (answer) => answer.failure?.kind === 'timed-out' || answer.failure?.kind === 'stopped' || answer.failure?.kind === 'refused',
  )
  const answer = asked.findLast((one) => one.answer !== null)?.answer
  if (answer == null || asked[0]?.value == null) return { detail: null, gaps, hopeless }
  const tasks = [...new Map(asked.flatMap((one) => one.value ?? []).map((task) => [task.id, task] as const)).values()]
  const seenMs = (answer.sentMs + answer.answeredMs) / 2
  return { detail: { tasks, whole, quantiles: summary?.value ?? null, nowMs: seenMs + driverAhead, seenMs, before: null }, gaps, hopeless }
}

/** Below this much work the share is noise. */
const ENOUGH_RUN_MS = 500

/**
 * `executor.gc_share` over the past: collection time during tasks ÷ their run time. One pause counts once per task it stopped, in
 * both sums, so this is the share of wall time the JVM stood still while it worked. One point per executor and stage read.
 */
export function gcShareSeries(stages: readonly SparkStage[], details: ReadonlyMap<number, TaskDetail>): Series[] {
  const points = stages.flatMap((stage) => {
    const tasks = details.get(stage.id)?.tasks.filter((task) => task.succeeded) ?? []
    const at = stage.completedMs
    return at === null
      ? []
      : [...Map.groupBy(tasks, (task) => task.executor)].flatMap(([executor, group]) => {
          const run = total(group, (task) => task.runMs)
          return run < ENOUGH_RUN_MS
            ? []
            : [{ executor, host: group[0]?.host ?? null, t: at / 1000, v: total(group, (task) => task.gcMs) / run }]
        })
  })
  return [...Map.groupBy(points, (point) => point.executor)].map(([executor, group]) => {
    const sorted = [...new Map(group.map((point) => [point.t, point])).values()].toSorted((a, b) => a.t - b.t)
    const host = group[0]?.host ?? null
    return {
      signal: 'executor.gc_share',
      entity: { executor, ...(host === null ? {} : { host }) },
      source: 'spark',
      t: sorted.map((point) => point.t),
      v: sorted.map((point) => Math.min(1, point.v)),
    }
  })
}

const total = (tasks: readonly SparkTask[], of: (task: SparkTask) => number): number => tasks.reduce((sum, task) => sum + of(task), 0)
