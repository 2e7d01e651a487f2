/**
 * Pressure = ln(demand / capacity), demand: records a trigger brings; capacity: records a trigger's time suffices for.
 * For a micro-batch it is ln(seconds that one trigger's records need / seconds there are), so its change is split like the batch's
 * seconds: the jobs' factors in logarithms, everything else by its part of the extra time. The backlog of earlier slow batches is not
 * demand: rows are taken at the rate at which they arrive.
 */
import { excessOf } from '../timeline/account.ts'
import type { Account } from '../timeline/account.ts'
import { median } from '../timeline/robust.ts'
import type { Facts } from './facts.ts'
import { round } from './rank.ts'

export interface Pressure {
  readonly before: number
  readonly now: number
  /** Shares of now - before, adding up to 1. Empty when it did not rise. */
  readonly shares: Readonly<Record<string, number>>
}

/** null where the interval, the intake or the accounts are not known. */
export function pressure(facts: Facts): Pressure | null {
  const { usual, intake, episode } = facts
  const tau = facts.timeline.triggerS
  const sick = facts.ill.find((a) => a.rows !== null && a.jobs !== null && a.run !== null)
  if (usual === null || intake === null || episode === null || tau === null || sick === undefined) return null
  if (usual.rows === null || usual.rows <= 0 || intake.before <= 0 || intake.now <= 0) return null
  const demand = Math.max(1, usual.rows * (intake.now / intake.before))
  const normal = atRows(sick, demand)
  if (normal === null) return null
  const before = Math.log(usual.seconds / tau)
  const now = Math.log(Math.max(0.01, normal.seconds) / tau)
  const excess = excessOf(normal, usual)
  const extra = normal.seconds - usual.seconds
  if (now - before <= 0.05 || extra <= 0) return { before: round(before), now: round(now), shares: {} }
  const parts: Record<string, number> = {
    intake: excess.volume,
    skew_or_wait: excess.unevenness,
    cost: excess.cost + excess.work,
    slots: excess.slots,
    sink: excess.sinkCommit,
    fixed: excess.checkpoint + excess.planning + excess.latestOffset + excess.driver,
  }
  return { before: round(before), now: round(now), shares: Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, round(v / extra)])) }
}

/** The same batch with other rows: what its tasks did scales with them, what the driver did does not. */
function atRows(account: Account, rows: number): Account | null {
  if (account.rows === null || account.rows <= 0 || account.jobs === null) return null
  const factor = rows / account.rows
  const jobs = account.jobs * factor
  return { ...account, rows, jobs, run: account.run === null ? null : account.run * factor, seconds: account.seconds - account.jobs + jobs }
}

/** Median intake of the partitions, for readers who want a feeling for "usual". */
export function medianPartitionIntake(facts: Facts): number | null {
  return facts.intake === null ? null : median(facts.intake.partitions.map((p) => p.now))
}
