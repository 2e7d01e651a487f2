/**
 * How many records a batch may take. Up, where the cap itself holds a reader that has time to spare, or where a fixed cost a batch would
 * be spread over more records; down, where batches no longer fit into memory. A cap is no capacity: one that takes less than arrives
 * makes the lag grow, and then that is said.
 *     most: M = (0.95 trigger - a) / b, with the upper ends of fixed part a and cost b (engine.md §3.8).
 */
import { count, duration, grouped, rate, share } from '../../incident/format.ts'
import { cappedRate, lineOf, secondsAt } from '../batch-line.ts'
import { bounds, mayMove, stepDown, stepUp, worthIt } from '../bounds.ts'
import { batchDuration, draining, drainsHow, flowExpected, growing, levels, located, timing } from '../expect.ts'
import type { Grounds } from '../grounds.ts'
import { isSpark, newest } from '../grounds.ts'
import type { Interval } from '../interval.ts'
import { seconds } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { elsewhere, fitting, msPerRecord, noModel, notKnown, scopeOf, unfit } from '../lever.ts'
import { isKnown, maxOffsetsPerTrigger } from '../settings.ts'
import { applyOption, stopRules, undoOption } from '../spark-options.ts'

/** Bigger batches do not fit into memory that is full already. */
export function memoryIsShort(grounds: Grounds): string | null {
  const heap = newest(grounds, 'executor.heap_share')
  if (heap !== null && heap > bounds.heapShare)
    return `executors fill ${share(heap)} of their heap, and ${share(bounds.heapShare)} should be the most`
  return grounds.attribution.cause === 'memory_gc' ? 'executors spend their time collecting garbage' : null
}

export const raiseCap: Lever = {
  knob: 'maxOffsetsPerTrigger',
  title: 'a higher cap (maxOffsetsPerTrigger)',
  weigh(grounds): Fit | Unfit {
    if (!isSpark(grounds)) return elsewhere('the reader is no Spark query')
    const { model, tried, nowMs } = grounds
    const from = maxOffsetsPerTrigger(grounds)
    if (!isKnown(from)) return notKnown(from)
    if (from.value === null) return unfit('no cap holds the reader: its batches took all that was there')
    if (model === null) return noModel
    const not = mayMove('maxOffsetsPerTrigger', tried, nowMs) ?? memoryIsShort(grounds)
    if (not !== null) return unfit(not)
    const line = lineOf(grounds, model)
    const now = cappedRate(line, from.value, model.period)
    if (now[0] > model.intake)
      return unfit(`${grouped(from.value)} records a batch are ${rate(now[0])}, and only ${rate(model.intake)} arrive`)
    const need = model.intake / bounds.utilisation + (model.lag + model.intake * bounds.restartSeconds) / bounds.catchUpSeconds
    const inTime = (bounds.fillsTrigger * model.period - line.fixed[1]) / line.perRecord[1]
    // A fixed cost that no trigger can hold is spread over longer batches instead.
    const fits =
      inTime > from.value
        ? [
            {
              at: inTime,
              why: `more would take longer than ${share(bounds.fillsTrigger)} of the ${duration(model.period)} between triggers`,
            },
          ]
        : []
    // Where the batch is longer than the trigger, M / (a + b M) is the rate: so many records bring it to what is wanted.
    const [a, b] = [line.fixed[1], line.perRecord[1]]
    const backToBack = need * b < 1 ? (need * a) / (1 - need * b) : Number.POSITIVE_INFINITY
    const wanted = Math.max(need * model.period, backToBack)
    const step = stepUp(from.value, wanted, fits)
    if (step === null) return unfit(`more than ${count(inTime)} records do not fit into ${duration(model.period)}`)
    const after = cappedRate(line, step.to, model.period)
    const no = worthIt(after[0] / now[0], 'the reader')
    if (no !== null) return unfit(no)
    const query = scopeOf(grounds)
    const batch = secondsAt(line, step.to)
    const drains = draining(grounds, after, model.intake, bounds.restartSeconds, waits(batch, model.period))
    const when = timing('maxOffsetsPerTrigger', model.period, batch[1], drains?.latest ?? bounds.catchUpSeconds)
    const grows = model.intake - after[0]
    return fitting(grounds, drainsHow(drains, (after[0] + after[1]) / 2, model.intake), {
      action: { knob: 'maxOffsetsPerTrigger', from, to: step.to, scope: query },
      arithmetic: [
        `now: ${grouped(from.value)} records a batch are ${rate(now[0])}, while ${rate(model.intake)} arrive`,
        `wanted: ${count(model.intake)} / ${bounds.utilisation} + (${count(model.lag)} + ${count(model.intake)} × ${duration(bounds.restartSeconds)}) / ${duration(bounds.catchUpSeconds)} = ${rate(need)}, ${Number.isFinite(wanted) ? `${count(wanted)} records a batch` : 'more than any batch holds'}`,
        `a batch takes ${seconds(line.fixed)} and ${msPerRecord(line.perRecord[1])} a record: ${seconds(batch)} with ${grouped(step.to)} of them`,
        ...(step.heldBy === null ? [] : [`held at ${grouped(step.to)}: ${step.heldBy}`]),
        ...(drains === null
          ? [
              `even so the lag grows by ${rate(grows)}, ${rate(model.intake - now[0])} before: a second step follows once this one was measured`,
            ]
          : [drains.line]),
      ],
      expects: [
        flowExpected(grounds, now[0] / model.intake, after, model.intake, when),
        ...batchDuration(grounds, batch, when),
        drains === null ? growing(grounds, grows, model.intake, when) : drains.expects,
      ],
      apply: applyOption(grounds, query, 'maxOffsetsPerTrigger', step.to),
      test: [
        `from the sixth batch on each takes up to ${grouped(step.to)} records and ${seconds(batch)}`,
        'the lag falls from batch to batch',
      ],
      undo: undoOption(query, 'maxOffsetsPerTrigger', from),
      stopIf: [
        ...stopRules(batch[1] * bounds.hiddenCapacity, bounds.restartSeconds, model.lag + model.intake * bounds.restartSeconds),
        `an executor spends more than ${share(0.1)} of its time collecting garbage, or is lost`,
      ],
      willNotFix: ['why more arrives than before', ...(drains === null ? ['all of it: one step at most doubles a setting'] : [])],
    })
  },
}

