/**
 * What each cause does to the reader, so that it can be taken away: which part of the intake is its, and which terms of a batch's
 * account. A cause that is not listed here does nothing to batches that could be computed back; nothing is claimed for it then.
 */
import type { Account } from '../timeline/account.ts'
import type { IntakeChange } from '../timeline/intake.ts'
import type { TimedBatch } from '../timeline/timeline.ts'
import { costSplit } from './cost-split.ts'
import type { ExecutorLoss, Facts } from './facts.ts'
import { withEvenRows, withoutRepeats, withUsualCost, withUsualPhases, withUsualSlots, withUsualSpread } from './without-account.ts'
import type { IntakePart } from './without-intake.ts'
import { intakeWithout, keyOf } from './without-intake.ts'
import { withUsualTableLog } from './without-table-log.ts'

export interface Effect {
  readonly intake?: IntakePart
  /** The account of an ill batch without it. */
  readonly account?: (account: Account, usual: Account, facts: Facts) => Account
  /** What else would not have been seen. */
  readonly facts?: (facts: Facts) => Partial<Facts>
}

/** A new executor is slow in its first batch: the time it needs from its start to that batch's is a few seconds (rig-spark.md T12). */
const COLD_SECONDS = 5
/** A killed executor is noticed about this much later. */
const NOTICED_SECONDS = 1
/** JVM out of memory, or a heartbeat that a full collection held up (causes.md: executor_gc_or_memory). */
const BY_MEMORY = /\bcode 52\b|out ?of ?memory|heartbeat/i

export const effects: Readonly<Record<string, Effect>> = {
  intake_surge: { intake: 'common' },
  hot_partition: {
    intake: 'single',
    account: (a, usual, facts) => even(a, usual, facts, facts.concentration?.partitions ?? [], left(intakeWithout('single', facts), facts)),
    facts: (facts) => ({ tasksNow: evenTasks(facts) }),
  },
  upstream_late: {
    intake: 'late',
    account: (a, usual, facts) => even(a, usual, facts, facts.lateness?.partitions ?? [], 0),
    facts: (facts) => ({
      lateness: facts.lateness && { ...facts.lateness, partitions: [], records: 0, seconds: 0, beyondUsual: 0 },
      tasksNow: evenTasks(facts),
    }),
  },
  slow_processing: {
    account: (a, usual, facts) => withUsualCost(a, usual, 1 - perTaskShare(facts)),
    facts: usualPerRow,
  },
  slow_sink: {
    account: (a, usual, facts) => withUsualCost(withUsualTableLog(a, usual, batchOf(facts, a.id), facts.base), usual, perTaskShare(facts)),
    facts: usualPerTask,
  },
  executor_loss: {
    account: (a, usual, facts) => {
      const batch = batchOf(facts, a.id)
      const back = withUsualSlots(a, usual, (facts.tasksNow?.maxMs ?? 0) / 1000)
      return touched(batch, facts.losses) ? withoutRepeats(back, usual, batch) : back
    },
    facts: () => ({ losses: [] }),
  },
  memory_gc: {
    account: (a, usual, facts) => {
      const batch = batchOf(facts, a.id)
      return touched(batch, facts.losses.filter(byMemory)) ? withoutRepeats(a, usual, batch) : withUsualCost(a, usual, 1)
    },
    facts: (facts) => ({ losses: facts.losses.filter((loss) => !byMemory(loss)), ...usualPerRow(facts) }),
  },
  straggler_host: {
    account: (a, usual) => withUsualSpread(withUsualCost(a, usual, 1), usual),
    facts: (facts) => ({ ...usualPerRow(facts), tasksNow: evenTasks(facts) }),
  },
  data_skew: { account: withUsualSpread, facts: (facts) => ({ tasksNow: evenTasks(facts) }) },
  checkpoint_latency: { account: (a, usual) => withUsualPhases(a, usual, ['walCommit', 'commitOffsets']) },
  planning_overhead: { account: (a, usual) => withUsualPhases(a, usual, ['planning', 'latestOffset']) },
}

const byMemory = (loss: ExecutorLoss): boolean => BY_MEMORY.test(loss.event.text ?? '')

interface Partition {
  readonly topic: string
  readonly partition: number
}

