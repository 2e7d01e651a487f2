/**
 * The verdict as one line of JSON, for scripts and graders: fields, names and order are those of the bundle contract ("What a
 * replay prints"), then what follows from another cause, the lag without the cause, and whether the readings add up. Times are seconds
 * since `window.from`.
 */
import type { Attribution, Check, NoCheckReason } from '../attribution/attribution.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { decides } from './decides.ts'
import { inSeconds } from './times-in-text.ts'

export interface VerdictLine {
  /** The file the evidence came from; null = none was written. */
  readonly bundle: string | null
  /** Milliseconds from reading to verdict; only where asked for, so that equal evidence gives equal bytes. */
  readonly ms?: number
}

export function verdictJson(attribution: Attribution, timeline: Timeline, line: VerdictLine): string {
  const { place, completeTo, counterfactual, closure } = attribution
  const { reason, signal } = decides(attribution, timeline)
  return JSON.stringify({
    bundle: line.bundle,
    outcome: attribution.outcome,
    cause: attribution.cause,
    place: {
      topic: place.topic,
      partitions: place.partitions,
      executor: place.executor,
      host: place.host,
      broker: place.broker,
      phase: place.phase,
    },
    also: attribution.also,
    onset: attribution.onset?.map(seconds) ?? null,
    confidence: attribution.confidence === null ? null : share(attribution.confidence),
    reason,
    deciding_signal: signal,
    ranking: attribution.ranking.map(([cause, p]) => [cause, share(p)]),
    ruled_out: attribution.ruledOut.map(({ cause, by }) => ({ cause, by: inSeconds(by) })),
    pressure: Object.fromEntries(Object.entries(attribution.pressure).map(([term, value]) => [term, share(value)])),
    complete_to: completeTo === null ? {} : { [completeTo.table]: seconds(completeTo.at) },
    checks: checksOf(attribution),
    consequences: attribution.consequences.map(({ cause, of }) => ({ cause, of })),
    counterfactual:
      counterfactual === null
        ? null
        : {
            lag_now: counterfactual.lagNow,
            lag_without: counterfactual.lagWithout,
            between: counterfactual.between,
            removed: counterfactual.removed === null ? null : share(counterfactual.removed),
          },
    closure: { state: closure.state, error: closure.error === null ? null : share(closure.error), partitions: closure.partitions },
    scheduling_delay_s: delayOf(attribution.schedulingDelay),
    ...(line.ms === undefined ? {} : { ms: Math.round(line.ms * 10) / 10 }),
  })
}

interface Checked {
  readonly says: string
  readonly check?: Check
  readonly noCheck?: NoCheckReason
}

/** Every number of the verdict with the command that shows it, or with the reason why none does. */
function checksOf({ supporting, opposing, ruledOut }: Attribution) {
  const all: readonly Checked[] = [...supporting, ...opposing, ...ruledOut.map((one) => ({ ...one, says: one.by }))]
  const once = [...new Map(all.map((one) => [one.says, one])).values()]
  return once
    .filter(({ check, noCheck }) => (check ?? noCheck) !== undefined)
    .map(({ says, check, noCheck }) => ({
      says: inSeconds(says),
      ...(check === undefined ? { none: noCheck } : { ...check, expect: inSeconds(check.expect) }),
    }))
}

/** A batch against its trigger: in the baseline and now; where it cannot be told, why. */
function delayOf(delay: Attribution['schedulingDelay']) {
  if (delay === null) return null
  const { before, now, unknown } = delay
  return { before: before === null ? null : seconds(before), now: now === null ? null : seconds(now), unknown }
}

/** Rounded, so that the last bits of a logarithm on another machine do not make another verdict. */
function share(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

function seconds(value: number): number {
  return Math.round(value * 1000) / 1000
}
