/**
 * Executors that have work and get nowhere. A frozen one counts as alive for two minutes (rig-spark.md T6): until then the only sign is
 * that between two looks it finished no task and none of its tasks read a row (`executor.task_rate` 0). Whether it stands alone tells a
 * trouble of that executor from one that holds up all of them (a broker that does not answer).
 */
import type { Evidence } from '../incident/evidence.ts'
import { workStage } from './tasks.ts'
import type { TimedBatch } from './timeline.ts'

export interface Standing {
  readonly executor: string
  readonly host: string | null
  /** Seconds since window.from at which it was seen to stand. */
  readonly at: number
  /** Age of its oldest running task, s; null = not seen. */
  readonly seconds: number | null
  /** Others got tasks done meanwhile, or have done their part of the same stage. */
  readonly alone: boolean
}

/** Older readings than this say nothing of now, s. */
const NOW_SECONDS = 30

export function standingExecutors(evidence: Evidence, batches: readonly TimedBatch[], now: number): Standing[] {
  const rates = evidence.series.filter((s) => s.signal === 'executor.task_rate' && s.entity.executor !== undefined)
  const newest = rates.map((s) => ({ entity: s.entity, at: s.t.at(-1) ?? Number.NEGATIVE_INFINITY, rate: s.v.at(-1) ?? null }))
  const recent = newest.filter(({ at, rate }) => rate !== null && now - at <= NOW_SECONDS)
  const standing = recent.filter(({ rate }) => rate === 0)
  const stage = stageNow(batches)
  const stands = (executor: string | undefined) => standing.some(({ entity }) => entity.executor === executor)
  const alone =
    recent.some(({ rate }) => (rate ?? 0) > 0) ||
    (stage?.by_executor ?? []).some(({ executor, tasks }) => (tasks ?? 0) > 0 && !stands(executor))
  return standing
    .map(({ entity, at }) => {
      const ages = (stage?.running_tasks ?? []).filter((task) => task.executor === entity.executor).map((task) => task.ms / 1000)
      const seconds = ages.length === 0 ? null : Math.max(...ages)
      return { executor: entity.executor as string, host: entity.host ?? null, at, seconds, alone }
    })
    .sort((a, b) => (a.executor < b.executor ? -1 : 1))
}

/** The stage at work in the batch that runs now. */
function stageNow(batches: readonly TimedBatch[]) {
  const last = batches.at(-1)
  return last?.open === true ? workStage(last) : null
}
