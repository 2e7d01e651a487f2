/**
 * Pressure = ln(demand / capacity), demand: records a trigger brings; capacity: records a trigger's time suffices for.
 * For a micro-batch it is ln(seconds that one trigger's records need / seconds there are), so its change is split like the batch's
 * seconds: the jobs' factors in logarithms, everything else by its part of the extra time. The backlog of earlier slow batches is not
 * demand: rows are taken at the rate at which they arrive.
 */

import type { Account, Excess } from '../timeline/account.ts'
import { excessOf } from '../timeline/account.ts'
import type { Episode } from '../timeline/episode.ts'
import type { IntakeChange } from '../timeline/intake.ts'

export interface Pressure {
  readonly before: number
  readonly now: number
  /** Shares of the extra seconds of a batch with one trigger's records, adding up to 1. Empty when there are none. */
  readonly shares: Readonly<Record<PressureTerm, number>> | null
}

export type PressureTerm = 'intake' | 'skew_or_wait' | 'cost' | 'slots' | 'sink' | 'checkpoint' | 'driver'

/** Below this change nothing is split: noise over noise. */
const SMALLEST_CHANGE = 0.05

/**
 * @param ill accounts of the ill batches. The one whose own work was slowest tells how far demand is above capacity (the first may have
 *   been hit half-way only); all of them together tell why, for a single one may have been odd
 * @param tau seconds a batch may take
 * @returns null where the intake or the accounts are not known
 */
export function pressure(
  usual: Account | null,
  ill: readonly Account[],
  intake: IntakeChange | null,
  episode: Episode | null,
  tau: number | null,
): Pressure | null {
  if (usual === null || intake === null || episode === null) return null
  const limit = tau ?? episode.limit
  if (usual.rows === null || usual.rows <= 0 || intake.before <= 0 || intake.now <= 0) return null
  const demand = Math.max(1, usual.rows * (intake.now / intake.before))
  // Like with like: the usual batch has no upkeep of the table's log after it.
  const plain = ill.filter((a) => a.upkeep === 0)
  const normal = (plain.length > 0 ? plain : ill).map((a) => atRows(a, demand)).filter((a) => a !== null)
  if (normal.length === 0) return null
  const before = Math.log(usual.seconds / limit)
  const now = Math.log(Math.max(0.01, ...normal.map((a) => a.seconds)) / limit)
  const slower = normal.filter((a) => a.seconds > usual.seconds)
  const extra = slower.reduce((sum, a) => sum + a.seconds - usual.seconds, 0)
  if (now - before <= SMALLEST_CHANGE || extra <= 0) return { before, now, shares: null }
  const excesses = slower.map((a) => excessOf(a, usual))
  const share = (of: (e: Excess) => number) => excesses.reduce((sum, e) => sum + of(e), 0) / extra
  return {
    before,
    now,
    shares: {
      intake: share((e) => e.volume),
      skew_or_wait: share((e) => e.unevenness),
      cost: share((e) => e.cost + e.work),
      slots: share((e) => e.slots),
      sink: share((e) => e.sinkCommit),
      checkpoint: share((e) => e.checkpoint),
      driver: share((e) => e.planning + e.latestOffset + e.driver),
    },
  }
}

/** The same batch with other rows: what its tasks did scales with them, what the driver did does not. */
export function atRows(account: Account, rows: number): Account | null {
  if (account.rows === null || account.rows <= 0 || account.jobs === null || account.run === null) return null
  const factor = rows / account.rows
  const jobs = account.jobs * factor
  return { ...account, rows, jobs, run: account.run * factor, seconds: account.seconds - account.jobs + jobs }
}