function even(account: Account, usual: Account, facts: Facts, single: readonly Partition[], leastRows: number): Account {
  const { intake } = facts
  if (single.length === 0 || intake === null || intake.before <= 0) return account
  const keys = new Set(single.map(keyOf))
  const before = intake.partitions.filter((p) => keys.has(keyOf(p))).reduce((a, p) => a + p.before, 0)
  const beyond = { partitions: single, usualShare: before / intake.before, leastRows }
  return withEvenRows(account, usual, batchOf(facts, account.id), beyond)
}

const left = (rest: IntakeChange | null, { intake }: Facts): number => (rest === null || !intake?.now ? 0 : rest.now / intake.now)

const batchOf = (facts: Facts, id: number): TimedBatch | undefined => facts.episode?.ill.find((b) => b.id === id)

const perTaskShare = (facts: Facts): number => costSplit(facts)?.perTaskShare ?? 0

/** The batch in which an executor was lost repeats its work; until the first batch of the new one, work is slow by nature. */
function touched(batch: TimedBatch | undefined, losses: readonly ExecutorLoss[]): boolean {
  if (batch === undefined) return false
  const end = batch.end ?? Number.POSITIVE_INFINITY
  return losses.some(({ event, replacedAt }) => {
    const lost = event.at - NOTICED_SECONDS <= end && event.at >= batch.start
    const cold = replacedAt !== null && replacedAt <= end && replacedAt + COLD_SECONDS >= batch.start
    return lost || cold
  })
}

/** The longest task as much longer than the median as it usually is. */
function evenTasks({ tasksNow, tasksBefore }: Facts): Facts['tasksNow'] {
  if (tasksNow === null) return null
  const usual = tasksBefore !== null && tasksBefore.medianMs > 0 ? tasksBefore.maxMs / tasksBefore.medianMs : 1
  return {
    ...tasksNow,
    maxMs: Math.min(tasksNow.maxMs, tasksNow.medianMs * usual),
    maxRows: tasksNow.medianRows,
    rowsCorrelation: null,
    executorRatio: tasksBefore?.executorRatio ?? null,
  }
}

const least = (now: number | null, before: number | null | undefined): number | null =>
  now === null || before === null || before === undefined ? now : Math.min(now, before)

function usualPerRow({ tasksNow, tasksBefore, costNow, costBefore }: Facts): Partial<Facts> {
  const cost = costNow && { ...costNow, perRowMs: least(costNow.perRowMs, costBefore?.perRowMs) as number }
  if (tasksNow === null || !tasksNow.runPerRowMs || !tasksBefore?.runPerRowMs) return { costNow: cost }
  const factor = Math.min(1, tasksBefore.runPerRowMs / tasksNow.runPerRowMs)
  return {
    costNow: cost,
    tasksNow: {
      ...tasksNow,
      medianMs: tasksNow.medianMs * factor,
      maxMs: tasksNow.maxMs * factor,
      runPerRowMs: tasksNow.runPerRowMs * factor,
      cpuPerRowMs: least(tasksNow.cpuPerRowMs, tasksBefore.cpuPerRowMs),
      cpuShare: tasksBefore.cpuShare,
      gcShare: least(tasksNow.gcShare, tasksBefore.gcShare),
    },
  }
}

function usualPerTask(facts: Facts): Partial<Facts> {
  const { tasksNow, costNow, costBefore } = facts
  const cost = costNow && { ...costNow, perTaskMs: least(costNow.perTaskMs, costBefore?.perTaskMs) as number }
  const split = costSplit(facts)
  if (tasksNow === null || split === null) return { costNow: cost }
  const extra = Math.max(0, split.perTaskExtraMs)
  return {
    costNow: cost,
    tasksNow: {
      ...tasksNow,
      medianMs: Math.max(1, tasksNow.medianMs - extra),
      maxMs: Math.max(1, tasksNow.maxMs - extra),
      runPerRowMs:
        tasksNow.runPerRowMs === null || !tasksNow.meanRows
          ? tasksNow.runPerRowMs
          : Math.max(0, tasksNow.runPerRowMs - extra / tasksNow.meanRows),
      cpuShare: facts.tasksBefore?.cpuShare ?? null,
    },
  }
}
