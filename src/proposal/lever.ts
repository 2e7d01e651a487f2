/** The door for levers: one file turns one knob, `levers/index.ts` lists it, and `remedies.ts` says for which causes it is tried. */

import { count, duration, listed } from '../incident/format.ts'
import type { Knob } from '../incident/knob.ts'
import type { Place } from '../incident/place.ts'
import type { Proposal } from '../incident/proposal.ts'
import type { BatchModel, Planned } from './batch-model.ts'
import { bounds } from './bounds.ts'
import type { Grounds } from './grounds.ts'
import { isSpark } from './grounds.ts'
import { seconds } from './interval.ts'
import type { Unknown } from './settings.ts'

/** Why a lever is not pulled. */
export interface Unfit {
  readonly kind: 'unfit'
  /** Half a sentence that can follow "more executors: …". */
  readonly reason: string
  /** The line of configuration without which it cannot be weighed; null = more knowledge would not change it. */
  readonly needs: string | null
  /**
   * no_help: it was weighed and would not help; no_need: the trouble is over or does no harm; elsewhere: it is a lever of another kind of
   * reader, so nobody would ask why not.
   */
  readonly why: 'no_help' | 'no_need' | 'elsewhere'
}

/** A lever that would be pulled, and whether it is enough. */
export interface Fit {
  readonly kind: 'fit'
  readonly proposal: Proposal
  /** Whether the backlog drains with it: at the lower end of what is not known as well, at what is most likely, at the upper end, or not at all. */
  readonly drains: 'surely' | 'likely' | 'perhaps' | 'no'
}

export interface Lever {
  readonly knob: Knob
  /** What it would be, e.g. "more executors". */
  readonly title: string
  readonly weigh: (grounds: Grounds) => Fit | Unfit
}

export const unfit = (reason: string, needs: string | null = null): Unfit => ({ kind: 'unfit', reason, needs, why: 'no_help' })
export const noNeed = (reason: string): Unfit => ({ kind: 'unfit', reason, needs: null, why: 'no_need' })
export const elsewhere = (reason: string): Unfit => ({ kind: 'unfit', reason, needs: null, why: 'elsewhere' })

export const notKnown = ({ reason, needs }: Unknown): Unfit => unfit(reason, needs)

/** Batches could not be worked out. */
export const noModel = unfit(
  'what its batches cost could not be seen: task times, task slots or the intake are missing',
  'add "spark: <address of the driver UI>" and "checkpoint: <folder>" to the pipeline, or let Headwater reach them',
)

/** What the change touches. */
export function scopeOf(grounds: Grounds): string {
  const { reader, name } = grounds.evidence.pipeline
  return isSpark(grounds) ? `query ${reader.query ?? name}` : `group ${reader.group ?? name}`
}

export function placeOf({ topic, partitions, executor, host, broker, phase }: Place): string {
  if (partitions.length > 0)
    return `${partitions.length === 1 ? 'partition' : 'partitions'} ${listed(partitions)}${topic === null ? '' : ` of ${topic}`}`
  if (executor !== null) return `executor ${executor}${host === null ? '' : ` on ${host}`}`
  if (broker !== null) return `broker ${broker}`
  if (host !== null) return `host ${host}`
  return topic ?? phase ?? 'the reader'
}

type Parts = Omit<Proposal, 'kind' | 'pipeline' | 'cause' | 'place'>

export function fitting({ attribution, evidence }: Grounds, drains: Fit['drains'], parts: Parts): Fit {
  const { name } = evidence.pipeline
  const cause = attribution.cause ?? 'unknown'
  return { kind: 'fit', drains, proposal: { kind: 'proposal', pipeline: name, cause, place: placeOf(attribution.place), ...parts } }
}

/** What a batch costs, for the arithmetic. */
export function costLine({ perRow, perTask, fixed, batches }: BatchModel): string {
  const task = perTask > 0 ? `, a task ${duration(perTask)} besides` : ''
  const row = `${(perRow[0] * 1000).toFixed(2)} to ${msPerRecord(perRow[1])}`
  return `a record costs ${row} of task time (the higher one was measured; a saturated reader is up to ${bounds.hiddenCapacity} times as fast as it looks)${task}; a batch needs ${seconds(fixed)} besides its tasks (${batches} batches)`
}

/** Slots and tasks are not what is short. */
export const inTime = ({ seconds: needed }: Planned, period: number): string =>
  `a batch needs ${seconds(needed)} of ${duration(period)} already`

/** Where batches settle that may take longer than their trigger: '' where none may. */
export function settling({ settled: [low, high] }: Planned, period: number): string {
  if (high <= period) return ''
  if (!Number.isFinite(low)) return `; that is more than ${duration(period)}, and they only grow`
  const at = Number.isFinite(high) ? seconds([low, high]) : `${duration(low)} or only grow`
  return `; where that is more than ${duration(period)}, batches then settle at ${at}`
}

/** 0.00166 s → "1.66 ms". */
export function msPerRecord(secondsPerRecord: number): string {
  const ms = secondsPerRecord * 1000
  return `${ms < 10 ? ms.toFixed(2) : count(ms)} ms`
}
