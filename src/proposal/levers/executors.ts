/**
 * More executors for a reader whose slots are all busy. As many as DS2 and Flink's autoscaler would ask for,
 *     C = λ / 0.7 + L / 30 min + λ x restart / 30 min,
 * in slots that each work off what one works off now; never more than there are tasks to run at once, nor than twice as many. It cannot
 * beat the longest task, and it does nothing for a reader that a cap holds.
 */
import { count, duration, rate } from '../../incident/format.ts'
import type { Proposal } from '../../incident/proposal.ts'
import { heldAt } from '../../timeline/line.ts'
import type { BatchModel, Planned } from '../batch-model.ts'
import { capacity, planned, triggerRows } from '../batch-model.ts'
import type { Step } from '../bounds.ts'
import { bounds, mayMove, stepUp, tightest, worthIt } from '../bounds.ts'
import { batchDuration, draining, drainsHow, growing, loadExpected, longestBatch, timing } from '../expect.ts'
import type { Grounds } from '../grounds.ts'
import { isSpark } from '../grounds.ts'
import { counts, seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { elsewhere, fitting, inTime, noModel, notKnown, scopeOf, settling, unfit } from '../lever.ts'
import { drainsOnceBack } from '../prognosis.ts'
import { executors as executorsNow, isKnown, minPartitions } from '../settings.ts'
import { restartSteps, stopRules } from '../spark-options.ts'

export const executors: Lever = {
  knob: 'executors',
  title: 'more executors',
  weigh(grounds): Fit | Unfit {
    if (!isSpark(grounds)) return elsewhere('the reader is no Spark query')
    const { model, timeline, tried, nowMs } = grounds
    const from = executorsNow(grounds)
    if (!isKnown(from)) return notKnown(from)
    if (model === null) return noModel
    const not = mayMove('executors', tried, nowMs) ?? heldByCap(grounds)
    if (not !== null) return unfit(not)
    const split = minPartitions(grounds)
    const setting = { minPartitions: isKnown(split) ? split.value : null }
    const rows = triggerRows(model)
    const now = planned(model, rows, setting)
    if (now.seconds[1] <= bounds.fillsTrigger * model.period) return unfit(inTime(now, model.period))
    if (now.longest >= now.total / model.slots && now.longest > bounds.fillsTrigger * model.period) {
      return unfit(`the longest task alone takes ${duration(now.longest)}, however many executors there are`)
    }
    const perExecutor = Math.max(1, (heldAt(timeline.slots, timeline.now) ?? model.slots) / (from.value as number))
    const wish = wishedSlots(model, now)
    const limits = [
      { at: Math.ceil(now.count / perExecutor), why: `a batch has ${now.count} tasks, so ${now.count} slots at most have work` },
    ]
    const step = stepUp(from.value as number, wish.slots[1] / perExecutor, limits)
    if (step === null) return unfit(`${tightest(from.value as number, limits).why}, and there are ${model.slots} already`)
    const after = planned(model, rows, setting, { slots: step.to * perExecutor })
    const no = worthIt(now.likely / after.likely, 'batches')
    if (no !== null) return unfit(no)
    const rates = capacity(model, setting, { slots: step.to * perExecutor })
    if (rates[1] <= model.intake) {
      return unfit(`even ${step.to} executors (${step.heldBy}) work off at most ${rate(rates[1])} while ${rate(model.intake)} arrive`)
    }
    return proposal(grounds, model, { from, step, perExecutor, wish, now, after, rates })
  },
}

/** A reader that leaves records behind while its batches are in time is held by its cap, not by its slots. */
function heldByCap({ facts }: Grounds): string | null {
  return facts.behind !== null && facts.episode === null
    ? 'batches are in time and leave records behind, so a cap holds the reader and not its slots'
    : null
}

interface Wish {
  /** Records/s that should be worked off. */
  readonly need: number
  /** Records/s of one slot when batches are as long as the trigger. */
  readonly perSlot: number
  /** Slots for it: if the reader is faster than it looks, and if it is not. */
  readonly slots: readonly [number, number]
}

function wishedSlots(model: BatchModel, now: Planned): Wish {
  const { intake, lag, period, slots } = model
  const need = intake / bounds.utilisation + lag / bounds.catchUpSeconds + (intake * bounds.restartSeconds) / bounds.catchUpSeconds
  const room = Math.max(0.1, 1 - model.fixedUsual / period)
  const perSlot = (now.rows / now.span[1] / slots) * room
  return { need, perSlot, slots: [need / (perSlot * bounds.hiddenCapacity), need / perSlot] }
}

/** What stays to be asked, whatever the reader can do. */
function unmended(grounds: Grounds): string {
  const { attribution, facts } = grounds
  if (attribution.cause !== 'intake_surge' || facts.intake === null) return 'why there is more work than before'
  const { before, now } = facts.intake
  const back = drainsOnceBack(grounds, before)
  return `why intake rose from ${rate(before)} to ${rate(now)}: ask the producer whether it will last${back === null ? '' : `. ${back}`}`
}

interface Sized {
  readonly from: Proposal['action']['from']
  readonly step: Step
  readonly perExecutor: number
  readonly wish: Wish
  readonly now: Planned
  readonly after: Planned
  readonly rates: readonly [number, number]
}

function proposal(grounds: Grounds, model: BatchModel, { from, step, perExecutor, wish, now, after, rates }: Sized): Fit {
  const query = scopeOf(grounds)
  const drains = draining(grounds, rates, model.intake, bounds.restartSeconds, after.settled)
  const when = timing('executors', model.period, after.seconds[1], drains?.latest ?? bounds.catchUpSeconds)
  const worst = Math.max(now.seconds[1], longestBatch(grounds))
  const slots = step.to * perExecutor
  return fitting(grounds, drainsHow(drains, after.pace, model.intake), {
    action: { knob: 'executors', from, to: step.to, scope: query },
    arithmetic: [
      `${rate(model.intake)} arrive; a batch with one trigger's ${count(now.rows)} of them takes ${seconds(now.seconds)} of ${duration(model.period)}`,
      `wanted: ${count(model.intake)} / ${bounds.utilisation} + ${count(model.lag)} / ${duration(bounds.catchUpSeconds)} + ${count(model.intake)} × ${duration(bounds.restartSeconds)} / ${duration(bounds.catchUpSeconds)} = ${rate(wish.need)}`,
      `one of the ${model.slots} slots works off ${counts([wish.perSlot, wish.perSlot * bounds.hiddenCapacity])} records/s when ${duration(model.fixedUsual)} of ${duration(model.period)} go to what a batch needs besides (a saturated reader is up to ${bounds.hiddenCapacity} times as fast as it looks)`,
      `that is ${counts([Math.ceil(wish.slots[0]), Math.ceil(wish.slots[1])])} slots, ${counts([Math.ceil(wish.slots[0] / perExecutor), Math.ceil(wish.slots[1] / perExecutor)])} executors of ${count(perExecutor)}${step.heldBy === null ? '' : `; held at ${step.to}: ${step.heldBy}`}`,
      `with ${step.to} executors (${count(slots)} slots) a batch takes ${seconds(after.seconds)}${settling(after, model.period)}; its longest task takes ${duration(after.longest)} however many there are`,
      ...(drains === null ? [] : [drains.line]),
    ],
    expects: [
      loadExpected(grounds, model, now, after, when),
      ...batchDuration(grounds, [after.settled[0], Math.max(after.seconds[1], after.settled[1])], when),
      {
        signal: 'executor.count',
        from: from.value as number,
        to: [step.to, step.to],
        unit: 'executors',
        within: [0, Math.round(when.settled)],
        located: false,
        says: `the Spark UI lists ${step.to} executors within ${duration(when.settled)}`,
      },
      drains === null ? growing(grounds, Math.max(0, model.intake - rates[1]), model.intake, when) : drains.expects,
    ],
    apply: [
      `For ${query}: ${step.to} executors of ${count(perExecutor)} cores. Standalone: spark.cores.max = ${count(slots)}; Kubernetes and YARN: spark.executor.instances = ${step.to}; with dynamic allocation spark.dynamicAllocation.maxExecutors = ${step.to}.`,
      'First look whether the cluster has that much room: an executor that is only asked for helps nobody.',
      'With dynamic allocation no restart is needed. Otherwise:',
      ...restartSteps(grounds),
    ],
    test: [
      `the Spark UI (Executors) lists ${step.to} active ones with ${count(slots)} cores`,
      'Let five batches pass: a new executor is slow in its first ones.',
      `a batch with one trigger's records then takes ${seconds(after.seconds)}`,
    ],
    undo: [`Set the same property back to ${from.value} executors, and restart ${query} with the same checkpoint.`],
    stopIf: [
      ...stopRules(worst, bounds.restartSeconds, model.lag + model.intake * bounds.restartSeconds),
      'the new executors get no tasks: they do not help, take them back',
    ],
    willNotFix: [
      unmended(grounds),
      ...(step.heldBy === null
        ? []
        : [
            `all of it, if the reader is as slow as it looks: ${rate(wish.need)} are wanted. A second step only after this one was measured`,
          ]),
      ...(rates[0] <= model.intake
        ? [`the backlog for sure: at the lower rate ${rate(rates[0])} are worked off while ${rate(model.intake)} arrive`]
        : []),
    ],
  })
}
