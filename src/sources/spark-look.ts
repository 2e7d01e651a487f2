/** The first look at a driver: its lists, the batches they make up, then the tasks of a few stages. */
import type { Series } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import type { SparkApplication } from './spark-applications.ts'
import type { SparkBatch } from './spark-batches.ts'
import { assembleBatches, isOpen, toSighting, usualSourceTasks } from './spark-batches.ts'
import { driverSeries } from './spark-driver.ts'
import { rootsOf } from './spark-executions.ts'
import type { SparkExecutor } from './spark-executors.ts'
import { activeTaskSeries, executorEvents, executorSteps } from './spark-executors.ts'
import type { Lists } from './spark-lists.ts'
import { apiOf, readLists } from './spark-lists.ts'
import type { StreamingQuery } from './spark-queries.ts'
import { cutGaps, lifeEvents, reachGaps, unclearGaps } from './spark-reach.ts'
import { openDriver, SPARK_UI } from './spark-rest.ts'
import { stagesWorthReading } from './spark-task-plan.ts'
import { gcShareSeries, readTasks } from './spark-task-reading.ts'
import type { TaskDetail } from './spark-tasks.ts'

/** Sightings brought home at most. */
const MOST_BATCHES = 300
/** Newest batches a second look compares with. */
const REMEMBERED = 10

export interface FirstLook {
  readonly findings: Findings
  /** Null = nothing was seen that a second look could compare with. */
  readonly memory: Memory | null
}

/** What a second look needs of the first. */
export interface Memory {
  readonly application: SparkApplication
  readonly query: StreamingQuery | null
  readonly executors: readonly SparkExecutor[]
  /** Our clock, epoch ms. */
  readonly executorsSeenMs: number
  /** Driver's clock minus ours, ms. */
  readonly aheadMs: number
  readonly batches: readonly SparkBatch[]
  readonly details: ReadonlyMap<number, TaskDetail>
  readonly sourceTasks: number | null
}

/** `base` = pipeline.spark. What fails is a gap. */
export async function firstLook(question: Question, base: string): Promise<FirstLook> {
  const driver = openDriver(base, question.signal)
  const read = await readLists(driver, question)
  const lists = read.value
  if (lists === null) return { findings: emptyFindings(SPARK_UI, { gaps: read.gaps, traffic: driver.traffic() }), memory: null }
  const query = lists.choice.found
  const jobs = lists.jobs.value ?? []
  const executors = lists.executors.value ?? []
  const roots = rootsOf(lists.sql.executions, new Set(jobs.flatMap((job) => job.root ?? [])))
  const all = query === null ? [] : assembleBatches(query.id, jobs, roots, lists.stages.value ?? [])
  const batches = all.slice(-MOST_BATCHES)
  const living = executors.filter((executor) => executor.active)
  question.progress(`Spark ${lists.application.version ?? ''}: ${batches.length} batches, ${living.length} executors`)

  const chosen = stagesWorthReading(batches)
  const aheadMs = lists.clock?.aheadMs ?? 0
  const tasks = await readTasks(driver, apiOf(lists.application), chosen, aheadMs)
  const sourceTasks = usualSourceTasks(batches)
  const seenMs = lists.stages.answer?.answeredMs ?? lists.jobs.answer?.answeredMs ?? question.askedAtMs
  const executorsSeenMs = lists.executors.answer?.answeredMs ?? question.askedAtMs
  const events = [...executorEvents(executors, executorsSeenMs), ...lifeEvents(lists.application, query, batches, seenMs)]
  const findings = emptyFindings(SPARK_UI, {
    series: [...levelSeries(lists, question, aheadMs), ...gcShareSeries(chosen, tasks.details)],
    sightings: batches.map((batch) => toSighting(batch, tasks.details, sourceTasks, seenMs)),
    events: events.toSorted((a, b) => a.at - b.at),
    gaps: [
      ...[lists.jobs, lists.executors, lists.stages, lists.gauges, lists.sql, tasks].flatMap((part) => part.gaps),
      ...unclearGaps(lists, batches),
      ...cutGaps(question.fromMs, all, MOST_BATCHES),
      ...reachGaps(question.fromMs, lists.application, lists.jobs.value, lists.stages.value, batches),
    ],
    clocks: lists.clock === null ? [] : [lists.clock.clock],
    reader: {
      kind: query === null && jobs.some((job) => job.dstreams) ? 'spark-dstreams' : 'spark-structured-streaming',
      ...(query === null ? {} : { query: query.name ?? query.id }),
      ...(living.length === 0 ? {} : { slots: living.reduce((total, executor) => total + executor.slots, 0) }),
    },
    traffic: driver.traffic(),
  })
  const remembered = batches.filter((batch, i) => isOpen(batch) || i >= batches.length - REMEMBERED)
  const { application } = lists
  return {
    findings,
    memory: { application, query, executors, executorsSeenMs, aheadMs, batches: remembered, details: tasks.details, sourceTasks },
  }
}

/** Executors over the window and gauges now, on the driver's clock. Nothing where the executors were not seen: that is a gap, not a zero. */
function levelSeries({ application, executors, gauges }: Lists, question: Question, aheadMs: number): Series[] {
  return [
    ...(executors.value === null || executors.answer === null
      ? []
      : [
          ...executorSteps(executors.value, application.startedMs, question.fromMs + aheadMs, executors.answer.answeredMs + aheadMs),
          ...activeTaskSeries(executors.value, executors.answer.answeredMs + aheadMs),
        ]),
    ...(gauges.value === null || gauges.answer === null ? [] : driverSeries(gauges.value, gauges.answer.answeredMs + aheadMs)),
  ]
}
