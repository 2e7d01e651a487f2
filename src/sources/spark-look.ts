/** The first look at a driver: application, jobs, executors, stages, SQL executions, then the tasks of a few stages. */
import type { Findings } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import { newestRunning, parseApplications } from './spark-applications.ts'
import type { SparkApplication } from './spark-applications.ts'
import { assembleBatches, isOpen, toSighting, usualSourceTasks } from './spark-batches.ts'
import type { SparkBatch } from './spark-batches.ts'
import { driverClock } from './spark-clock.ts'
import { driverSeries, parseDriverGauges } from './spark-driver.ts'
import { rootsOf } from './spark-executions.ts'
import { activeTaskSeries, executorEvents, executorSteps, parseExecutors } from './spark-executors.ts'
import type { SparkExecutor } from './spark-executors.ts'
import { parseJobs } from './spark-jobs.ts'
import type { SparkJob } from './spark-jobs.ts'
import { chooseQuery, queriesOf } from './spark-queries.ts'
import type { StreamingQuery } from './spark-queries.ts'
import { lifeEvents, reachGaps } from './spark-reach.ts'
import { gap, LIST_LIMITS, openDriver, SMALL_LIMITS, SPARK_UI } from './spark-rest.ts'
import type { Driver } from './spark-rest.ts'
import { listByTags, listNewest } from './spark-sql-listing.ts'
import type { SqlListing } from './spark-sql-listing.ts'
import { parseStages } from './spark-stages.ts'
import { stagesWorthReading } from './spark-task-plan.ts'
import { gcShareSeries, readTasks } from './spark-task-reading.ts'
import type { TaskDetail } from './spark-tasks.ts'

/** Sightings brought home at most; the checkpoint keeps 100. */
const MOST_BATCHES = 300
/** For so many of them the time of addBatch is asked for. */
const WITH_SQL = 100

/** What a second look needs of the first. */
export interface FirstLook {
  readonly findings: Findings
  readonly memory: Memory | null
}

export interface Memory {
  readonly application: SparkApplication
  readonly query: StreamingQuery | null
  readonly executors: readonly SparkExecutor[]
  readonly executorsSeenMs: number
  /** Driver's clock minus ours, ms. */
  readonly aheadMs: number
  readonly batches: readonly SparkBatch[]
  readonly details: ReadonlyMap<number, TaskDetail>
  readonly sourceTasks: number | null
}

export const apiOf = (application: SparkApplication): string => `/api/v1/applications/${encodeURIComponent(application.id)}`

export function emptyFindings(part: Partial<Findings> = {}): Findings {
  return { source: SPARK_UI, series: [], sightings: [], commits: [], events: [], gaps: [], clocks: [], topics: [], reader: {}, sink: {}, traffic: [], ...part }
}

