/**
 * The second look, 2-3 s after the first: what was running then, seen again. A task that read on is busy, one that did not may be
 * blocked; an executor that finished nothing although it works may be frozen. Only a second reading can tell.
 */
import type { Gap } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import { pause } from './pause.ts'
import type { SparkBatch } from './spark-batches.ts'
import { assembleBatches, isOpen, toSighting } from './spark-batches.ts'
import type { SqlExecution } from './spark-executions.ts'
import { batchKey, parseExecution } from './spark-executions.ts'
import { activeTaskSeries, executorEvents, parseExecutors } from './spark-executors.ts'
import type { SparkJob } from './spark-jobs.ts'
import { parseJobs } from './spark-jobs.ts'
import { apiOf } from './spark-lists.ts'
import type { Memory } from './spark-look.ts'
import { executorPace, HEARTBEAT_MS, unclearTasks, usualTaskMs } from './spark-pace.ts'
import type { Asked, Driver } from './spark-rest.ts'
import { LIST_LIMITS, openDriver, SMALL_LIMITS, SPARK_UI } from './spark-rest.ts'
import type { SparkStage } from './spark-stages.ts'
import { parseStages } from './spark-stages.ts'
import { readTasks } from './spark-task-reading.ts'

/** Stages of which single tasks are read again. */
const MOST_STAGES = 3
/** Root executions asked for again. */
const MOST_ROOTS = 3

export async function secondLook(question: Question, base: string, memory: Memory): Promise<Findings> {
  if (question.thorough) await pause(memory.executorsSeenMs + HEARTBEAT_MS - Date.now(), question.signal)
  const driver = openDriver(base, question.signal)
  const app = apiOf(memory.application)
  const [running, executors, active] = await Promise.all([
    driver.ask(`${app}/jobs?status=running`, parseJobs, 'running jobs at the second look', SMALL_LIMITS),
    driver.ask(`${app}/allexecutors`, parseExecutors, 'executors at the second look', SMALL_LIMITS),
    driver.ask(`${app}/stages?details=false&status=active`, parseStages, 'running stages at the second look', SMALL_LIMITS),
  ])
  const changed = running.value === null ? null : await changedJobs(driver, app, memory, running.value)
  const jobs = mergeById(
    memory.batches.flatMap((batch) => batch.jobs),
    changed?.found ?? [],
  )
  const ended = await endedStages(driver, app, memory, active.value)
  const stages = mergeById(
    memory.batches.flatMap((batch) => batch.stages),
    [...ended.found, ...(active.value ?? [])],
  )
  const roots = await rootsAgain(driver, app, memory, jobs)
  const further = [...(changed?.asked ?? []), ...ended.asked, ...roots.asked]
  const queryId = memory.query?.id
  const known = new Set(memory.batches.filter(isOpen).map((batch) => batchKey(batch.run, batch.id)))
  const lastStartMs = memory.batches.at(-1)?.startMs ?? 0
  const isNews = (batch: SparkBatch): boolean => isOpen(batch) || known.has(batchKey(batch.run, batch.id)) || batch.startMs > lastStartMs
  const batches = queryId === undefined ? [] : assembleBatches(queryId, jobs, roots.found, stages).filter(isNews)

  const again = batches
    .flatMap((batch) =>
      batch.stages.filter((stage) => stage.running || memory.batches.some((old) => old.stages.some((s) => s.id === stage.id && s.running))),
    )
    .slice(-MOST_STAGES)
  const tasks = await readTasks(driver, app, again, memory.aheadMs, memory.details)
  const usualMs = usualTaskMs(memory.details)
  const seenMs = active.answer?.answeredMs ?? question.askedAtMs
  const executorsSeenMs = executors.answer?.answeredMs ?? seenMs
  const onDriver = (ourMs: number): number => ourMs + memory.aheadMs
  const before = { executors: memory.executors, seenMs: onDriver(memory.executorsSeenMs), details: memory.details }
  const now = { executors: executors.value ?? [], seenMs: onDriver(executorsSeenMs), details: tasks.details }
  const pace = executorPace(before, now, usualMs)
  return emptyFindings(SPARK_UI, {
    series: [...activeTaskSeries(executors.value ?? [], onDriver(executorsSeenMs)), ...pace.series],
    sightings: batches.map((batch) => toSighting(batch, tasks.details, memory.sourceTasks, seenMs)),
    events: executorEvents(executors.value ?? [], executorsSeenMs).filter((event) => event.at * 1000 > onDriver(memory.executorsSeenMs)),
    gaps: [...told([running, executors, active], further), ...tasks.gaps, ...unclearTasks(before, now, usualMs), ...pace.gaps],
    traffic: driver.traffic(),
  })
}

