/**
 * A task became slower: by the file it writes, or by the records it works on? Both look the same in run time minus CPU time.
 * What differs is what they follow: opening and closing a file costs every task the same, a record costs each time. So with tasks of
 * different size the line run = per task + per row x rows tells them apart (rig-spark.md §5, slow sink against slow record).
 */
import type { Facts } from './facts.ts'

export interface CostSplit {
  /** Extra run time of a usual task, ms, that does not depend on its rows. */
  readonly perTaskExtraMs: number
  /** Extra run time of a usual task, ms, through its rows. */
  readonly perRowExtraMs: number
  readonly perTaskMs: readonly [number, number]
  readonly perRowMs: readonly [number, number]
  /** 0..1: how much of the rise every task has alike. */
  readonly perTaskShare: number
  /** Run time of a usual task now over before. */
  readonly ratio: number
}

/** Rows of tasks must differ at least this much before a slope can be read. */
const ROWS_RANGE = 1.25

/**
 * null where tasks were not read, or those of now hardly differ in rows.
 * Where the usual tasks were all of one size r0 and took R0, their own split is unknown but bounded: perTask0 in [0, R0]. The end of
 * the resulting interval that is nearest to "undecided" is taken, so that only a clear case decides.
 */
export function costSplit(facts: Facts): CostSplit | null {
  const before = facts.costBefore
  const now = facts.costNow
  const rows = facts.tasksBefore?.meanRows ?? facts.tasksNow?.meanRows ?? null
  if (now === null || now.rowsRange < ROWS_RANGE || now.perRowMs < 0 || rows === null || rows <= 0) return null
  if (before !== null && before.rowsRange >= ROWS_RANGE) return splitOf(before, now, rows)
  const usual = facts.tasksBefore?.medianMs
  if (usual === undefined) return null
  const allPerRow = splitOf({ perTaskMs: 0, perRowMs: usual / rows }, now, rows)
  const allPerTask = splitOf({ perTaskMs: usual, perRowMs: 0 }, now, rows)
  const low = Math.min(allPerRow.perTaskShare, allPerTask.perTaskShare)
  const high = Math.max(allPerRow.perTaskShare, allPerTask.perTaskShare)
  // The end of [low, high] nearest to one half: 0.5 itself when the interval holds it.
  return { ...allPerRow, perTaskShare: Math.min(Math.max(0.5, low), high) }
}

function splitOf(
  before: { readonly perTaskMs: number; readonly perRowMs: number },
  now: { readonly perTaskMs: number; readonly perRowMs: number },
  rows: number,
): CostSplit {
  const perTaskExtraMs = now.perTaskMs - before.perTaskMs
  const perRowExtraMs = (now.perRowMs - before.perRowMs) * rows
  const up = Math.max(0, perTaskExtraMs) + Math.max(0, perRowExtraMs)
  const usual = before.perTaskMs + before.perRowMs * rows
  return {
    perTaskExtraMs,
    perRowExtraMs,
    perTaskMs: [before.perTaskMs, now.perTaskMs],
    perRowMs: [before.perRowMs, now.perRowMs],
    perTaskShare: up <= 0 ? 0.5 : Math.max(0, perTaskExtraMs) / up,
    ratio: usual > 0 ? (now.perTaskMs + now.perRowMs * rows) / usual : 1,
  }
}

/**
 * Run time of a task of the usual size, now over before, from whatever was seen; null = not seen.
 * Both the sum over tasks and the task in the middle must be slower: a few tasks that hang (a frozen broker, one host) make no slow work.
 */
export function slowdown(facts: Facts): number | null {
  const split = costSplit(facts)
  const before = facts.tasksBefore
  const now = facts.tasksNow
  const middle = before?.medianRows && now?.medianRows ? now.medianMs / now.medianRows / (before.medianMs / before.medianRows) : null
  const all = split?.ratio ?? (before?.runPerRowMs && now?.runPerRowMs ? now.runPerRowMs / before.runPerRowMs : null)
  return all === null || middle === null ? (all ?? middle) : Math.min(all, middle)
}
