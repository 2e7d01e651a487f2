/**
 * A shorter interval for a reader that a cap holds and whose batches may not grow, because memory is short: the same batches, more often.
 * An interval never helps a reader whose batches are too long: those run one after the other already.
 */
import { duration, grouped, rate, share } from '../../incident/format.ts'
import { cappedRate, lineOf, secondsAt } from '../batch-line.ts'
import { bounds, mayMove, worthIt } from '../bounds.ts'
import { batchDuration, draining, drainsHow, flowExpected, growing, timing } from '../expect.ts'
import { isSpark } from '../grounds.ts'
import { seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { elsewhere, fitting, noModel, notKnown, scopeOf, unfit } from '../lever.ts'
import { isKnown, maxOffsetsPerTrigger, triggerInterval as triggerNow } from '../settings.ts'
import { restartSteps, stopRules } from '../spark-options.ts'

/** Intervals are set in steps of this, s. */
const STEP = 0.5

export const triggerInterval: Lever = {
  knob: 'triggerInterval',
  title: 'a shorter trigger interval',
  weigh(grounds): Fit | Unfit {
    if (!isSpark(grounds)) return elsewhere('the reader is no Spark query')
    const { model, tried, nowMs } = grounds
    const from = triggerNow(grounds)
    if (!isKnown(from)) return notKnown(from)
    const cap = maxOffsetsPerTrigger(grounds)
    if (!isKnown(cap)) return notKnown(cap)
    if (from.value === null || from.value === 0) return unfit('batches run one after the other already')
    if (cap.value === null) return unfit('no cap holds the reader, so a shorter interval makes smaller batches and no more of them')
    if (model === null) return noModel
    const not = mayMove('triggerInterval', tried, nowMs)
    if (not !== null) return unfit(not)
    const line = lineOf(grounds, model)
    const batch = secondsAt(line, cap.value)
    const least = Math.max(from.value / bounds.largestStep, batch[1] / bounds.fillsTrigger)
    const to = Math.ceil(least / STEP) * STEP
    if (to >= from.value)
      return unfit(
        `a batch of ${grouped(cap.value)} records takes up to ${duration(batch[1])} of ${duration(from.value)}: there is no time to spare`,
      )
    const now = cappedRate(line, cap.value, from.value)
    const after = cappedRate(line, cap.value, to)
    const no = worthIt(after[0] / now[0], 'the reader')
    if (no !== null) return unfit(no)
    const query = scopeOf(grounds)
    const drains = draining(grounds, after, model.intake, bounds.restartSeconds, [to, to])
    const when = timing('triggerInterval', to, batch[1], drains?.latest ?? bounds.catchUpSeconds)
    return fitting(grounds, drainsHow(drains, (after[0] + after[1]) / 2, model.intake), {
      action: { knob: 'triggerInterval', from, to, scope: query },
      arithmetic: [
        `now: ${grouped(cap.value)} records every ${duration(from.value)} are ${rate(now[0])}, while ${rate(model.intake)} arrive`,
        `such a batch takes ${seconds(batch)}; it may fill ${share(bounds.fillsTrigger)} of the interval, and one step at most halves it: ${duration(to)}`,
        `that is ${grouped(cap.value)} / ${duration(to)} = ${rate(after[0])}, with batches as large as now`,
        ...(drains === null
          ? [`even so the lag grows by ${rate(model.intake - after[0])}, ${rate(model.intake - now[0])} before`]
          : [drains.line]),
      ],
      expects: [
        flowExpected(grounds, now[0] / model.intake, after, model.intake, when),
        ...batchDuration(grounds, batch, when),
        drains === null ? growing(grounds, Math.max(0, model.intake - after[1]), model.intake, when) : drains.expects,
      ],
      apply: [`Where ${query} is started, set the trigger to processingTime ${duration(to)}.`, ...restartSteps(grounds)],
      test: [`from the sixth batch on one starts every ${duration(to)} and takes ${seconds(batch)}`],
      undo: [`Set the trigger of ${query} to ${duration(from.value)} again, and restart it with the same checkpoint.`],
      stopIf: stopRules(to * bounds.hiddenCapacity, bounds.restartSeconds, model.lag + model.intake * bounds.restartSeconds),
      willNotFix: ['why more arrives than before', `that the table gets a commit every ${duration(to)}: more and smaller files`],
    })
  },
}