/** What a part of the second look found, and its requests. */
interface Part<T> {
  readonly found: T
  readonly asked: readonly Asked<unknown>[]
}

/** All gaps of the lists, and of what was asked beyond them one for each cause that they do not show already. */
function told(lists: readonly Asked<unknown>[], further: readonly Asked<unknown>[]): Gap[] {
  const causeOf = (one: Asked<unknown>) => one.failure?.kind ?? 'form'
  const causes = new Set(lists.filter((one) => one.gaps.length > 0).map(causeOf))
  const news = further.filter((one) => {
    if (one.gaps.length === 0 || causes.has(causeOf(one))) return false
    causes.add(causeOf(one))
    return true
  })
  return [...lists, ...news].flatMap((one) => one.gaps)
}

/** Running jobs now; and where one ended or a new batch began meanwhile, the whole list, for only that tells when. */
async function changedJobs(driver: Driver, app: string, memory: Memory, running: readonly SparkJob[]): Promise<Part<readonly SparkJob[]>> {
  const before = memory.batches.flatMap((batch) => batch.jobs)
  const ended = before.some((job) => job.running && !running.some((other) => other.id === job.id))
  const fresh = running.some((job) => !before.some((other) => other.id === job.id) && job.label?.queryId === memory.query?.id)
  if (!ended && !fresh) return { found: running, asked: [] }
  const all = await driver.ask(`${app}/jobs`, parseJobs, 'jobs at the second look', LIST_LIMITS)
  const oldest = Math.min(...before.map((job) => job.id))
  return { found: all.value?.filter((job) => job.id >= oldest) ?? running, asked: [all] }
}

/** Stages that ran at the first look and run no more. */
async function endedStages(driver: Driver, app: string, memory: Memory, active: readonly SparkStage[] | null): Promise<Part<SparkStage[]>> {
  if (active === null) return { found: [], asked: [] }
  const ended = memory.batches
    .flatMap((batch) => batch.stages)
    .filter((stage) => stage.running && !active.some((other) => other.id === stage.id))
    .slice(-MOST_STAGES)
  const asked = await Promise.all(
    ended.map((stage) =>
      driver.ask(
        `${app}/stages/${stage.id}/${stage.attempt}?details=false`,
        (body) => parseStages([body]),
        `stage ${stage.id} at the second look`,
        SMALL_LIMITS,
      ),
    ),
  )
  return { found: asked.flatMap((one) => one.value ?? []), asked }
}

/** The root executions of batches that are or were open, and of those begun meanwhile: their duration is addBatch (so far). */
async function rootsAgain(
  driver: Driver,
  app: string,
  memory: Memory,
  jobs: readonly SparkJob[],
): Promise<Part<Map<string, SqlExecution>>> {
  const roots = new Map(
    memory.batches.flatMap((batch) => (batch.root === null ? [] : [[batchKey(batch.run, batch.id), batch.root] as const])),
  )
  const open = memory.batches.filter(isOpen).flatMap((batch) => batch.root?.id ?? [])
  const seen = new Set([...roots.values()].map((root) => root.id))
  const mine = jobs.filter((job) => job.label?.queryId === memory.query?.id)
  const tagged = mine.flatMap((job) => (job.root !== null && (job.running || !seen.has(job.root)) ? job.root : []))
  const ids = [...new Set([...open, ...tagged])].toSorted((a, b) => a - b).slice(-MOST_ROOTS)
  const asked = await Promise.all(
    ids.map((id) =>
      driver.ask(
        `${app}/sql/${id}?details=false&planDescription=false`,
        parseExecution,
        `SQL execution ${id} at the second look`,
        SMALL_LIMITS,
      ),
    ),
  )
  for (const { value } of asked) {
    if (value?.label != null && value.label.batch !== null) roots.set(batchKey(value.label.run, value.label.batch), value)
  }
  return { found: roots, asked }
}

function mergeById<T extends { readonly id: number }>(old: readonly T[], fresh: readonly T[]): T[] {
  return [...new Map([...old, ...fresh].map((entry) => [entry.id, entry])).values()]
}
