/**
 * Cuts the partition with most records into several tasks of the same query. Nothing changes in Kafka, and it is taken back by removing
 * one option. It helps where slots idle while one task works, or where there are fewer partitions than slots; never where all slots are
 * busy anyway.
 */

import { count, duration, share } from '../../incident/format.ts'
import type { Proposal } from '../../incident/proposal.ts'
import type { BatchModel, Planned } from '../batch-model.ts'
import { capacity, planned, triggerRows } from '../batch-model.ts'
import { bounds, mayMove, worthIt } from '../bounds.ts'
import { batchDuration, draining, drainsHow, growing, idleExpected, loadExpected, longestBatch, timing } from '../expect.ts'
import type { Grounds } from '../grounds.ts'
import { isSpark } from '../grounds.ts'
import { seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { costLine, elsewhere, fitting, inTime, noModel, notKnown, scopeOf, settling, unfit } from '../lever.ts'
import { isKnown, minPartitions as minPartitionsNow } from '../settings.ts'
import { spanInWords } from '../span.ts'
import { applyOption, stopRules, testTasks, undoOption } from '../spark-options.ts'

/** Numbers that are tried between one more task and twice as many. */
const CANDIDATES = 64

export const minPartitions: Lever = {
  knob: 'minPartitions',
  title: 'splitting partitions in Spark (minPartitions)',
  weigh(grounds) {
    if (!isSpark(grounds)) return elsewhere('only Spark can divide a partition; a member of a group reads it alone')
    const { model } = grounds
    if (model === null) return noModel
    const from = minPartitionsNow(grounds)
    if (!isKnown(from)) return notKnown(from)
    const not = mayMove('minPartitions', grounds.tried, grounds.nowMs)
    if (not !== null) return unfit(not)
    const rows = triggerRows(model)
    const now = planned(model, rows, { minPartitions: from.value })
    if (now.seconds[1] <= bounds.fillsTrigger * model.period) return unfit(inTime(now, model.period))
    const chosen = choose(model, rows, from.value, now)
    if ('kind' in chosen) return chosen
    return proposal(grounds, model, from, rows, now, chosen)
  },
}

interface Chosen {
  readonly to: number
  readonly after: Planned
  /** Why not more. */
  readonly enough: string
  readonly most: number
}

/** The smallest number that brings the batch into its time, or gains all but a tenth of what can be gained. */
function choose(model: BatchModel, rows: readonly number[], from: number | null, now: Planned): Chosen | Unfit {
  const base = Math.max(from ?? 0, now.count)
  const most = base * bounds.largestStep
  const step = Math.max(1, Math.ceil((most - base) / CANDIDATES))
  const tried: { to: number; after: Planned }[] = []
  for (let to = base + 1; to <= most; to += step)
    tried.push({ to, after: planned(model, rows, { minPartitions: from }, { minPartitions: to }) })
  const likely = Math.min(...tried.map(({ after }) => after.likely))
  const no = worthIt(now.likely / likely, 'batches')
  if (no !== null) {
    return unfit(
      `${no} (${model.slots} slots share ${duration(now.total)} of task time, ${duration(now.total / model.slots)} each; the longest task takes ${duration(now.longest)})`,
    )
  }
  const helpful = tried.filter(({ after }) => now.likely / after.likely >= bounds.smallestEffect)
  for (const part of [bounds.utilisation, bounds.fillsTrigger]) {
    const fits = helpful.find(({ after }) => after.seconds[1] <= part * model.period)
    if (fits !== undefined) {
      return {
        ...fits,
        most,
        enough: `the smallest with which a batch surely takes at most ${share(part)} of its ${duration(model.period)}`,
      }
    }
  }
  // Beyond the trigger a little more makes much of a difference to where batches settle.
  const settled = Math.min(...helpful.map(({ after }) => after.settled[1]))
  const nearly = (best: number, of: (after: Planned) => number) => helpful.find(({ after }) => of(after) <= best * bounds.smallestEffect)
  const chosen = Number.isFinite(settled) ? nearly(settled, (after) => after.settled[1]) : nearly(likely, (after) => after.likely)
  return chosen === undefined
    ? unfit('no number of tasks within one step helps')
    : { ...chosen, most, enough: 'the smallest that gains all but a tenth of what any number would' }
}

function proposal(
  grounds: Grounds,
  model: BatchModel,
  from: Proposal['action']['from'],
  rows: readonly number[],
  now: Planned,
  { to, after, enough, most }: Chosen,
): Fit {
  const query = scopeOf(grounds)
  // What a hot partition is found by are the slots that idle beside its task; anything else is found by the time the reader needs.
  const hot = grounds.attribution.cause === 'hot_partition'
  const rates = capacity(model, {}, { minPartitions: to })
  const drains = draining(grounds, rates, model.intake, bounds.restartSeconds, after.settled)
  const when = timing('minPartitions', model.period, after.seconds[1], drains?.latest ?? bounds.catchUpSeconds)
  return fitting(grounds, drainsHow(drains, after.pace, model.intake), {
    action: { knob: 'minPartitions', from, to, scope: query },
    arithmetic: [
      ...loadLines(model, rows),
      costLine(model),
      `now: ${now.count} tasks, the longest ${duration(now.longest)}; a batch takes ${seconds(now.seconds)} of ${duration(model.period)}`,
      cutLine(model, rows, now, after, to),
      `${model.slots} slots then share ${duration(after.total)} and are done after ${seconds(after.span)} (${spanInWords(after.total, after.longest, after.count, model.slots)}); a batch takes ${seconds(after.seconds)}${settling(after, model.period)}`,
      `${to} is ${enough}; one step goes up to ${most}`,
      ...(drains === null ? [noDrain(model, rates[1])] : [drains.line]),
    ],
    expects: [
      (hot ? idleExpected : loadExpected)(grounds, model, now, after, when),
      ...batchDuration(grounds, [after.settled[0], Math.max(after.seconds[1], after.settled[1])], when),
      drains === null ? growing(grounds, Math.max(0, model.intake - rates[1]), model.intake, when) : drains.expects,
    ],
    apply: applyOption(grounds, query, 'minPartitions', to),
    test: testTasks(grounds, after.count, after.longest),
    undo: undoOption(query, 'minPartitions', from),
    stopIf: stopRules(
      Math.max(longestBatch(grounds), now.seconds[1]),
      bounds.restartSeconds,
      model.lag + model.intake * bounds.restartSeconds,
    ),
    willNotFix: [
      hot ? "why the records are spread like this: that is the producer's key" : 'why there is more work than before',
      `order inside a partition: several tasks read it at once, so do not use it where a batch relies on that order (last write wins without a time of its own)`,
      ...(now.longest > bounds.fillsTrigger * model.period
        ? [`more executors would not help instead: the longest task takes ${duration(now.longest)} however many there are`]
        : []),
      ...(drains === null ? ['that more arrives than all slots work off together'] : []),
    ],
  })
}

function loadLines(model: BatchModel, rows: readonly number[]): string[] {
  const total = rows.reduce((a, b) => a + b, 0)
  const [most = 0] = [...rows].sort((a, b) => b - a)
  const partition = model.load[rows.indexOf(most)]?.partition ?? 0
  return [
    `one trigger (${duration(model.period)}) brings ${count(total)} records at ${count(model.intake)} records/s, ${count(most)} of them (${share(most / total)}) in partition ${partition}`,
  ]
}

/** Which partitions are cut into how many tasks. */
function cutLine(model: BatchModel, rows: readonly number[], now: Planned, after: Planned, to: number): string {
  const cut = model.load.flatMap(({ partition }, i) => {
    const pieces = after.tasks[i] as number
    return pieces > (now.tasks[i] as number) ? [{ partition, pieces, rows: (rows[i] as number) / pieces }] : []
  })
  const [first] = cut.toSorted((a, b) => b.pieces - a.pieces)
  if (first === undefined) return `with ${to}: ${after.count} tasks`
  const which = cut.length === 1 ? `partition ${first.partition}` : `${cut.length} partitions, partition ${first.partition}`
  return `with ${to} Spark cuts ${which} into ${first.pieces} tasks of ${count(first.rows)} records, ${duration(model.perTask + first.rows * model.perRow[1])} each; ${after.count} tasks in all`
}

const noDrain = (model: BatchModel, most: number): string =>
  `even so at most ${count(most)} records/s are worked off while ${count(model.intake)} arrive: the lag then still grows`
