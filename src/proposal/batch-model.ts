/**
 * What a batch costs, read from the batches that were seen, so that one with another setting can be worked out:
 *     seconds = fixed + time until the slots are done with its tasks,   task = per task + per record x records.
 * One trigger's records are taken at the rate at which they arrive now: the backlog of earlier slow batches is not demand.
 */
import type { Facts } from '../attribution/facts.ts'
import { accountOf } from '../timeline/account.ts'
import { batchRows } from '../timeline/intake.ts'
import { heldAt, known } from '../timeline/line.ts'
import { median, quantile } from '../timeline/robust.ts'
import type { TaskCost, TaskFacts } from '../timeline/tasks.ts'
import type { TimedBatch } from '../timeline/timeline.ts'
import { bounds } from './bounds.ts'
import type { Interval } from './interval.ts'
import type { Tasks } from './span.ts'
import { inTurn, longestOf, spanOf, totalOf } from './span.ts'
import { tasksByMaxRecords, tasksByMinPartitions } from './split-ranges.ts'

export interface Load {
  readonly topic: string
  readonly partition: number
  /** Records/s. */
  readonly rate: number
}

export interface BatchModel {
  /** Seconds that a batch needs besides its tasks: 80 of 100 batches lie between; and the middle one. */
  readonly fixed: Interval
  readonly fixedUsual: number
  /** Seconds that a task needs besides its records. */
  readonly perTask: number
  /** Seconds of task time a record: [measured / 1.45, measured], for a saturated reader is faster than it looks. */
  readonly perRow: Interval
  readonly slots: number
  /** Seconds from trigger to trigger; for a reader without one its usual batch. */
  readonly period: number
  /** What arrives now, by partition, at the upper 90 % of the total. */
  readonly load: readonly Load[]
  /** Its sum, records/s. */
  readonly intake: number
  /** Records that wait. */
  readonly lag: number
  /** Batches it was read from. */
  readonly batches: number
}

/** A setting that differs from what is. */
export interface Change {
  readonly slots?: number
  readonly minPartitions?: number | null
  readonly maxRecordsPerPartition?: number
}

export interface Planned {
  readonly rows: number
  readonly tasks: readonly number[]
  readonly count: number
  /** All task time, longest task, and time until the slots are done, s; by the measured cost of a record. */
  readonly total: number
  readonly longest: number
  readonly span: Interval
  /** The whole batch, s, over the whole range of what is not known; and as it will be most likely, at the measured cost. */
  readonly seconds: Interval
  readonly likely: number
  /** Records/s of long batches, most likely: the fixed part no longer counts. */
  readonly pace: number
  /**
   * Where batches settle when one trigger's records take longer than the trigger: each then holds what came during the one before it,
   * T = fixed / (1 - span / trigger) (engine.md §3.2), with the usual fixed part. The upper end is Infinity where they would only grow.
   */
  readonly settled: Interval
}

/** null = slots, task times or intake were not seen. */
export function batchModel(facts: Facts): BatchModel | null {
  const { timeline, usual, intake } = facts
  const slots = heldAt(timeline.slots, timeline.now) ?? timeline.pipeline.reader.slots ?? null
  const cost = taskCostOf(facts)
  const period = timeline.triggerS ?? usual?.seconds ?? null
  if (slots === null || slots <= 0 || cost === null || period === null || intake === null || intake.now <= 0) return null
  const high = upperIntake(facts)
  const load = intake.partitions.map(({ topic, partition, now }) => ({ topic, partition, rate: (now / intake.now) * high }))
  const then = costBefore(facts) ?? cost
  const ill = (facts.episode?.ill ?? []).filter((b) => !b.open && !b.warmUp)
  const rest = [...facts.base.map((b) => besides(facts, b, then)), ...ill.map((b) => besides(facts, b, cost))].filter((s) => s !== null)
  if (rest.length === 0) return null
  return {
    fixed: [Math.max(0, quantile(rest, 0.1)), Math.max(0, quantile(rest, 0.9))],
    fixedUsual: Math.max(0, median(rest)),
    perTask: cost.perTask,
    perRow: [cost.perRow / bounds.hiddenCapacity, cost.perRow],
    slots,
    period,
    load,
    intake: high,
    lag: facts.lag?.now ?? timeline.lag.v.at(-1) ?? 0,
    batches: rest.length,
  }
}

/** Upper 90 % of the intake since it changed, records/s: a plan for the mean fails half of the time. */
function upperIntake({ timeline, intake }: Facts): number {
  if (intake === null) return 0
  const rates = known(timeline.intake, intake.nowWindow[0], intake.nowWindow[1]).map(([, rate]) => rate)
  return Math.max(intake.now, rates.length < 3 ? 0 : Math.min(quantile(rates, 0.9), bounds.hiddenCapacity * intake.now))
}

interface Cost {
  readonly perTask: number
  readonly perRow: number
}