export const lowerCap: Lever = {
  knob: 'maxOffsetsPerTrigger',
  title: 'a lower cap (maxOffsetsPerTrigger)',
  weigh(grounds): Fit | Unfit {
    if (!isSpark(grounds)) return elsewhere('the reader is no Spark query')
    const { model, facts, tried, nowMs } = grounds
    const from = maxOffsetsPerTrigger(grounds)
    if (!isKnown(from)) return notKnown(from)
    if (model === null) return noModel
    const not = mayMove('maxOffsetsPerTrigger', tried, nowMs)
    if (not !== null) return unfit(not)
    const largest = Math.max(0, ...(facts.episode?.ill ?? facts.well).map((b) => b.rows ?? 0))
    if (largest <= 0) return unfit('how many records its batches hold was not seen')
    const line = lineOf(grounds, model)
    const inTime = Math.max(1, (bounds.fillsTrigger * model.period - line.fixed[1]) / line.perRecord[1])
    const heap = newest(grounds, 'executor.heap_share')
    const inHeap = heap === null || heap <= 0 ? Number.POSITIVE_INFINITY : (largest * bounds.heapShare) / heap
    const step = stepDown(Math.min(from.value ?? largest, largest), Math.min(inTime, inHeap))
    if (step === null) return unfit(`batches hold ${grouped(largest)} records, and that many fit`)
    const after = cappedRate(line, step.to, model.period)
    const batch = secondsAt(line, step.to)
    const query = scopeOf(grounds)
    const grows = model.intake - after[0]
    const drains = draining(grounds, after, model.intake, bounds.restartSeconds, waits(batch, model.period))
    const when = timing('maxOffsetsPerTrigger', model.period, batch[1], drains?.latest ?? 0)
    const gc = levels(grounds, 'executor.gc_share').now
    return fitting(grounds, drainsHow(drains, (after[0] + after[1]) / 2, model.intake), {
      action: { knob: 'maxOffsetsPerTrigger', from, to: step.to, scope: query },
      arithmetic: [
        `batches held up to ${grouped(largest)} records${heap === null ? '' : ` and filled ${share(heap)} of the heap`}`,
        `in ${share(bounds.fillsTrigger)} of ${duration(model.period)} fit (${duration(bounds.fillsTrigger * model.period)} − ${duration(line.fixed[1])}) / ${msPerRecord(line.perRecord[1])} = ${count(inTime)} records`,
        ...(Number.isFinite(inHeap)
          ? [
              `in ${share(bounds.heapShare)} of the heap fit ${grouped(largest)} × ${bounds.heapShare} / ${(heap as number).toFixed(2)} = ${count(inHeap)}`,
            ]
          : []),
        ...(step.heldBy === null ? [] : [`held at ${grouped(step.to)}: ${step.heldBy}`]),
        grows > 0
          ? `a cap at this size takes ${rate(after[0])} while ${rate(model.intake)} arrive: the lag grows by ${rate(grows)} as long as that much arrives`
          : `${rate(after[0])} are taken while ${rate(model.intake)} arrive: the lag does not grow by it`,
        ...(drains === null ? [] : [drains.line]),
      ],
      expects: [
        located(grounds, { name: 'executor.gc_share', now: Math.max(0, ...gc), predicted: [0, 0.1], timing: when }),
        ...batchDuration(grounds, batch, when),
        drains === null ? growing(grounds, Math.max(0, grows), model.intake, when) : drains.expects,
      ],
      apply: applyOption(grounds, query, 'maxOffsetsPerTrigger', step.to),
      test: [
        `from the sixth batch on none takes more than ${grouped(step.to)} records`,
        'the share of time spent collecting garbage falls',
      ],
      undo: undoOption(query, 'maxOffsetsPerTrigger', from),
      stopIf: [
        ...stopRules(batch[1] * bounds.hiddenCapacity, bounds.restartSeconds, 0),
        `the lag grows faster than ${rate(Math.max(0, grows) * 1.25)}`,
      ],
      willNotFix: [
        'what fills the heap, if it is not the records of a batch',
        ...(grows > 0 ? ['the lag: it grows until less arrives'] : []),
      ],
    })
  },
}

/** A batch shorter than the trigger waits for it, and what arrives meanwhile waits as well. */
export const waits = ([low, high]: Interval, period: number): Interval => [Math.max(period, low), Math.max(period, high)]
