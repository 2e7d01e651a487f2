/** The lists every look begins with: application, jobs, executors, stages, gauges, SQL executions; and which query is meant. */
import type { Question } from '../workflow/ports.ts'
import type { SparkApplication } from './spark-applications.ts'
import { newestRunning, parseApplications } from './spark-applications.ts'
import type { DriverClock } from './spark-clock.ts'
import { driverClock } from './spark-clock.ts'
import type { DriverGauges } from './spark-driver.ts'
import { parseDriverGauges } from './spark-driver.ts'
import type { SparkExecutor } from './spark-executors.ts'
import { parseExecutors } from './spark-executors.ts'
import type { SparkJob } from './spark-jobs.ts'
import { parseJobs } from './spark-jobs.ts'
import type { Choice, StreamingQuery } from './spark-queries.ts'
import { chooseQuery, queriesOf } from './spark-queries.ts'
import type { Asked, Driver } from './spark-rest.ts'
import { gap, LIST_LIMITS, SMALL_LIMITS } from './spark-rest.ts'
import type { SqlListing } from './spark-sql-listing.ts'
import { listByTags, listNewest } from './spark-sql-listing.ts'
import type { SparkStage } from './spark-stages.ts'
import { parseStages } from './spark-stages.ts'

/** For so many of the newest batches the time of addBatch is asked for; the checkpoint keeps as many. */
const WITH_SQL = 100

export interface Lists {
  readonly application: SparkApplication
  readonly clock: DriverClock | null
  readonly jobs: Asked<SparkJob[]>
  readonly executors: Asked<SparkExecutor[]>
  readonly stages: Asked<SparkStage[]>
  readonly gauges: Asked<DriverGauges>
  readonly sql: SqlListing
  readonly choice: Choice
}

export const apiOf = (application: SparkApplication): string => `/api/v1/applications/${encodeURIComponent(application.id)}`

/** After this, asking on would only cost the rest of the time. */
const SILENT: ReadonlySet<string> = new Set(['timed-out', 'stopped', 'refused'])

/** The running application; null = none, and `gaps` say why. */
async function findApplication(driver: Driver): Promise<Asked<SparkApplication>> {
  const listed = await driver.ask('/api/v1/applications?status=running', parseApplications, 'Spark application', SMALL_LIMITS)
  const value = listed.value === null ? null : newestRunning(listed.value)
  if (listed.value === null || value !== null) return { ...listed, value }
  const none = 'no application runs behind this address (it ended, or this is a history server)'
  return { ...listed, value, gaps: [gap(none, 'spark: http://<driver host>:4040   # the UI of the running application')] }
}

export async function readLists(driver: Driver, question: Question): Promise<Asked<Lists>> {
  const found = await findApplication(driver)
  const application = found.value
  if (application === null) return { ...found, value: null }
  const app = apiOf(application)
  const [jobs, executors, stages, gauges] = await Promise.all([
    driver.ask(`${app}/jobs`, parseJobs, 'jobs', LIST_LIMITS),
    driver.ask(`${app}/allexecutors`, parseExecutors, 'executors', SMALL_LIMITS),
    driver.ask(`${app}/stages?details=false&status=active&status=complete&status=failed`, parseStages, 'stages', LIST_LIMITS),
    driver.ask('/metrics/json/', parseDriverGauges, 'driver gauges (whether the UI lost events)', SMALL_LIMITS),
  ])
  const wanted = question.pipeline.query
  const work = [
    ...(jobs.value ?? []),
    ...(stages.value ?? []).flatMap((stage) => (stage.submittedMs === null ? [] : [{ label: stage.label, startMs: stage.submittedMs }])),
  ]
  const early = chooseQuery(queriesOf(work), wanted)
  const silent = [jobs, stages].every((asked) => asked.failure !== null && SILENT.has(asked.failure.kind))
  const sql = silent ? { executions: [], gaps: [] } : await listExecutions(driver, app, jobs.value ?? [], early.found)
  // Where user code overwrote the descriptions of all jobs, those of the root executions still name the query.
  const choice = early.found === null && sql.executions.length > 0 ? chooseQuery(queriesOf([...work, ...sql.executions]), wanted) : early
  const clock = await compareClocks(driver, found, application)
  return { ...found, value: { application, clock, jobs, executors, stages, gauges, sql, choice }, gaps: [] }
}

/** A driver that was never asked loads its web classes first; the second answer is quick, and bounds its clock far better. */
const SLOW_ANSWER_MS = 250

async function compareClocks(driver: Driver, found: Asked<SparkApplication>, application: SparkApplication): Promise<DriverClock | null> {
  if (found.answer === null) return null
  const first = driverClock(found.answer, application.driverNowMs)
  if (found.answer.answeredMs - found.answer.sentMs <= SLOW_ANSWER_MS) return first
  const again = await findApplication(driver)
  const second = again.answer === null ? null : driverClock(again.answer, again.value?.driverNowMs ?? null)
  return second !== null && (first === null || second.clock.skew_bound_s < first.clock.skew_bound_s) ? second : first
}

async function listExecutions(driver: Driver, app: string, jobs: readonly SparkJob[], query: StreamingQuery | null): Promise<SqlListing> {
  const mine = jobs.filter((job) => query === null || job.label?.queryId === query.id)
  const roots = [...new Set(mine.flatMap((job) => job.root ?? []))].toSorted((a, b) => a - b)
  const [from, to] = [roots.at(-WITH_SQL) ?? roots[0], roots.at(-1)]
  return from === undefined || to === undefined ? listNewest(driver, app) : listByTags(driver, app, from, to)
}