/** Of now where tasks of now were seen, else of before. */
const taskCostOf = (facts: Facts): Cost | null => costOf(facts.costNow, facts.tasksNow) ?? costBefore(facts)

function costBefore(facts: Facts): Cost | null {
  const { usual } = facts
  const whole = usual?.run && usual.rows ? { perTask: 0, perRow: usual.run / usual.rows } : null
  return costOf(facts.costBefore, facts.tasksBefore) ?? whole
}

/** Rows of tasks must differ this much before their cost can be told from that of a task (as in attribution/cost-split.ts). */
const ROWS_RANGE = 1.25
/** What all stages cost a record, over what the reading one does, from which on the later ones count. */
const LATER_STAGES = 1.25

/** Work of later stages is booked on the records as well. */
function costOf(fit: TaskCost | null, tasks: TaskFacts | null): Cost | null {
  if (fit === null || fit.rowsRange < ROWS_RANGE || fit.perRowMs <= 0) {
    return tasks?.runPerRowMs ? { perTask: 0, perRow: tasks.runPerRowMs / 1000 } : null
  }
  const perTask = Math.max(0, fit.perTaskMs)
  const all = tasks?.runPerRowMs ?? 0
  const reading = fit.perRowMs + (tasks?.meanRows ? perTask / tasks.meanRows : 0)
  const later = all > LATER_STAGES * reading ? all - reading : 0
  return { perTask: perTask / 1000, perRow: (fit.perRowMs + later) / 1000 }
}

/** Seconds of a batch that its tasks do not explain: without its offsets, all in which no job ran. */
function besides(facts: Facts, batch: TimedBatch, cost: Cost): number | null {
  const account = accountOf(batch, facts.timeline)
  const rows = batchRows(facts.timeline, batch.id).map((one) => one.rows)
  if (rows.length === 0) return account.jobs === null ? null : batch.seconds - account.jobs
  const slots = account.slots ?? 0
  if (slots <= 0) return null
  const tasks = rows.filter((n) => n > 0).map((n) => ({ count: 1, seconds: cost.perTask + cost.perRow * n }))
  return batch.seconds - inTurn(tasks, slots)
}

/** Records of one trigger by partition, in the order of the load. */
export function triggerRows(model: BatchModel, seconds = model.period): number[] {
  return model.load.map(({ rate }) => rate * seconds)
}

/** A batch of these records under a change; without one, as it is now. */
export function planned(model: BatchModel, rows: readonly number[], now: Change, change: Change = {}): Planned {
  const { slots = model.slots, minPartitions = null, maxRecordsPerPartition } = { ...now, ...change }
  const tasks =
    maxRecordsPerPartition === undefined ? tasksByMinPartitions(rows, minPartitions) : tasksByMaxRecords(rows, maxRecordsPerPartition)
  const work = (perRow: number): Tasks[] =>
    rows.map((n, i) => ({ count: tasks[i] as number, seconds: model.perTask + (perRow * n) / Math.max(1, tasks[i] as number) }))
  const measured = work(model.perRow[1])
  const span = spanOf(measured, slots)
  const quick = spanOf(work(model.perRow[0]), slots)[0]
  const settle = (fixed: number, busy: number): number => {
    if (fixed + busy <= model.period) return fixed + busy
    return busy < model.period ? Math.max(model.period, fixed / (1 - busy / model.period)) : Number.POSITIVE_INFINITY
  }
  const total = rows.reduce((a, b) => a + b, 0)
  const taken = inTurn(measured, slots)
  return {
    rows: total,
    tasks,
    count: tasks.reduce((a, b) => a + b, 0),
    total: totalOf(measured),
    longest: longestOf(measured),
    span,
    seconds: [model.fixed[0] + quick, model.fixed[1] + span[1]],
    likely: model.fixedUsual + taken,
    pace: total / taken,
    settled: [settle(model.fixed[0], quick), settle(model.fixedUsual, span[1])],
  }
}

/** Records/s that long batches work off, when the fixed part no longer counts. */
export function capacity(model: BatchModel, now: Change, change: Change = {}): Interval {
  const rows = triggerRows(model)
  const { rows: total, seconds } = planned({ ...model, fixed: [0, 0], perTask: 0 }, rows, now, change)
  return [total / seconds[1], total / seconds[0]]
}

/** Seconds besides the tasks over the slow batches alone: where the constraint is in the driver or the sink, that is the cost now. */
export function fixedNow(facts: Facts): Interval | null {
  const cost = taskCostOf(facts)
  if (cost === null) return null
  const ill = (facts.episode?.ill ?? []).filter((b) => !b.open && !b.warmUp && b.seconds > (facts.episode?.limit ?? 0))
  const rest = ill.map((b) => besides(facts, b, cost)).filter((s) => s !== null)
  return rest.length === 0 ? null : [Math.max(0, Math.min(...rest)), Math.max(0, ...rest)]
}
