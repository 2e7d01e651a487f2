/** The account of a batch with one thing about it as usual: fewer rows, cheaper work, all slots, a quick commit. Seconds follow. */
import type { Account } from '../timeline/account.ts'
import type { TimedBatch } from '../timeline/timeline.ts'
import { atRows } from './pressure.ts'

interface Partition {
  readonly topic: string
  readonly partition: number
}

/** What a record costs at most of the time a batch took: where jobs were not seen all of a batch grows with its rows, down to the usual. */
export function withRows(account: Account, usual: Account, rows: number): Account {
  const scaled = atRows(account, rows)
  if (scaled !== null) return scaled
  if (account.rows === null || account.rows <= 0) return account
  return { ...account, rows, seconds: Math.max(Math.min(usual.seconds, account.seconds), account.seconds * (rows / account.rows)) }
}

/** What single partitions got beyond their usual share. */
export interface Beyond {
  readonly partitions: readonly Partition[]
  /** Their share of all rows before, 0..1. */
  readonly usualShare: number
  /** Share of the rows that would have come at least: where the others lost what these gained, it comes back to them. */
  readonly leastRows: number
}

/** Without what single partitions got beyond their usual share: the task that read them ends with its peers. */
export function withEvenRows(account: Account, usual: Account, batch: TimedBatch | undefined, beyond: Beyond): Account {
  const { rows, jobs, run, slots } = account
  const read = batch === undefined ? null : rowsOf(batch, beyond.partitions)
  if (rows === null || rows <= 0 || read === null) return account
  const { usualShare, leastRows } = beyond
  const left = Math.min(rows, Math.max(leastRows * rows, (rows - read) / Math.max(1e-6, 1 - usualShare)))
  const even = withRows(account, usual, left)
  if (jobs === null || run === null || slots === null || slots <= 0 || even.run === null) return even
  // No shorter than the work that is left, spread over the slots as well as it usually is; no shorter than without that task's extra rows.
  const spread = ((usual.jobs ?? jobs) * (usual.slots ?? slots)) / Math.max(1e-6, usual.run ?? run)
  const extra = Math.max(0, read - left * usualShare)
  return withJobs(account, Math.min(jobs, Math.max((even.run / slots) * spread, jobs - (extra * run) / rows)), left, even.run)
}

function rowsOf(batch: TimedBatch, partitions: readonly Partition[]): number | null {
  let rows = 0
  for (const { topic, partition } of partitions) {
    const from = batch.from_offset?.[topic]?.[partition]
    const to = batch.to_offset?.[topic]?.[partition]
    if (from === undefined || to === undefined) return null
    rows += Math.max(0, to - from)
  }
  return rows
}

/** @param share of the extra task time that is taken away, 0..1 */
export function withUsualCost(account: Account, usual: Account, share: number): Account {
  const { rows, jobs, run } = account
  if (rows === null || jobs === null || run === null || run <= 0 || !usual.rows || usual.run === null) return account
  const extra = Math.max(0, run - (rows * usual.run) / usual.rows)
  const left = run - share * extra
  return withJobs(account, jobs * (left / run), rows, left)
}

/** With all slots back: no shorter than the longest of its tasks. */
export function withUsualSlots(account: Account, usual: Account, longestTask: number): Account {
  const { rows, jobs, run, slots } = account
  if (jobs === null || slots === null || usual.slots === null || slots >= usual.slots) return account
  const back = withJobs(account, Math.max(Math.min(jobs, longestTask), (jobs * slots) / usual.slots), rows, run)
  return { ...back, slots: usual.slots }
}

/** Each record worked on once, at the usual cost: no longer than the work spread as usual, or than the partition with most rows. */
export function withoutRepeats(account: Account, usual: Account, batch: TimedBatch | undefined): Account {
  const once = withUsualCost(account, usual, 1)
  const { rows, jobs, run, slots } = once
  if (rows === null || jobs === null || run === null || !slots || usual.jobs === null || !usual.run || !usual.slots || !usual.rows)
    return once
  const most = rowsByPartition(batch).reduce((a, b) => Math.max(a, b), 0)
  const longest = (most * usual.run) / usual.rows
  return withJobs(once, Math.min(jobs, Math.max((run / slots) * ((usual.jobs * usual.slots) / usual.run), longest)), rows, run)
}

function rowsByPartition(batch: TimedBatch | undefined): number[] {
  return Object.entries(batch?.to_offset ?? {}).flatMap(([topic, ends]) =>
    Object.entries(ends).map(([partition, end]) => end - (batch?.from_offset?.[topic]?.[partition] ?? end)),
  )
}

/** With tasks as even as they usually are. */
export function withUsualSpread(account: Account, usual: Account): Account {
  const { rows, jobs, run, slots } = account
  if (jobs === null || run === null || !slots || usual.jobs === null || !usual.run || !usual.slots) return account
  return withJobs(account, Math.min(jobs, (run / slots) * ((usual.jobs * usual.slots) / usual.run)), rows, run)
}

type Phase = 'latestOffset' | 'planning' | 'walCommit' | 'commitOffsets'

/** With these phases no longer than usual. */
export function withUsualPhases(account: Account, usual: Account, phases: readonly Phase[]): Account {
  let { seconds } = account
  const shorter: Partial<Record<Phase, number>> = {}
  for (const phase of phases) {
    const [now, before] = [account[phase], usual[phase]]
    if (now === null || before === null || now <= before) continue
    shorter[phase] = before
    seconds -= now - before
  }
  return { ...account, ...shorter, seconds }
}

function withJobs(account: Account, jobs: number, rows: number | null, run: number | null): Account {
  const less = jobs - (account.jobs as number)
  return {
    ...account,
    rows,
    run,
    jobs,
    seconds: account.seconds + less,
    addBatch: account.addBatch === null ? null : account.addBatch + less,
  }
}
