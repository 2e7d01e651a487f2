/** What tasks tell: whether time follows rows (skew), the host (straggler), each file (sink) or each record (processing). */
import type { Stage } from '../incident/evidence.ts'
import { median, theilSen } from './robust.ts'
import type { TimedBatch } from './timeline.ts'

export interface TaskFacts {
  /** Tasks looked at. */
  readonly tasks: number
  readonly medianMs: number
  readonly maxMs: number
  readonly maxRows: number | null
  readonly medianRows: number | null
  readonly meanRows: number | null
  /** Pearson's correlation of run time and rows over tasks; null when rows hardly differ. */
  readonly rowsCorrelation: number | null
  /** CPU time / run time over all tasks. */
  readonly cpuShare: number | null
  readonly cpuPerRowMs: number | null
  readonly runPerRowMs: number | null
  readonly gcShare: number | null
  /** Slowest over fastest executor, run time per row; null with one executor. */
  readonly executorRatio: number | null
  readonly slowestExecutor: { readonly executor: string; readonly host: string | null } | null
}

/** The stage that did the batch's work: the one with the most run time (or tasks, while it runs). */
export function workStage(batch: TimedBatch): Stage | null {
  const stages = batch.stages ?? []
  const weight = (s: Stage) => s.run_ms ?? (s.running ? Number.POSITIVE_INFINITY : 0)
  return stages.reduce<Stage | null>((best, s) => (best === null || weight(s) > weight(best) ? s : best), null)
}

/** Tasks that were read one by one, as [rows, run ms, cpu ms]. */
export function sampleOf(stage: Stage): readonly (readonly [number, number, number])[] {
  return stage.task_sample ?? []
}

/** @param batchRows rows of the batch, used where the stage that reads them does not say its own */
export function taskFacts(stage: Stage, batchRows: number | null = null): TaskFacts | null {
  const sample = sampleOf(stage)
  const times = stage.task_ms
  if (sample.length === 0 && times?.median === undefined) return null
  const rows = sample.map(([n]) => n)
  const runs = sample.map(([, ms]) => ms)
  const sampled = rows.length > 0 && rows.length === stage.tasks ? rows.reduce((a, b) => a + b, 0) : null
  const totalRows = stage.rows ?? sampled ?? batchRows
  const run = stage.run_ms ?? null
  const cpu = stage.cpu_ms ?? null
  const ratio = executors(stage)
  return {
    tasks: stage.tasks ?? sample.length,
    medianMs: times?.median ?? median(runs),
    maxMs: times?.max ?? Math.max(...runs),
    maxRows: stage.task_rows?.max ?? (rows.length > 0 ? Math.max(...rows) : null),
    medianRows: stage.task_rows?.median ?? (rows.length > 0 ? median(rows) : null),
    meanRows:
      totalRows !== null && stage.tasks ? totalRows / stage.tasks : rows.length > 0 ? rows.reduce((a, b) => a + b, 0) / rows.length : null,
    rowsCorrelation: correlation(rows, runs),
    cpuShare: run !== null && cpu !== null && run > 0 ? cpu / run : null,
    cpuPerRowMs: cpu !== null && totalRows ? cpu / totalRows : null,
    runPerRowMs: run !== null && totalRows ? run / totalRows : null,
    gcShare: run !== null && run > 0 && stage.gc_ms !== undefined ? stage.gc_ms / run : null,
    executorRatio: ratio?.ratio ?? null,
    slowestExecutor: ratio?.slowest ?? null,
  }
}

function executors(stage: Stage): { ratio: number; slowest: { executor: string; host: string | null } } | null {
  const each = (stage.by_executor ?? [])
    .filter((e) => (e.rows ?? 0) > 0 && (e.run_ms ?? 0) > 0 && (e.tasks ?? 1) > 0)
    .map((e) => ({ executor: e.executor, host: e.host ?? null, cost: (e.run_ms as number) / (e.rows as number) }))
    .sort((a, b) => a.cost - b.cost)
  const fastest = each[0]
  const slowest = each.at(-1)
  return fastest && slowest && each.length > 1 ? { ratio: slowest.cost / fastest.cost, slowest } : null
}

/** Pearson's r; null for fewer than 4 points or when either side hardly varies (coefficient of variation below 5 %). */
function correlation(x: readonly number[], y: readonly number[]): number | null {
  const n = x.length
  if (n < 4) return null
  const mx = x.reduce((a, b) => a + b, 0) / n
  const my = y.reduce((a, b) => a + b, 0) / n
  let sxx = 0
  let syy = 0
  let sxy = 0
  for (let i = 0; i < n; i++) {
    const dx = (x[i] as number) - mx
    const dy = (y[i] as number) - my
    sxx += dx * dx
    syy += dy * dy
    sxy += dx * dy
  }
  if (Math.sqrt(sxx / n) < 0.05 * mx || Math.sqrt(syy / n) < 0.05 * my) return null
  return sxy / Math.sqrt(sxx * syy)
}

export interface TaskCost {
  /** Run time that every task has, whatever it reads (opening and closing its file), ms. */
  readonly perTaskMs: number
  /** Run time of one more record, ms. */
  readonly perRowMs: number
  /** Largest over smallest row count seen: below 1.3 the two cannot be told apart. */
  readonly rowsRange: number
  readonly tasks: number
}

/** run = per task + per row x rows, fitted over all tasks of these stages (Theil-Sen); null where rows do not vary or tasks are few. */
export function taskCost(stages: readonly Stage[]): TaskCost | null {
  const points = stages.flatMap((s) => sampleOf(s).map(([rows, run]) => [rows, run] as const)).filter(([rows]) => rows > 0)
  if (points.length < 6) return null
  const rows = points.map(([n]) => n).sort((a, b) => a - b)
  // The middle 80 % must spread: a single odd task gives no slope.
  const low = rows[Math.floor(rows.length * 0.1)] as number
  const high = rows[Math.ceil(rows.length * 0.9) - 1] as number
  const fit = theilSen(points)
  if (fit === null || low <= 0) return null
  return { perTaskMs: fit.intercept, perRowMs: fit.slope, rowsRange: high / low, tasks: points.length }
}
