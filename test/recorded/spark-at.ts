/**
 * The driver's REST API as two looks at it would have found it, the second 2.5 s after the first: recorded bodies through the
 * exported parsers. The recorder asked for stages and SQL executions at every fourth poll only; a stage that ended or began since is
 * known from its job and its tasks, which were asked every time.
 */
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import { newestRunning, parseApplications } from '../../src/sources/spark-applications.ts'
import type { SparkBatch } from '../../src/sources/spark-batches.ts'
import { assembleBatches, toSighting, usualSourceTasks } from '../../src/sources/spark-batches.ts'
import { parseExecutions, rootsOf } from '../../src/sources/spark-executions.ts'
import type { SparkExecutor } from '../../src/sources/spark-executors.ts'
import { activeTaskSeries, executorEvents, executorSteps, parseExecutors } from '../../src/sources/spark-executors.ts'
import type { SparkJob } from '../../src/sources/spark-jobs.ts'
import { parseJobs } from '../../src/sources/spark-jobs.ts'
import { executorPace, usualTaskMs } from '../../src/sources/spark-pace.ts'
import { queriesOf } from '../../src/sources/spark-queries.ts'
import { lifeEvents, reachGaps } from '../../src/sources/spark-reach.ts'
import { SPARK_UI } from '../../src/sources/spark-rest.ts'
import type { SparkStage } from '../../src/sources/spark-stages.ts'
import { parseStages } from '../../src/sources/spark-stages.ts'
import { stagesWorthReading } from '../../src/sources/spark-task-plan.ts'
import { gcShareSeries } from '../../src/sources/spark-task-reading.ts'
import type { SparkTask, TaskDetail } from '../../src/sources/spark-tasks.ts'
import { parseTasks } from '../../src/sources/spark-tasks.ts'
import type { Question } from '../../src/workflow/ports.ts'
import type { Poll } from './recording.ts'
import { newest } from './recording.ts'

/** Launch times are rounded and follow the job's start. */
const SLACK_MS = 50

export interface SparkAt {
  readonly findings: readonly Findings[]
  /** Query id; null = the driver did not answer. */
  readonly query: string | null
}

/** What one look sees. */
interface Seen {
  readonly seenMs: number
  readonly executors: readonly SparkExecutor[]
  readonly details: ReadonlyMap<number, TaskDetail>
}

export function sparkAt(polls: readonly Poll[], question: Question): SparkAt {
  const at = question.askedAtMs
  const applications = newest(polls, 'applications', at)
  const application = applications?.status === 200 ? newestRunning(parseApplications(JSON.parse(applications.body)) ?? []) : null
  if (applications === undefined || application === null) {
    const gap = { source: SPARK_UI, signal: null, reason: 'the driver could not be reached: connection refused' }
    return { findings: [emptyFindings(SPARK_UI, { gaps: [gap] })], query: null }
  }
  const jobs = parsed(newest(polls, 'jobs', at), parseJobs) ?? []
  const query = queriesOf(jobs)[0] ?? null
  const tasks = new Map<number, TaskDetail>()
  for (const poll of polls) if (poll.t <= at) noteTasks(poll, polls, tasks, at)
  const stages = withNewer(parsed(newest(polls, 'stages', at), parseStages) ?? [], jobs, tasks)
  const roots = rootsOf(parsed(newest(polls, 'sql', at), parseExecutions) ?? [], new Set(jobs.flatMap((job) => job.root ?? [])))
  const batches = query === null ? [] : assembleBatches(query.id, jobs, roots, stages)
  const worth = new Set(stagesWorthReading(batches).map((stage) => stage.id))
  const details = new Map([...tasks].filter(([id]) => worth.has(id)))
  const executors = parsed(newest(polls, 'executors', at), parseExecutors) ?? []
  const second = { seenMs: at, executors, details }
  const first = firstLook(polls, applications.t, details)
  const pace = first === null ? { series: [], gaps: [] } : executorPace(first, second, usualTaskMs(details))
  return {
    query: query?.id ?? null,
    findings: [
      emptyFindings(SPARK_UI, {
        series: [
          ...executorSteps(executors, application.startedMs, question.fromMs, at),
          ...activeTaskSeries(executors, at),
          ...gcShareSeries(stagesOf(batches, details), details),
          ...pace.series,
        ],
        sightings: batches.map((batch) => toSighting(batch, details, usualSourceTasks(batches), at)),
        events: [...executorEvents(executors, at), ...lifeEvents(application, query, batches, at)].toSorted((a, b) => a.at - b.at),
        gaps: [...reachGaps(question.fromMs, application, jobs, stages, batches), ...pace.gaps],
        clocks: [{ source: 'spark', skew_bound_s: 0.01 }],
        reader: {
          kind: 'spark-structured-streaming',
          ...(query === null ? {} : { query: query.name ?? query.id }),
          slots: executors.filter((one) => one.active).reduce((total, one) => total + one.slots, 0),
        },
      }),
    ],
  }
}

