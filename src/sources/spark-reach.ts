/** How far back the driver's lists reach, said as gaps: Spark forgets the oldest jobs and stages, and knows nothing before its start. */
import type { EvidenceEvent, Gap } from '../incident/evidence.ts'
import type { SparkApplication } from './spark-applications.ts'
import type { SparkBatch } from './spark-batches.ts'
import type { SparkJob } from './spark-jobs.ts'
import type { Lists } from './spark-lists.ts'
import type { StreamingQuery } from './spark-queries.ts'
import { gap } from './spark-rest.ts'
import type { SparkStage } from './spark-stages.ts'

/** A list that is shorter by less than this hides nothing. */
const WORTH_SAYING_MS = 10_000

/** `fromMs` = begin of what was asked for. Lists that were not seen come as null and say nothing here. */
export function reachGaps(
  fromMs: number,
  application: SparkApplication,
  jobs: readonly SparkJob[] | null,
  stages: readonly SparkStage[] | null,
  batches: readonly SparkBatch[],
): Gap[] {
  const begin = Math.max(fromMs, application.startedMs ?? fromMs)
  const gaps: Gap[] = []
  if (application.startedMs !== null && application.startedMs > fromMs) {
    gaps.push(
      gap(
        'this Spark application had not started; an earlier one left nothing at this address',
        undefined,
        span(fromMs, application.startedMs),
      ),
    )
  }
  const oldestJob = lowest(jobs ?? [])
  if (oldestJob !== null && oldestJob.id > 0 && oldestJob.startMs > begin + WORTH_SAYING_MS) {
    gaps.push(
      gap(
        `Spark keeps the last ${jobs?.length ?? 0} jobs; older batches are not listed`,
        'spark.ui.retainedJobs=5000   # with retainedStages, at the next start of the application',
        span(begin, oldestJob.startMs),
      ),
    )
  }
  const oldestStage = lowest((stages ?? []).filter((stage) => stage.submittedMs !== null))
  const stageFrom = oldestStage?.submittedMs ?? null
  const jobsFrom = Math.max(begin, oldestJob?.startMs ?? begin)
  if (oldestStage !== null && oldestStage.id > 0 && stageFrom !== null && stageFrom > jobsFrom + WORTH_SAYING_MS) {
    gaps.push(
      gap(
        `Spark keeps the last ${stages?.length ?? 0} stages that ran; task times of older batches are not listed`,
        'spark.ui.retainedStages=5000   # at the next start of the application',
        { signal: 'stage.run_ms', ...span(jobsFrom, stageFrom) },
      ),
    )
  }
  const firstRoot = batches.find((batch) => batch.root !== null)
  const first = batches[0]
  if (firstRoot !== undefined && first !== undefined && firstRoot !== first && firstRoot.startMs > begin) {
    gaps.push(
      gap('the time of addBatch was read for the newest batches only', undefined, {
        signal: 'addBatch',
        ...span(Math.max(begin, first.startMs), firstRoot.startMs),
      }),
    )
  }
  return gaps
}

/** Batches that were listed and are not brought home: `all` oldest first, the last `kept` of them are. */
export function cutGaps(fromMs: number, all: readonly SparkBatch[], kept: number): Gap[] {
  const [first, begin] = [all[0], all[all.length - kept]]
  if (first === undefined || begin === undefined || begin === first || begin.startMs <= fromMs) return []
  return [gap(`only the newest ${kept} batches were taken`, undefined, span(Math.max(fromMs, first.startMs), begin.startMs))]
}

/** What the lists leave open although they were answered: which query is meant, what the driver itself lost, addBatch. */
export function unclearGaps(lists: Lists, batches: readonly SparkBatch[]): Gap[] {
  const { choice, jobs, stages, gauges, sql } = lists
  const gaps: Gap[] = []
  if (choice.found === null && (jobs.value !== null || stages.value !== null)) {
    const dstreams = jobs.value?.some((job) => job.dstreams) === true
    gaps.push(dstreams ? gap('this application runs DStreams, whose batches are not read yet') : gap(choice.reason, choice.mend))
  }
  if (choice.found !== null && sql.gaps.length === 0 && batches.every((batch) => batch.root === null)) {
    gaps.push(gap('no root SQL execution of a batch is listed, so the time of addBatch is not known', undefined, { signal: 'addBatch' }))
  }
  const dropped = gauges.value?.droppedEvents ?? 0
  if (dropped > 0) {
    gaps.push(
      gap(
        `UI data incomplete: the driver lost ${dropped} events of its own bookkeeping since it started, so jobs, stages and tasks may be missing or stay "running"`,
        'spark.scheduler.listenerbus.eventqueue.capacity=30000   # at the next start of the application',
      ),
    )
  }
  return gaps
}

const span = (fromMs: number, toMs: number): { from: number; to: number } => ({ from: fromMs / 1000, to: toMs / 1000 })

function lowest<T extends { readonly id: number }>(list: readonly T[]): T | null {
  return list.reduce<T | null>((least, entry) => (least === null || entry.id < least.id ? entry : least), null)
}

/** Starts, restarts of the query inside the application, failed stages and failed batches. Times in epoch seconds. */
export function lifeEvents(
  application: SparkApplication,
  query: StreamingQuery | null,
  batches: readonly SparkBatch[],
  seenMs: number,
): EvidenceEvent[] {
  const common = { source: 'spark', seen: seenMs / 1000 }
  const started =
    application.startedMs === null
      ? []
      : [
          {
            at: application.startedMs / 1000,
            kind: 'app_started',
            entity: { app: application.id },
            text: `Spark ${application.version ?? ''} application ${application.name ?? application.id}`.replace('  ', ' '),
            ...common,
          },
        ]
  const restarts = (query?.runs ?? []).slice(1).map((run) => ({
    at: run.firstMs / 1000,
    kind: 'restart',
    entity: { app: application.id },
    text: `query ${query?.name ?? query?.id ?? ''} started again (run ${run.run})`,
    ...common,
  }))
  const failures = batches.flatMap((batch) => [
    ...batch.stages
      .filter((stage) => stage.status === 'FAILED' && stage.completedMs !== null)
      .map((stage) => ({
        at: (stage.completedMs ?? 0) / 1000,
        kind: 'error',
        entity: { app: application.id },
        text: `stage ${stage.id} of batch ${batch.id} failed: ${stage.failure ?? 'no reason given'}`,
        ...common,
      })),
    ...(batch.root?.failed === true
      ? [
          {
            at: (batch.root.startMs + batch.root.durationMs) / 1000,
            kind: 'error',
            entity: { app: application.id },
            text: `batch ${batch.id} failed${batch.root.error === null ? '' : `: ${batch.root.error}`}`,
            ...common,
          },
        ]
      : []),
  ])
  return [...started, ...restarts, ...failures].toSorted((a, b) => a.at - b.at)
}
