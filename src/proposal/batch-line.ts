/** The time of a batch as a straight line over its records, for settings that change how many it holds. */
import type { BatchModel } from './batch-model.ts'
import { fixedNow, planned, triggerRows } from './batch-model.ts'
import type { Grounds } from './grounds.ts'
import type { Interval } from './interval.ts'

/** Fixed part and cost of one more record, s, each between two ends. */
export interface BatchLine {
  readonly fixed: Interval
  readonly perRecord: Interval
}

/** As slow as batches are now: the fixed part is that of the slow ones where there are any, with what every task needs besides its records. */
export function lineOf(grounds: Grounds, model: BatchModel): BatchLine {
  const rows = triggerRows(model)
  const records = planned({ ...model, fixed: [0, 0], perTask: 0 }, rows, {})
  const opening = planned({ ...model, fixed: [0, 0], perRow: [0, 0] }, rows, {}).seconds
  const fixed = fixedNow(grounds.facts) ?? model.fixed
  return {
    fixed: [fixed[0] + opening[0], fixed[1] + opening[1]],
    perRecord: [records.seconds[0] / records.rows, records.seconds[1] / records.rows],
  }
}

export const secondsAt = ({ fixed, perRecord }: BatchLine, rows: number): Interval => [
  fixed[0] + perRecord[0] * rows,
  fixed[1] + perRecord[1] * rows,
]

/** Records/s with a cap: its records over the trigger, or over the batch where that is longer. */
export function cappedRate(line: BatchLine, cap: number, period: number): Interval {
  const [short, long] = secondsAt(line, cap)
  return [cap / Math.max(period, long), cap / Math.max(period, short)]
}
