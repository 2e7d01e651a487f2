/**
 * A batch with the table's log written as quickly as usual. Not only its commit is: every tenth version Delta gathers its log into a
 * checkpoint, by jobs and work of the driver that follow the commit and go to the same store.
 */
import type { Account } from '../timeline/account.ts'
import { median } from '../timeline/robust.ts'
import type { TimedBatch } from '../timeline/timeline.ts'

/** Less than this of extra commit time is noise of a shared machine, s: it says nothing of the log. */
const COMMIT_FLOOR = 0.8

type Job = NonNullable<TimedBatch['jobs']>[number]

export function withUsualTableLog(account: Account, usual: Account, batch: TimedBatch | undefined, base: readonly TimedBatch[]): Account {
  const { sinkCommit, jobs, seconds } = account
  if (sinkCommit === null || usual.sinkCommit === null || sinkCommit <= usual.sinkCommit) return account
  const slow = sinkCommit - usual.sinkCommit >= COMMIT_FLOOR
  const gathered = batch === undefined || jobs === null || !slow ? null : gathering(account, batch, base)
  if (gathered === null) return { ...account, sinkCommit: usual.sinkCommit, seconds: seconds - (sinkCommit - usual.sinkCommit) }
  const log = (batch?.end ?? 0) - (account.commitOffsets ?? 0) - gathered.from
  return {
    ...account,
    sinkCommit: usual.sinkCommit,
    upkeep: usual.upkeep,
    jobs: Math.max(0, (jobs as number) - gathered.jobs),
    seconds: Math.min(seconds, seconds - log + usual.sinkCommit + usual.upkeep),
  }
}

/** When the batch had written its data, and seconds of jobs since; null where it has no more jobs than usual. */
function gathering(
  account: Account,
  batch: TimedBatch,
  base: readonly TimedBatch[],
): { readonly from: number; readonly jobs: number } | null {
  const from = writtenAt(account, batch, base)
  if (from === null) return null
  const since = (batch.jobs ?? []).filter((j) => j.start > from)
  return since.length === 0 ? null : { from, jobs: since.reduce((sum, j) => sum + ((j.end ?? from) - j.start), 0) }
}

/** Where the commit's own time tells the upkeep apart, what lies before both; else once it had written as often as a batch usually does. */
function writtenAt({ upkeep, sinkCommit, commitOffsets }: Account, batch: TimedBatch, base: readonly TimedBatch[]): number | null {
  if (batch.end === null) return null
  if (upkeep > 0) return batch.end - (commitOffsets ?? 0) - upkeep - (sinkCommit ?? 0)
  const counts = base.filter((b) => (b.jobs?.length ?? 0) > 0).map((b) => writes(b).length)
  return counts.length === 0 ? null : (writes(batch)[Math.round(median(counts)) - 1]?.end ?? null)
}

const writes = (batch: TimedBatch): Job[] =>
  (batch.jobs ?? []).filter((j) => j.kind !== 'delta-snapshot').toSorted((a, b) => a.start - b.start)
