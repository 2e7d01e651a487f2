// When a fault may begin: the rules of issue 3 section 2, on the rig's own look at the checkpoint.
import type { Batch } from './checkpoint.ts'
import { batchSeconds } from './checkpoint.ts'

/** Calm batches before a fault; the first of a query start, which never count; the newest in a row that must be calm. */
export const CALM_BATCHES = 20
const WARM_UP = 5
const CALM_IN_A_ROW = 2
/** Parts of the trigger: batch time of a calm batch, lag of the newest commit in triggers' worth of intake. */
const BATCH_PART = 0.7
const LAG_TRIGGERS = 2.5

export interface Calm {
  readonly batches: number
  /** Undefined when calm; else what is missing. */
  readonly missing: string | undefined
}

export interface CalmQuestion {
  /** Newest batches in order. */
  readonly batches: readonly Batch[]
  /** Batches that began before do not count: another load or fault was on. */
  readonly sinceMs: number
  readonly triggerMs: number
  /** Log end minus end offsets of the newest commit, records. */
  readonly lag: number
  /** Records per second. */
  readonly rate: number
}

const isCalm = (batch: Batch, triggerMs: number): boolean => {
  const seconds = batchSeconds(batch)
  return seconds !== undefined && seconds * 1000 < BATCH_PART * triggerMs
}

/** Counts the calm batches and says what is still missing before a fault may begin. */
export function judgeCalm({ batches, sinceMs, triggerMs, lag, rate }: CalmQuestion): Calm {
  const ended = batches.filter((batch) => batch.endMs !== undefined && batch.startMs >= sinceMs && batch.number >= WARM_UP)
  const count = ended.filter((batch) => isCalm(batch, triggerMs)).length
  const newest = ended.slice(-CALM_IN_A_ROW)
  const lagLimit = (LAG_TRIGGERS * rate * triggerMs) / 1000
  let missing: string | undefined
  if (count < CALM_BATCHES) missing = `${count} of ${CALM_BATCHES} calm batches`
  else if (!newest.every((batch) => isCalm(batch, triggerMs))) missing = 'the newest batches are above 0.7 of the trigger'
  else if (lag >= lagLimit) missing = `lag ${lag} of at most ${Math.round(lagLimit)}`
  return { batches: count, missing }
}
