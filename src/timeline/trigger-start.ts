/**
 * When each batch was triggered. Spark writes it only into the event log; offsets/N is stamped after latestOffset. But a trigger can
 * only be at two kinds of instants: as soon as the batch before has ended, when that took longer than the interval, or at a multiple
 * of the interval since 1970.
 */
import { median, quantile } from './robust.ts'
import type { SeenBatch } from './sightings.ts'
import { WAITED_MS } from './trigger.ts'

/** Fewer records than this in an interval, and an interval without any is to be expected. */
const STEADY_RECORDS = 5
/** More batches than this after an idle wait, and waiting is this pipeline's habit. */
const HABIT_SHARE = 0.2

/** Trigger start by batch id, epoch ms; a batch whose start cannot be told is absent. */
export function triggerStarts(
  batches: readonly SeenBatch[],
  rowsOf: ReadonlyMap<number, number>,
  triggerS: number | null,
): Map<number, number> {
  const intervalMs = triggerS === null ? null : triggerS * 1000
  const flow = flowOf(batches, rowsOf, intervalMs)
  const starts = new Map<number, number>()
  for (let i = 0; i < batches.length; i++) {
    const batch = batches[i] as SeenBatch
    const before = batches[i - 1]
    const start =
      batch.triggerStartMs ?? startAfter(before?.id === batch.id - 1 ? before : undefined, batch, starts, flow, rowsOf.get(batch.id))
    if (start !== null) starts.set(batch.id, start)
  }
  return starts
}

interface Flow {
  readonly intervalMs: number | null
  /** Records/ms while batches follow each other; null where idle waits are nothing unusual. */
  readonly steadyRate: number | null
  /** An interval, or the usual time from plan to plan. */
  readonly usualMs: number
}

function startAfter(
  before: SeenBatch | undefined,
  batch: SeenBatch,
  starts: ReadonlyMap<number, number>,
  flow: Flow,
  rows: number | undefined,
): number | null {
  const planned = batch.plannedAtMs
  const ended = before === undefined ? undefined : endOf(before, starts)
  if (planned === undefined || before === undefined || ended === undefined) return null
  // A query that is started runs its first trigger at once, on no multiple.
  if (before.run !== undefined && batch.run !== undefined && before.run !== batch.run) return null
  const begun = starts.get(before.id) ?? before.plannedAtMs ?? ended
  const { intervalMs } = flow
  if (intervalMs === null) {
    if (planned - ended <= WAITED_MS) return Math.min(ended, planned)
    return hung(planned - ended, planned - (before.plannedAtMs ?? begun), flow, rows) ? ended : null
  }
  const nextTick = (Math.floor(begun / intervalMs) + 1) * intervalMs
  const behind = nextTick <= ended
  const earliest = Math.min(behind ? ended : nextTick, planned)
  const lastTick = Math.floor(planned / intervalMs) * intervalMs
  if (lastTick <= earliest) return earliest
  // A tick lies between: either latestOffset took that long, or triggers in between found nothing to do.
  if (lastTick - earliest < intervalMs && flow.steadyRate !== null) return earliest
  return hung(planned - earliest, planned - (before.plannedAtMs ?? begun), flow, rows) ? earliest : lastTick
}

/**
 * Did the broker take so long to answer latestOffset, or was there nothing to read? After a hang the batch holds the records of the
 * whole time; after an idle wait those of at most one interval. Only said where records flow steadily.
 */
function hung(waitMs: number, sincePlanMs: number, flow: Flow, rows: number | undefined): boolean {
  if (flow.steadyRate === null || rows === undefined || waitMs <= 0) return false
  return rows >= flow.steadyRate * Math.sqrt(flow.usualMs * sincePlanMs)
}

function endOf(batch: SeenBatch, starts: ReadonlyMap<number, number>): number | undefined {
  const start = starts.get(batch.id)
  const whole = batch.phasesMs?.triggerExecution
  if (start !== undefined && batch.triggerStartMs === start && whole !== undefined) return start + whole
  return typeof batch.committedMs === 'number' ? batch.committedMs : undefined
}

function flowOf(batches: readonly SeenBatch[], rowsOf: ReadonlyMap<number, number>, intervalMs: number | null): Flow {
  const waits: number[] = []
  const apart: number[] = []
  const rates: number[] = []
  for (let i = 1; i < batches.length; i++) {
    const [before, batch] = [batches[i - 1], batches[i]]
    if (before?.plannedAtMs === undefined || batch?.plannedAtMs === undefined || before.id !== batch.id - 1) continue
    const distance = batch.plannedAtMs - before.plannedAtMs
    if (distance <= 0) continue
    if (typeof before.committedMs === 'number') waits.push(batch.plannedAtMs - before.committedMs)
    apart.push(distance)
    const rows = rowsOf.get(batch.id)
    if (rows !== undefined) rates.push(rows / distance)
  }
  const usualMs = intervalMs ?? (apart.length > 0 ? median(apart) : 1000)
  const idle = waits.filter((wait) => wait > 1.5 * (intervalMs ?? WAITED_MS * 4)).length
  // The lower quarter: a backlog that is drained makes rates larger than the flow, never smaller.
  const rate = rates.length > 0 ? quantile(rates, 0.25) : null
  const steady = rate !== null && rate * usualMs >= STEADY_RECORDS && idle <= waits.length * HABIT_SHARE
  return { intervalMs, steadyRate: steady ? rate : null, usualMs }
}
