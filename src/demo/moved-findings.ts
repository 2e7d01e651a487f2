/** Findings of one time, told as if they were of another: every instant in them moves by the same span, and nothing else does. */
import type { Commit, EvidenceEvent, Gap, Series, Stage } from '../incident/evidence.ts'
import type { BatchSighting, Findings } from '../incident/findings.ts'
import { signals } from '../incident/signal.ts'

/** @param ms whole; negative = into the past */
export function movedFindings(found: Findings, ms: number): Findings {
  const s = ms / 1000
  return {
    ...found,
    series: found.series.map((one) => movedSeries(one, s)),
    sightings: found.sightings.map((one) => movedSighting(one, ms)),
    commits: found.commits.map((one) => moved<Commit>(one, s, ['at', 'seen', 'max_event_time', 'min_event_time'])),
    events: found.events.map((one) => moved<EvidenceEvent>(one, s, ['at', 'seen'])),
    gaps: found.gaps.map((one) => moved<Gap>(one, s, ['from', 'to'])),
  }
}

function movedSeries(series: Series, s: number): Series {
  const unit = Object.hasOwn(signals, series.signal) ? signals[series.signal as keyof typeof signals].unit : ''
  const holdsInstants = unit === 's since window.from'
  return {
    ...series,
    t: series.t.map((at) => at + s),
    v: holdsInstants ? series.v.map((value) => (value === null ? null : value + s)) : series.v,
  }
}

function movedSighting(sighting: BatchSighting, ms: number): BatchSighting {
  const instants = ['plannedAtMs', 'offsetsWrittenMs', 'committedMs', 'sqlStartMs', 'triggerStartMs'] as const
  const { watermarkMs, jobs, stages } = sighting
  return {
    ...moved<BatchSighting>(sighting, ms, instants),
    // 0 is Spark's "no watermark yet".
    ...(watermarkMs === undefined || watermarkMs <= 0 ? {} : { watermarkMs: watermarkMs + ms }),
    ...(jobs === undefined ? {} : { jobs: jobs.map((job) => moved(job, ms, ['startMs', 'endMs'])) }),
    ...(stages === undefined ? {} : { stages: stages.map((stage) => movedStage(stage, ms / 1000)) }),
  }
}

function movedStage(stage: Stage, s: number): Stage {
  const { running_tasks: running } = stage
  return {
    ...moved<Stage>(stage, s, ['seen_at']),
    ...(running === undefined
      ? {}
      : {
          running_tasks: running.map((task) =>
            task.reads === undefined ? task : { ...task, reads: task.reads.map(([at, rows]) => [at + s, rows] as const) },
          ),
        }),
  }
}

/** The fields that hold a number rise by `by`; what is absent or null stays so. */
function moved<T extends object>(value: T, by: number, fields: readonly (keyof T)[]): T {
  const now = fields.flatMap((field) => {
    const at = value[field]
    return typeof at === 'number' ? [[field, at + by] as const] : []
  })
  return { ...value, ...Object.fromEntries(now) }
}
