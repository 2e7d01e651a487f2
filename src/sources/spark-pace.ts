/**
 * Busy, blocked or frozen: what two looks at the same tasks and executors tell, and what they cannot tell yet.
 *
 * A frozen executor stays "active" for two minutes (rig-spark.md T6). It shows in that it finishes nothing and its tasks read nothing;
 * but rows read come with heartbeats only, so between two looks closer than one, standing still looks like waiting for the next.
 */
import type { Gap, Series } from '../incident/evidence.ts'
import type { SparkExecutor } from './spark-executors.ts'
import { executorEntity } from './spark-executors.ts'
import { gap } from './spark-rest.ts'
import type { SparkTask, TaskDetail } from './spark-tasks.ts'

/** spark.executor.heartbeatInterval, and a little for its way. */
export const HEARTBEAT_MS = 10_500

const THOROUGH = 'headwater diagnose … --thorough'

export interface Look {
  readonly executors: readonly SparkExecutor[]
  /** The driver's clock, epoch ms. */
  readonly seenMs: number
  readonly details: ReadonlyMap<number, TaskDetail>
}

export interface Pace {
  readonly series: readonly Series[]
  readonly gaps: readonly Gap[]
}

/** Median time of the finished tasks that were read, ms; null = none was. */
export function usualTaskMs(details: ReadonlyMap<number, TaskDetail>): number | null {
  const times = [...details.values()].flatMap((detail) => detail.tasks.filter((task) => task.succeeded).map((task) => task.durationMs))
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null
}

/**
 * `executor.task_rate`: tasks finished per second between the looks, of executors that had work at both. 0 = works and gets nowhere; it
 * is only said after more than two usual task times, and where no task of it read a row meanwhile although a heartbeat was due.
 * `executor.gc_share` where the looks are a heartbeat apart. `usualMs` = usual task time.
 */
export function executorPace(first: Look, second: Look, usualMs: number | null): Pace {
  const passedMs = second.seenMs - first.seenMs
  if (passedMs <= 0) return { series: [], gaps: [] }
  const t = [second.seenMs / 1000]
  const beatPassed = passedMs >= HEARTBEAT_MS - 1_000
  const series: Series[] = []
  const unclear: string[] = []
  for (const executor of second.executors) {
    const before = first.executors.find((other) => other.id === executor.id)
    if (before === undefined || !executor.active) continue
    const common = { entity: executorEntity(executor), source: 'spark', t }
    if (beatPassed && executor.gcMs !== null && before.gcMs !== null) {
      series.push({ signal: 'executor.gc_share', ...common, v: [Math.min(1, Math.max(0, (executor.gcMs - before.gcMs) / passedMs))] })
    }
    const finished = executor.completedTasks - before.completedTasks
    if (before.activeTasks === 0 || (executor.activeTasks === 0 && finished === 0)) continue
    const tasks = tasksOf(second, executor.id)
    if (finished > 0) series.push({ signal: 'executor.task_rate', ...common, v: [(finished * 1000) / passedMs] })
    else if (tasks.some((task) => readOn(task, first))) continue
    else if (usualMs !== null && passedMs > 2 * usualMs && (beatPassed || tasks.some(isSilent(second)))) {
      series.push({ signal: 'executor.task_rate', ...common, v: [0] })
    } else unclear.push(executor.id)
  }
  if (unclear.length === 0) return { series, gaps: [] }
  const which = unclear.length === 1 ? `executor ${unclear[0]} works or stands` : `executors ${unclear.join(', ')} work or stand`
  const seconds = (passedMs / 1000).toFixed(1)
  const usual = usualMs === null ? 'no finished task was read to compare with' : `a usual task takes ${(usualMs / 1000).toFixed(1)} s`
  return {
    series,
    gaps: [
      gap(`whether ${which} still: no task finished in ${seconds} s (${usual}); look again in 10 s`, THOROUGH, {
        signal: 'executor.task_rate',
      }),
    ],
  }
}

/** Tasks that run at both looks, far longer than usual, and show no row more: busy or blocked cannot be told without a heartbeat between. */
export function unclearTasks(first: Look, second: Look, usualMs: number | null): Gap[] {
  if (second.seenMs - first.seenMs >= HEARTBEAT_MS - 1_000) return []
  const stuck = [...second.details.values()].flatMap((detail) =>
    detail.tasks.filter(
      (task) => task.running && !readOn(task, first) && wasRunning(task, first) && detail.nowMs - task.launchMs > 2 * (usualMs ?? 0),
    ),
  )
  const silent = stuck.filter(isSilent(second))
  const count = stuck.length - silent.length
  if (count === 0) return []
  const which = count === 1 ? '1 running task is' : `${count} running tasks are`
  return [
    gap(`whether ${which} busy or blocked: Spark writes rows read every 10 s; look again in 10 s`, THOROUGH, {
      signal: 'stage.running_tasks',
    }),
  ]
}

const tasksOf = (look: Look, executor: string): SparkTask[] =>
  [...look.details.values()].flatMap((detail) => detail.tasks.filter((task) => task.running && task.executor === executor))

function earlier(task: SparkTask, first: Look): SparkTask | undefined {
  for (const detail of first.details.values()) {
    const found = detail.tasks.find((other) => other.id === task.id)
    if (found !== undefined) return found
  }
  return undefined
}

const wasRunning = (task: SparkTask, first: Look): boolean => earlier(task, first)?.running === true

const readOn = (task: SparkTask, first: Look): boolean => wasRunning(task, first) && (task.rows ?? 0) > (earlier(task, first)?.rows ?? 0)

/** Older than a heartbeat, and not one row reported: its executor is silent, or it waits for its first row. */
function isSilent(look: Look): (task: SparkTask) => boolean {
  return (task) =>
    task.rows === null &&
    [...look.details.values()].some((detail) => detail.tasks.includes(task) && detail.nowMs - task.launchMs > HEARTBEAT_MS + 2_000)
}
