/**
 * The second look, 2-3 s after the first: what was running then, seen again. A task that read on is busy, one that did not may be
 * blocked; an executor that finished nothing although it works may be frozen. Only a second reading can tell.
 */
import type { Gap, Series } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import { assembleBatches, isOpen, toSighting } from './spark-batches.ts'
import { batchKey, parseExecution } from './spark-executions.ts'
import type { SqlExecution } from './spark-executions.ts'
import { activeTaskSeries, executorEntity, executorEvents, parseExecutors } from './spark-executors.ts'
import type { SparkExecutor } from './spark-executors.ts'
import { parseJobs } from './spark-jobs.ts'
import type { SparkJob } from './spark-jobs.ts'
import { apiOf, emptyFindings } from './spark-look.ts'
import type { Memory } from './spark-look.ts'
import { gap, LIST_LIMITS, openDriver, SMALL_LIMITS } from './spark-rest.ts'
import type { Driver } from './spark-rest.ts'
import { parseStages } from './spark-stages.ts'
import type { SparkStage } from './spark-stages.ts'
import { readTasks } from './spark-task-reading.ts'
import type { SparkTask, TaskDetail } from './spark-tasks.ts'

/** spark.executor.heartbeatInterval, and a little for its way. */
export const HEARTBEAT_MS = 10_500
/** Stages of which single tasks are read again. */
const MOST_STAGES = 3

export async function secondLook(question: Question, base: string, memory: Memory): Promise<Findings> {
  if (question.thorough) await sleepUntil(memory.executorsSeenMs + HEARTBEAT_MS, question.signal)
  const driver = openDriver(base, question.signal)
  const app = apiOf(memory.application)
  const [running, executors, active] = await Promise.all([
    driver.ask(`${app}/jobs?status=running`, parseJobs, 'running jobs at the second look', SMALL_LIMITS),
    driver.ask(`${app}/allexecutors`, parseExecutors, 'executors at the second look', SMALL_LIMITS),
    driver.ask(`${app}/stages?details=false&status=active`, parseStages, 'running stages at the second look', SMALL_LIMITS),
  ])
  const gaps: Gap[] = [...running.gaps, ...executors.gaps, ...active.gaps]
  const changed = running.value === null ? [] : await changedJobs(driver, app, memory, running.value)
  const jobs = mergeById(memory.batches.flatMap((batch) => batch.jobs), changed)
  const stages = mergeById(memory.batches.flatMap((batch) => batch.stages), [...await endedStages(driver, app, memory, active.value), ...(active.value ?? [])])
  const roots = await rootsAgain(driver, app, memory, jobs)
  const queryId = memory.query?.id
  const known = new Set(memory.batches.filter(isOpen).map((batch) => batchKey(batch.run, batch.id)))
  const batches = queryId === undefined ? [] : assembleBatches(queryId, jobs, roots, stages).filter((batch) => isOpen(batch) || known.has(batchKey(batch.run, batch.id)))

  const again = batches.flatMap((batch) => batch.stages.filter((stage) => stage.running || memory.batches.some((old) => old.stages.some((s) => s.id === stage.id && s.running)))).slice(-MOST_STAGES)
  const tasks = await readTasks(driver, app, again, memory.aheadMs, memory.details)
  const usualMs = usualTaskMs(memory.details)
  const seenMs = active.answer?.answeredMs ?? question.askedAtMs
  const executorsSeenMs = executors.answer?.answeredMs ?? seenMs
  const pace = executorPace(memory, executors.value ?? [], executorsSeenMs, usualMs)
  const blocked = stillUnread(memory.details, tasks.details, usualMs)
  return emptyFindings({
    series: [...activeTaskSeries(executors.value ?? [], executorsSeenMs), ...pace.series],
    sightings: batches.map((batch) => toSighting(batch, tasks.details, memory.sourceTasks, seenMs)),
    events: executorEvents(executors.value ?? [], executorsSeenMs).filter((event) => event.at * 1000 > memory.executorsSeenMs + memory.aheadMs),
    gaps: [...gaps, ...tasks.gaps, ...blocked, ...pace.gaps],
    traffic: driver.traffic(),
  })
}

/** Running jobs now; and where one ended or a new batch began meanwhile, the whole list, for only that tells when. */
async function changedJobs(driver: Driver, app: string, memory: Memory, running: readonly SparkJob[]): Promise<readonly SparkJob[]> {
  const before = memory.batches.flatMap((batch) => batch.jobs)
  const ended = before.some((job) => job.running && !running.some((other) => other.id === job.id))
  const fresh = running.some((job) => !before.some((other) => other.id === job.id) && job.label?.queryId === memory.query?.id)
  if (!ended && !fresh) return running
  const all = await driver.ask(`${app}/jobs`, parseJobs, 'jobs at the second look', LIST_LIMITS)
  const oldest = Math.min(...before.map((job) => job.id))
  return all.value?.filter((job) => job.id >= oldest) ?? running
}

/** Stages that ran at the first look and run no more. */
async function endedStages(driver: Driver, app: string, memory: Memory, active: readonly SparkStage[] | null): Promise<SparkStage[]> {
  if (active === null) return []
  const ended = memory.batches.flatMap((batch) => batch.stages).filter((stage) => stage.running && !active.some((other) => other.id === stage.id)).slice(-MOST_STAGES)
  const asked = await Promise.all(ended.map((stage) => driver.ask(`${app}/stages/${stage.id}/${stage.attempt}?details=false`, (body) => parseStages([body]), `stage ${stage.id}`, SMALL_LIMITS)))
  return asked.flatMap((one) => one.value ?? [])
}

