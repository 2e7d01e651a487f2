/**
 * `/allexecutors`: who works and who worked. The dead stay listed with their times (rig-spark.md T8), so the number of executors
 * and slots over the past can be rebuilt without having watched. `isActive` stays true for a frozen one (T6).
 */
import type { Entity, EvidenceEvent, Series } from '../incident/evidence.ts'
import { countAt, entries, fieldsAt, instantAt, numberAt, textAt } from './spark-fields.ts'

export interface SparkExecutor {
  readonly id: string
  readonly host: string
  readonly active: boolean
  readonly excluded: boolean
  /** Tasks it can run at once. */
  readonly slots: number
  readonly activeTasks: number
  readonly failedTasks: number
  readonly completedTasks: number
  /** Garbage collection of the JVM since its start, ms; exact, but refreshed only with heartbeats (T9). Null = not told. */
  readonly gcMs: number | null
  readonly addedMs: number | null
  readonly removedMs: number | null
  readonly reason: string | null
}

/** Null = not a list. The driver is left out, except in local mode, where it runs the tasks itself. */
export function parseExecutors(body: unknown): SparkExecutor[] | null {
  const list = entries(body)
  if (list === null) return null
  return list.flatMap((entry) => {
    const id = textAt(entry, 'id')
    const slots = countAt(entry, 'maxTasks') || countAt(entry, 'totalCores')
    if (id === undefined || (id === 'driver' && slots === 0)) return []
    const peaks = fieldsAt(entry, 'peakMemoryMetrics')
    const minor = numberAt(peaks, 'MinorGCTime')
    const major = numberAt(peaks, 'MajorGCTime')
    return [
      {
        id,
        host: hostOf(textAt(entry, 'hostPort') ?? ''),
        active: entry.isActive === true,
        excluded: entry.isExcluded === true,
        slots,
        activeTasks: countAt(entry, 'activeTasks'),
        failedTasks: countAt(entry, 'failedTasks'),
        completedTasks: countAt(entry, 'completedTasks'),
        gcMs: minor === undefined && major === undefined ? null : (minor ?? 0) + (major ?? 0),
        addedMs: instantAt(entry, 'addTime') ?? null,
        removedMs: instantAt(entry, 'removeTime') ?? null,
        reason: plainReason(textAt(entry, 'removeReason')),
      },
    ]
  })
}

const hostOf = (hostPort: string): string => hostPort.replace(/:\d+$/, '')

/** Kubernetes and YARN append container statuses (images, registries, paths): only the sentence before them is kept. */
export function plainReason(text: string | undefined): string | null {
  const sentence =
    text
      ?.trim()
      .split(/\n|The API gave the following|Diagnostics:/)[0]
      ?.trim()
      .slice(0, 200) ?? ''
  return sentence === '' ? null : sentence
}

export const executorEntity = (executor: SparkExecutor): Entity => ({ executor: executor.id, host: executor.host })

/** Added and removed, at any time since the application started. Times in epoch seconds. */
export function executorEvents(executors: readonly SparkExecutor[], seenMs: number): EvidenceEvent[] {
  const events = executors.flatMap((executor): EvidenceEvent[] => {
    const entity = executorEntity(executor)
    const seen = seenMs / 1000
    return [
      ...(executor.addedMs === null
        ? []
        : [{ at: executor.addedMs / 1000, kind: 'executor_added', entity, text: `${executor.slots} task slots`, source: 'spark', seen }]),
      ...(executor.removedMs === null
        ? []
        : [
            {
              at: executor.removedMs / 1000,
              kind: 'executor_removed',
              entity,
              text: executor.reason ?? 'no reason given',
              source: 'spark',
              seen,
            },
          ]),
      ...(executor.active && executor.excluded
        ? [{ at: seen, kind: 'note', entity, text: 'excluded from scheduling after task failures', source: 'spark', seen }]
        : []),
    ]
  })
  return events.toSorted((a, b) => a.at - b.at)
}

/** Distance of the points of a rebuilt step series. */
const STEP_S = 10
const MOST_POINTS = 720

/**
 * `executor.count` and `executor.slots` over [fromMs, nowMs], rebuilt from the times of adding and removing: a point every 10 s
 * (further apart over long windows) and one at each change. Before the application started there is no point.
 */
export function executorSteps(executors: readonly SparkExecutor[], startedMs: number | null, fromMs: number, nowMs: number): Series[] {
  const begin = Math.max(fromMs, startedMs ?? fromMs)
  if (begin > nowMs) return []
  const lives = executors.filter((executor) => executor.addedMs !== null && (executor.active || executor.removedMs !== null))
  const changes = lives
    .flatMap((executor) => [executor.addedMs, executor.removedMs])
    .filter((ms): ms is number => ms !== null && ms > begin && ms < nowMs)
  const stepMs = Math.max(STEP_S * 1000, Math.ceil((nowMs - begin) / MOST_POINTS / 1000) * 1000)
  const grid: number[] = []
  for (let ms = begin; ms < nowMs; ms += stepMs) grid.push(ms)
  const times = [...new Set([...grid, ...changes, nowMs])].toSorted((a, b) => a - b)
  const at = (ms: number, of: (executor: SparkExecutor) => number): number =>
    lives.reduce(
      (total, executor) =>
        (executor.addedMs ?? 0) <= ms && (executor.removedMs ?? Number.POSITIVE_INFINITY) > ms ? total + of(executor) : total,
      0,
    )
  const t = times.map((ms) => ms / 1000)
  const common = { entity: {}, source: 'spark', period_s: stepMs / 1000, t }
  return [
    { signal: 'executor.count', ...common, v: times.map((ms) => at(ms, () => 1)) },
    { signal: 'executor.slots', ...common, v: times.map((ms) => at(ms, (executor) => executor.slots)) },
  ]
}

/** Tasks running on each living executor when asked. */
export function activeTaskSeries(executors: readonly SparkExecutor[], seenMs: number): Series[] {
  return executors
    .filter((executor) => executor.active)
    .map((executor) => ({
      signal: 'executor.active_tasks',
      entity: executorEntity(executor),
      source: 'spark',
      t: [seenMs / 1000],
      v: [executor.activeTasks],
    }))
}