const stagesOf = (batches: readonly SparkBatch[], details: ReadonlyMap<number, TaskDetail>): SparkStage[] =>
  batches.flatMap((batch) => batch.stages.filter((stage) => details.has(stage.id)))

function parsed<T>(poll: Poll | undefined, parse: (body: unknown) => T | null): T | null {
  return poll === undefined || poll.status !== 200 ? null : parse(JSON.parse(poll.body))
}

/** The poll before, as far as the pace of executors is judged by it. */
function firstLook(polls: readonly Poll[], before: number, details: ReadonlyMap<number, TaskDetail>): Seen | null {
  const poll = polls.findLast((one) => one.src === 'executors' && one.t < before - SLACK_MS)
  const executors = parsed(poll, parseExecutors)
  if (poll === undefined || executors === null) return null
  const seen = [...details].flatMap(([id, detail]) => (detail.before === null ? [] : [[id, detail.before] as const]))
  return { seenMs: poll.t, executors, details: new Map(seen) }
}

/** A task list belongs to the stage of the query's job that ran when its tasks were launched. */
function noteTasks(poll: Poll, polls: readonly Poll[], into: Map<number, TaskDetail>, at: number): void {
  const active = poll.src === 'tasks:ACTIVE'
  if (!active && poll.src !== 'tasks:COMPLETE') return
  // Running tasks of long ago are of no use: their stage has ended since.
  if (active && poll.t < at - 8000) return
  const list = parsed(poll, parseTasks) ?? []
  if (list.length === 0) return
  const jobs = parsed(newest(polls, 'jobs', poll.t), parseJobs) ?? []
  const launched = Math.min(...list.map((task) => task.launchMs))
  const job = jobs
    .filter((one) => one.label?.about === null && one.startMs <= launched + SLACK_MS && (one.endMs ?? Number.POSITIVE_INFINITY) >= launched)
    .toSorted((a, b) => b.startMs - a.startMs)[0]
  const id = job?.stageIds.at(-1)
  if (job === undefined || id === undefined) return
  const known = into.get(id)
  const before = known?.tasks.some((task) => task.running) === true && known.seenMs < poll.t ? { ...known, before: null } : null
  into.set(id, { tasks: list, whole: list.length >= job.tasks || active, quantiles: null, nowMs: poll.t, seenMs: poll.t, before })
}

/** Stages that are newer than the older body: their totals are the sums over their tasks, as Spark makes them. */
function withNewer(stages: readonly SparkStage[], jobs: readonly SparkJob[], details: ReadonlyMap<number, TaskDetail>): SparkStage[] {
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  for (const job of jobs) {
    for (const id of job.stageIds) {
      const old = byId.get(id)
      if (old !== undefined && !old.running) continue
      const detail = details.get(id)
      const running = detail?.tasks.some((task) => task.running) === true
      // What it has become since the older body is not known: said nothing of, as of a stage that Spark has forgotten.
      if (detail === undefined || running !== job.running) {
        if (!job.running) byId.delete(id)
        continue
      }
      byId.set(id, stageOf(id, job, detail))
    }
  }
  return [...byId.values()]
}

function stageOf(id: number, job: SparkJob, { tasks }: TaskDetail): SparkStage {
  const total = (of: (task: SparkTask) => number) => tasks.reduce((sum, task) => sum + of(task), 0)
  return {
    id,
    attempt: 0,
    label: job.label,
    status: job.running ? 'ACTIVE' : 'COMPLETE',
    running: job.running,
    submittedMs: Math.min(...tasks.map((task) => task.launchMs)),
    completedMs: job.endMs,
    tasks: job.tasks,
    doneTasks: tasks.filter((task) => task.succeeded).length,
    failedTasks: job.failedTasks,
    runMs: total((task) => task.runMs),
    cpuMs: total((task) => task.cpuMs),
    gcMs: total((task) => task.gcMs),
    deserializeMs: total((task) => task.deserializeMs),
    fetchWaitMs: 0,
    inputBytes: 0,
    inputRows: total((task) => task.rows ?? 0),
    outputRows: 0,
    shuffleRows: 0,
    failure: null,
  }
}
