/**
 * Spark 4's other way of cutting a large partition: no task reads more than so many records. Nothing tells from outside that the option
 * exists, so it is moved only where the owners declare it; elsewhere `minPartitions` does the same on every version.
 */
import { count, duration } from '../../incident/format.ts'
import { capacity, planned, triggerRows } from '../batch-model.ts'
import { bounds, mayMove, stepDown, worthIt } from '../bounds.ts'
import { batchDuration, draining, drainsHow, growing, idleExpected, timing } from '../expect.ts'
import { isSpark } from '../grounds.ts'
import { seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { costLine, elsewhere, fitting, noModel, scopeOf, unfit } from '../lever.ts'
import { maxRecordsPerPartition as maxRecordsNow } from '../settings.ts'
import { applyOption, stopRules, testTasks, undoOption } from '../spark-options.ts'

export const maxRecordsPerPartition: Lever = {
  knob: 'maxRecordsPerPartition',
  title: 'smaller tasks (maxRecordsPerPartition)',
  weigh(grounds): Fit | Unfit {
    const { model, tried, nowMs } = grounds
    const setting = maxRecordsNow(grounds)
    if (!isSpark(grounds) || setting?.value == null) return elsewhere('the owners declare no maxRecordsPerPartition')
    if (model === null) return noModel
    const not = mayMove('maxRecordsPerPartition', tried, nowMs)
    if (not !== null) return unfit(not)
    const { value: from } = setting
    const rows = triggerRows(model)
    const now = planned(model, rows, { maxRecordsPerPartition: from })
    // Four tasks a slot even out what the largest partition holds.
    const wanted = Math.max(...rows) / (4 * model.slots)
    const step = stepDown(from, wanted)
    if (step === null) return unfit(`the largest partition is cut into tasks of ${count(from)} records already`)
    const after = planned(model, rows, {}, { maxRecordsPerPartition: step.to })
    const no = worthIt(now.likely / after.likely, 'batches')
    if (no !== null) return unfit(no)
    const query = scopeOf(grounds)
    const rates = capacity(model, {}, { maxRecordsPerPartition: step.to })
    const drains = draining(grounds, rates, model.intake, bounds.restartSeconds, after.settled)
    const when = timing('maxRecordsPerPartition', model.period, after.seconds[1], drains?.latest ?? bounds.catchUpSeconds)
    return fitting(grounds, drainsHow(drains, after.pace, model.intake), {
      action: { knob: 'maxRecordsPerPartition', from: setting, to: step.to, scope: query },
      arithmetic: [
        `one trigger (${duration(model.period)}) brings ${count(now.rows)} records, ${count(Math.max(...rows))} of them in one partition`,
        costLine(model),
        `now: ${now.count} tasks, the longest ${duration(now.longest)}; a batch takes ${seconds(now.seconds)} of ${duration(model.period)}`,
        `with at most ${count(step.to)} records a task: ${after.count} tasks, the longest ${duration(after.longest)}; a batch takes ${seconds(after.seconds)}`,
        ...(step.heldBy === null ? [] : [`${count(wanted)} would spread it over all slots; ${step.heldBy}`]),
        ...(drains === null ? [] : [drains.line]),
      ],
      expects: [
        idleExpected(grounds, model, now, after, when),
        ...batchDuration(grounds, [after.settled[0], Math.max(after.seconds[1], after.settled[1])], when),
        drains === null ? growing(grounds, Math.max(0, model.intake - rates[1]), model.intake, when) : drains.expects,
      ],
      apply: applyOption(grounds, query, 'maxRecordsPerPartition', step.to),
      test: testTasks(grounds, after.count, after.longest),
      undo: undoOption(query, 'maxRecordsPerPartition', setting),
      stopIf: stopRules(now.seconds[1], bounds.restartSeconds, model.lag + model.intake * bounds.restartSeconds),
      willNotFix: [
        "why the records are spread like this: that is the producer's key",
        'order inside a partition: several tasks read it at once',
      ],
    })
  },
}
