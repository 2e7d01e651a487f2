/**
 * From when on batches count. After a restart the first five judge nothing: cold JVMs, and a backlog that is none of the setting's doing.
 * Without one a change gets a minute, or two batches, to act.
 */
import type { Look } from '../proposal/grounds.ts'
import type { TimedBatch } from '../timeline/timeline.ts'

export interface JudgedWindow {
  /** Seconds since window.from of the look: when the change was applied. */
  readonly applied: number
  /** From here on the new setting may act: the first batch after the restart, or the application where there was none. */
  readonly acting: number
  /** Batches from here on count. */
  readonly from: number
  /** The query was started anew since: its run has another id. null = runs were not seen. */
  readonly restarted: boolean | null
  /** Batches that ended since the application, cold ones included. */
  readonly ended: readonly TimedBatch[]
  /** Those that count, oldest first. */
  readonly batches: readonly TimedBatch[]
}

const SETTLE_SECONDS = 60
const SETTLE_BATCHES = 2
const COLD_BATCHES = 5

export function judgedWindow({ timeline }: Look, before: Look, appliedAtMs: number): JudgedWindow {
  const applied = appliedAtMs / 1000 - timeline.zeroS
  const ended = timeline.batches.filter((b) => !b.open && (b.end as number) > applied)
  const started = ended.filter((b) => b.start >= applied)
  const oldRun = before.timeline.batches.findLast((b) => b.run !== undefined)?.run
  const newest = timeline.batches.findLast((b) => b.run !== undefined)?.run
  const restarted = oldRun === undefined || newest === undefined ? null : newest !== oldRun
  const ofRun = restarted === true ? started.filter((b) => b.run === newest) : started
  const first = ofRun[restarted === true ? COLD_BATCHES : SETTLE_BATCHES]
  const from = Math.max(applied + SETTLE_SECONDS, first?.start ?? Number.POSITIVE_INFINITY)
  const acting = restarted === true ? Math.max(applied, ofRun[0]?.start ?? timeline.now) : applied
  return { applied, acting, from, restarted, ended, batches: ofRun.filter((b) => b.start >= from && !b.warmUp) }
}