/** `base` = pipeline.spark. Never throws; what fails is a gap. */
export async function firstLook(question: Question, base: string): Promise<FirstLook> {
  const driver = openDriver(base, question.signal)
  const listed = await driver.ask('/api/v1/applications?status=running', parseApplications, 'Spark application', SMALL_LIMITS)
  if (listed.value === null || listed.answer === null) return { findings: emptyFindings({ gaps: listed.gaps, traffic: driver.traffic() }), memory: null }
  const application = newestRunning(listed.value)
  if (application === null) {
    const none = gap('no application runs behind this address (it ended, or this is a history server)', 'spark: http://<driver host>:4040   # the UI of the running application')
    return { findings: emptyFindings({ gaps: [none], traffic: driver.traffic() }), memory: null }
  }
  const clock = driverClock(listed.answer, application.driverNowMs)
  const app = apiOf(application)
  const [jobs, executors, stages, gauges] = await Promise.all([
    driver.ask(`${app}/jobs`, parseJobs, 'jobs', LIST_LIMITS),
    driver.ask(`${app}/allexecutors`, parseExecutors, 'executors', SMALL_LIMITS),
    driver.ask(`${app}/stages?details=false&status=active&status=complete&status=failed`, parseStages, 'stages', LIST_LIMITS),
    driver.ask('/metrics/json/', parseDriverGauges, 'driver gauges (whether the UI lost events)', SMALL_LIMITS),
  ])
  const work = [...(jobs.value ?? []), ...(stages.value ?? []).flatMap((stage) => (stage.submittedMs === null ? [] : [{ label: stage.label, startMs: stage.submittedMs }]))]
  const early = chooseQuery(queriesOf(work), question.pipeline.query)
  const sql = await listExecutions(driver, app, jobs.value ?? [], early.found)
  const choice = early.found !== null || sql.executions.length === 0 ? early : chooseQuery(queriesOf([...work, ...sql.executions]), question.pipeline.query)
  const query = choice.found
  const roots = rootsOf(sql.executions, new Set((jobs.value ?? []).flatMap((job) => job.root ?? [])))
  const batches = query === null ? [] : assembleBatches(query.id, jobs.value ?? [], roots, stages.value ?? []).slice(-MOST_BATCHES)
  question.progress(`Spark ${application.version ?? ''}: ${batches.length} batches, ${(executors.value ?? []).filter((executor) => executor.active).length} executors`)

  const chosen = stagesWorthReading(batches)
  const tasks = await readTasks(driver, app, chosen, clock?.aheadMs ?? 0)
  const sourceTasks = usualSourceTasks(batches)
  const listSeenMs = stages.answer?.answeredMs ?? jobs.answer?.answeredMs ?? question.askedAtMs
  const executorsSeenMs = executors.answer?.answeredMs ?? question.askedAtMs
  const dropped = gauges.value?.droppedEvents ?? 0
  const dstreams = (jobs.value ?? []).some((job) => job.dstreams)
  const living = (executors.value ?? []).filter((executor) => executor.active)
  const findings = emptyFindings({
    series: [
      ...executorSteps(executors.value ?? [], application.startedMs, question.fromMs, executors.value === null ? question.fromMs - 1 : executorsSeenMs),
      ...activeTaskSeries(executors.value ?? [], executorsSeenMs),
      ...gcShareSeries(chosen, tasks.details),
      ...(gauges.value === null ? [] : driverSeries(gauges.value, gauges.answer?.answeredMs ?? question.askedAtMs)),
    ],
    sightings: batches.map((batch) => toSighting(batch, tasks.details, sourceTasks, listSeenMs)),
    events: [...executorEvents(executors.value ?? [], executorsSeenMs), ...lifeEvents(application, query, batches, listSeenMs)].toSorted((a, b) => a.at - b.at),
    gaps: [
      ...jobs.gaps, ...executors.gaps, ...stages.gaps, ...gauges.gaps, ...sql.gaps, ...tasks.gaps,
      ...(query !== null || jobs.value === null ? [] : [gap(dstreams ? 'this application runs DStreams, whose batches are not read yet' : 'reason' in choice ? choice.reason : '', 'mend' in choice ? choice.mend : undefined)]),
      ...(query !== null && sql.gaps.length === 0 && batches.every((batch) => batch.root === null) ? [gap('no root SQL execution of a batch is listed, so the time of addBatch is not known', undefined, { signal: 'addBatch' })] : []),
      ...(dropped > 0 ? [gap(`the driver lost ${dropped} events of its own bookkeeping since it started: jobs, stages and tasks in its UI are incomplete`, 'spark.scheduler.listenerbus.eventqueue.capacity=30000   # at the next start')] : []),
      ...reachGaps(question.fromMs, application, jobs.value, stages.value, batches),
    ],
    clocks: clock === null ? [] : [clock.clock],
    reader: {
      kind: query === null && dstreams ? 'spark-dstreams' : 'spark-structured-streaming',
      ...(query === null ? {} : { query: query.name ?? query.id }),
      ...(living.length === 0 ? {} : { slots: living.reduce((total, executor) => total + executor.slots, 0) }),
    },
    traffic: driver.traffic(),
  })
  const memory: Memory = {
    application, query, executors: executors.value ?? [], executorsSeenMs, aheadMs: clock?.aheadMs ?? 0,
    batches: batches.filter((batch, i) => isOpen(batch) || i >= batches.length - 10), details: tasks.details, sourceTasks,
  }
  return { findings, memory }
}

async function listExecutions(driver: Driver, app: string, jobs: readonly SparkJob[], query: StreamingQuery | null): Promise<SqlListing> {
  const mine = jobs.filter((job) => query === null || job.label?.queryId === query.id)
  const roots = [...new Set(mine.flatMap((job) => job.root ?? []))].toSorted((a, b) => a - b)
  const [from, to] = [roots.at(-WITH_SQL) ?? roots[0], roots.at(-1)]
  return from === undefined || to === undefined ? listNewest(driver, app) : listByTags(driver, app, from, to)
}
