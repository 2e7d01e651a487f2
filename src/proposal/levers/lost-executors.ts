/**
 * Brings back as many executors as there were before some were lost; more than that would hide why they went. Where they were replaced
 * already, or where the rest keeps up, nothing is changed.
 */
import { count, duration } from '../../incident/format.ts'
import { heldAt } from '../../timeline/line.ts'
import { capacity, planned, triggerRows } from '../batch-model.ts'
import { bounds, mayMove, stepUp } from '../bounds.ts'
import { batchDuration, draining, drainsHow, growing, loadExpected, longestBatch, timing } from '../expect.ts'
import { seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { fitting, noModel, noNeed, notKnown, scopeOf, unfit } from '../lever.ts'
import { whyItWent } from '../referrals.ts'
import { executors as executorsNow, isKnown } from '../settings.ts'

export const lostExecutors: Lever = {
  knob: 'executors',
  title: 'as many executors as before',
  weigh(grounds): Fit | Unfit {
    const { model, facts, timeline, tried, nowMs } = grounds
    const [loss] = facts.losses
    if (loss === undefined) return unfit('no executor was seen to go')
    const from = executorsNow(grounds)
    if (!isKnown(from)) return notKnown(from)
    const now = from.value as number
    const before = heldAt(timeline.executors, loss.event.at - 0.5)
    if (before === null) return unfit('how many there were before was not seen')
    if (now >= before) {
      const after = loss.replacedAt === null ? '' : ` after ${duration(loss.replacedAt - loss.event.at)}`
      return noNeed(
        `the executor that was lost came back by itself${after}: ${now} as before. What had to wait for it is worked off by itself. ${whyItWent(facts) ?? ''}`.trim(),
      )
    }
    if (model === null) return noModel
    const not = mayMove('executors', tried, nowMs)
    if (not !== null) return unfit(not)
    const rows = triggerRows(model)
    const slotsBefore = loss.slotsBefore ?? Math.round((model.slots / now) * before)
    const left = planned(model, rows, {})
    if (left.seconds[1] <= bounds.fillsTrigger * model.period) {
      return noNeed(
        `the ${now} that are left keep up: a batch needs ${seconds(left.seconds)} of ${duration(model.period)} on ${model.slots} slots`,
      )
    }
    const step = stepUp(now, before, [{ at: before, why: 'there were no more before' }])
    if (step === null) return unfit('there were no more before')
    const slots = Math.round((slotsBefore / before) * step.to)
    const after = planned(model, rows, {}, { slots })
    const query = scopeOf(grounds)
    const rates = capacity(model, {}, { slots })
    const drains = draining(grounds, rates, model.intake, 0, after.settled)
    // Nothing is restarted, but a new executor is as cold as a new query.
    const when = timing('executors', model.period, after.seconds[1], drains?.latest ?? bounds.catchUpSeconds)
    const host = loss.event.entity?.host
    return fitting(grounds, drainsHow(drains, after.pace, model.intake), {
      action: { knob: 'executors', from, to: step.to, scope: query },
      arithmetic: [
        `before the loss: ${before} executors with ${slotsBefore} slots; now ${now} with ${model.slots} (${loss.event.text ?? 'no reason was given'})`,
        `a batch with one trigger's ${count(left.rows)} records takes ${seconds(left.seconds)} of ${duration(model.period)} on ${model.slots} slots, ${seconds(after.seconds)} on ${slots}`,
        ...(step.heldBy === null ? [] : [`${step.to} of ${before} for now: ${step.heldBy}`]),
        ...(drains === null ? [] : [drains.line]),
      ],
      expects: [
        loadExpected(grounds, model, left, after, when),
        ...batchDuration(grounds, [after.settled[0], Math.max(after.seconds[1], after.settled[1])], when),
        {
          signal: 'executor.count',
          from: now,
          to: [step.to, step.to],
          unit: 'executors',
          within: [0, Math.round(when.settled)],
          located: false,
          says: `the Spark UI lists ${step.to} executors within ${duration(when.settled)}; that alone is no recovery`,
        },
        drains === null ? growing(grounds, Math.max(0, model.intake - rates[1]), model.intake, when) : drains.expects,
      ],
      apply: [
        `Bring back the worker${host === undefined ? '' : ` on ${host}`}, or give the cluster room for ${step.to - now} more executor${step.to - now === 1 ? '' : 's'} of ${count(model.slots / now)} cores.`,
        `Spark asks for them by itself as long as ${query} may have ${step.to}; do not restart the query.`,
      ],
      test: [`the Spark UI (Executors) lists ${step.to} active ones`, 'Let five batches pass: a new executor is slow in its first ones.'],
      undo: ['Stop the executor or worker again; Spark gives its tasks to the others.'],
      stopIf: [
        'the new executor goes as well: find out why before a third one is started',
        `from the sixth batch on one takes longer than ${duration(Math.max(left.seconds[1], longestBatch(grounds)))}`,
      ],
      willNotFix: [`why it went (${loss.event.text ?? 'no reason was given'})`],
    })
  },
}