/** The root executions of open batches again: their duration is addBatch so far. */
async function rootsAgain(driver: Driver, app: string, memory: Memory, jobs: readonly SparkJob[]): Promise<Map<string, SqlExecution>> {
  const roots = new Map(memory.batches.flatMap((batch) => (batch.root === null ? [] : [[batchKey(batch.run, batch.id), batch.root] as const])))
  const open = memory.batches.filter(isOpen).flatMap((batch) => batch.root?.id ?? [])
  const tagged = jobs.flatMap((job) => (job.running && job.label?.queryId === memory.query?.id ? (job.root ?? []) : []))
  const ids = [...new Set([...open, ...tagged])].slice(-MOST_STAGES)
  const asked = await Promise.all(ids.map((id) => driver.ask(`${app}/sql/${id}?details=false&planDescription=false`, parseExecution, `SQL execution ${id}`, SMALL_LIMITS)))
  for (const { value } of asked) {
    if (value?.label != null && value.label.batch !== null) roots.set(batchKey(value.label.run, value.label.batch), value)
  }
  return roots
}

function mergeById<T extends { readonly id: number }>(old: readonly T[], fresh: readonly T[]): T[] {
  return [...new Map([...old, ...fresh].map((entry) => [entry.id, entry])).values()]
}

/** Median time of finished tasks, ms; null = none was read. */
function usualTaskMs(details: ReadonlyMap<number, TaskDetail>): number | null {
  const times = [...details.values()].flatMap((detail) => detail.tasks.filter((task) => task.succeeded).map((task) => task.durationMs)).toSorted((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? null
}

interface Pace {
  readonly series: readonly Series[]
  readonly gaps: readonly Gap[]
}

/**
 * `executor.task_rate` between the looks: finished tasks per second of executors that had work at both. 0 is only said where the
 * time between was more than two usual task times; before that an executor in the middle of its tasks looks the same as a frozen one.
 */
function executorPace(memory: Memory, now: readonly SparkExecutor[], seenMs: number, usualMs: number | null): Pace {
  const seconds = (seenMs - memory.executorsSeenMs) / 1000
  const unclear: string[] = []
  const series: Series[] = []
  for (const executor of now) {
    const before = memory.executors.find((other) => other.id === executor.id)
    if (before === undefined || !executor.active || seconds <= 0) continue
    const entity = executorEntity(executor)
    if (seenMs - memory.executorsSeenMs >= HEARTBEAT_MS - 1_000 && executor.gcMs !== null && before.gcMs !== null) {
      series.push({ signal: 'executor.gc_share', entity, source: 'spark', t: [seenMs / 1000], v: [Math.min(1, Math.max(0, (executor.gcMs - before.gcMs) / 1000 / seconds))] })
    }
    const finished = executor.completedTasks - before.completedTasks
    if (before.activeTasks === 0 || (executor.activeTasks === 0 && finished === 0)) continue
    if (finished > 0 || (usualMs !== null && seconds * 1000 > 2 * usualMs)) {
      series.push({ signal: 'executor.task_rate', entity, source: 'spark', t: [seenMs / 1000], v: [finished / seconds] })
    } else unclear.push(executor.id)
  }
  if (unclear.length === 0) return { series, gaps: [] }
  const why = usualMs === null ? 'no finished task was read to compare with' : `a usual task takes ${(usualMs / 1000).toFixed(1)} s`
  return { series, gaps: [gap(`whether executor ${unclear.join(', ')} works or stands still: it finished no task in ${seconds.toFixed(1)} s, and ${why}; look again in 10 s`, 'headwater diagnose … --thorough', { signal: 'executor.task_rate' })] }
}

/** Running tasks show rows read only with heartbeats: no progress between looks closer than that says nothing. */
function stillUnread(first: ReadonlyMap<number, TaskDetail>, second: ReadonlyMap<number, TaskDetail>, usualMs: number | null): Gap[] {
  let unclear = 0
  for (const [stage, detail] of second) {
    const before = first.get(stage)
    if (before === undefined || detail.seenMs - before.seenMs >= HEARTBEAT_MS - 1_000) continue
    const old = new Map(before.tasks.map((task) => [task.id, task]))
    unclear += detail.tasks.filter((task) => task.running && isSlow(task, detail.nowMs, usualMs) && old.get(task.id)?.running === true && (old.get(task.id)?.rows ?? 0) === (task.rows ?? 0)).length
  }
  if (unclear === 0) return []
  return [gap(`whether ${unclear} running task${unclear === 1 ? ' is' : 's are'} busy or blocked: Spark writes rows read every 10 s; look again in 10 s`, 'headwater diagnose … --thorough', { signal: 'stage.running_tasks' })]
}

function isSlow(task: SparkTask, nowMs: number, usualMs: number | null): boolean {
  return usualMs === null || nowMs - task.launchMs > 2 * usualMs
}

function sleepUntil(epochMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, epochMs - Date.now()))
    signal.addEventListener('abort', done, { once: true })
  })
}

