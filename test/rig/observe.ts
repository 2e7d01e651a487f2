// What the rig itself sees of a session: batches from the checkpoint, lag from the log ends.
import type { Batch } from './checkpoint.ts'
import { batchSeconds, readBatches } from './checkpoint.ts'
import { logEnds } from './kafka.ts'
import type { Rig } from './layout.ts'
import { median } from './machine-watch.ts'
import type { Session } from './session.ts'
import type { DrillTimes, Observed } from './truth.ts'

export interface Look {
  readonly batches: readonly Batch[]
  /** Log end minus end offsets of the newest commit. */
  readonly lag: number
  readonly atMs: number
}

/** The newest batches and the lag behind the newest commit. */
export async function look(rig: Rig, session: Session, count = 60): Promise<Look> {
  const batches = readBatches(session.checkpoint, session.topic, count)
  const committed = batches.findLast((batch) => batch.endMs !== undefined)
  const ends = await logEnds(rig.brokers, session.topic)
  const lag = ends.reduce((sum, end, partition) => sum + end - (committed?.ends[partition] ?? 0), 0)
  return { batches, lag, atMs: Date.now() }
}

const ageOfOpen = ({ batches, atMs }: Look): number => {
  const last = batches.at(-1)
  return last === undefined || last.endMs !== undefined ? 0 : (atMs - last.startMs) / 1000
}

/** Sums up three looks: before the fault, when the verdict was asked, after it. */
export function observed(before: Look, asked: Look, after: Look, times: DrillTimes): Observed {
  const round = (value: number) => Math.round(value * 100) / 100
  const during = after.batches.filter((batch) => (batch.endMs ?? after.atMs) > times.faultMs && batch.startMs < times.endMs)
  const secondsDuring = during.map((batch) => batchSeconds(batch) ?? (after.atMs - batch.startMs) / 1000)
  return {
    medianBatchBefore: round(median(before.batches.slice(-20).flatMap((batch) => batchSeconds(batch) ?? []))),
    longestBatchDuring: round(Math.max(0, ...secondsDuring)),
    openBatchAtAsk: round(ageOfOpen(asked)),
    batchesDuring: during.length,
    lagBefore: before.lag,
    lagAtAsk: asked.lag,
    keptFromMs: asked.batches[0]?.startMs ?? null,
  }
}
