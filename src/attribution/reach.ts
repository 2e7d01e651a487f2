/**
 * What a verdict cannot rest on, because it is no longer kept. A checkpoint keeps 100 batches and the UI about 1,000 jobs: of an incident
 * that is older than they are, no usual batch is left to compare with. Then a cause must explain a slow batch in absolute terms, from
 * what does reach back (an hour of intake, executors that were lost); else the answer is which reading would have to reach further.
 */

import type { Gap } from '../incident/evidence.ts'
import type { Account } from '../timeline/account.ts'
import { reachOf } from '../timeline/completeness.ts'
import { median } from '../timeline/robust.ts'
import type { SeriesName } from '../timeline/timeline.ts'
import type { Acceptance } from './accept.ts'
import type { Wish } from './cause.ts'
import type { Facts } from './facts.ts'
import type { Ranked } from './rank.ts'

const KEEP_MORE = 'spark.sql.streaming.minBatchesToRetain=1000 and spark.ui.retainedJobs=5000, from the next start of the query on'

/** An acceptance that does not rest on batches nobody kept; and where what would decide is one of those, that they would. */
export function withinReach(acceptance: Acceptance, first: Ranked | undefined, facts: Facts): Acceptance {
  const usual = withoutUsual(facts)
  if (acceptance.accepted) {
    if (usual === null || first === undefined || explainsAlone(facts, first.cause.name)) return acceptance
    return { accepted: false, reason: `missing:${usual.signal}`, deciding: usual }
  }
  const { deciding, reason } = acceptance
  if (usual !== null && (deciding === null || deciding.weight === 0 || comparesBatches(deciding))) {
    const asked = reason === null || /^(missing|unexplained|one_witness|coverage)/.test(reason) ? `missing:${usual.signal}` : reason
    return { accepted: false, reason: asked, deciding: usual }
  }
  return deciding === null ? acceptance : { ...acceptance, deciding: readAsFarAsItGoes(deciding, facts) }
}

/** The reading that is missing where no batch from before the incident is kept; null where one is. */
function withoutUsual({ episode, usual }: Facts): Wish | null {
  if (episode === null || !episode.censored || usual !== null) return null
  return {
    signal: 'batches from before it began',
    how: `the oldest batch that is kept, of {at ${episode.from.toFixed(0)}}, is slow already, so what is usual is not known: keep more with ${KEEP_MORE}`,
    weight: 2,
  }
}

/** Readings of stages and of the commit are there; what they lack is what they usually were. */
function comparesBatches({ signal }: Wish): boolean {
  return /^(stage|end of the write job)/.test(signal)
}

const SERIES_OF: Readonly<Record<string, SeriesName>> = { 'partition.log_end_offset': 'intake', 'executor.count': 'executors' }

/** A source that was read, but not far enough back, need not be let in: it is said how far it was read. */
function readAsFarAsItGoes(missing: Wish, { timeline }: Facts): Wish {
  const series = SERIES_OF[missing.signal]
  const reach = series === undefined ? null : reachOf(timeline, series)
  if (reach === null || series === undefined) return missing
  return { ...missing, how: `${series} known from {at ${reach.from.toFixed(0)}} to {at ${reach.to.toFixed(0)}} only: ${missing.how}` }
}

/** Whether the slow batches would be within their limit without the cause, by their own seconds. */
function explainsAlone(facts: Facts, cause: string): boolean {
  const { episode, intake, tasksNow, losses } = facts
  if (episode === null) return true
  const [loss] = losses
  const slots = loss?.slotsBefore && loss.slotsAfter !== null ? loss.slotsAfter / loss.slotsBefore : null
  const closed = facts.ill.filter((account) => account.jobs !== null)
  const factor =
    cause === 'intake_surge'
      ? intake && intake.before / intake.now
      : cause === 'hot_partition'
        ? tasksNow && tasksNow.medianMs / tasksNow.maxMs
        : cause === 'executor_loss'
          ? slots
          : undefined
  if (factor === undefined) return true
  if (factor === null || closed.length === 0) return false
  const usualRows = intake === null ? null : intake.now * episode.limit
  return median(closed.map((account) => secondsWithout(account, Math.min(1, factor), usualRows))) <= episode.limit
}

/** The batch with `factor` of its work, and with no more rows than one trigger brings: those are the backlog of batches before it. */
function secondsWithout(account: Account, factor: number, usualRows: number | null): number {
  const jobs = account.jobs as number
  const rows = account.rows === null || usualRows === null ? 1 : Math.min(1, usualRows / account.rows)
  return account.seconds - jobs + jobs * rows * factor
}

/** What evidence could not rest on, for the list of what was not seen. */
export function reachGaps(facts: Facts): Gap[] {
  const { timeline, episode, intake, executorsSeen } = facts
  const [batches, flow, executors] = (['batches', 'intake', 'executors'] as const).map((series) => reachOf(timeline, series))
  const before = (to: number, source: string, signal: string | null, reason: string): Gap => ({ source, signal, from: 0, to, reason })
  return [
    ...(withoutUsual(facts) !== null && batches
      ? [
          before(
            batches.from,
            'batches',
            null,
            `${timeline.batches.length} batches are kept and the oldest is slow already: what was usual, and when that ended, is not known from them`,
          ),
        ]
      : []),
    ...(intake === null && flow && episode !== null && flow.from > episode.since
      ? [before(flow.from, 'kafka', 'partition.log_end_offset', 'what came in when batches became slow is not known')]
      : []),
    ...(!executorsSeen && executors
      ? [before(executors.from, 'spark', 'executor.count', 'whether an executor was lost is not known')]
      : []),
  ]
}
