/** The verdict, with everything a reader needs to believe it, doubt it, or check it. */
import type { Gap } from '../incident/evidence.ts'
import type { Place } from '../incident/place.ts'
import type { Closure } from '../timeline/closure.ts'
import type { NoDelay } from '../timeline/scheduling.ts'

/** A read-only command with which a person can check a number, and what it should print. */
export interface Check {
  readonly command: string
  readonly expect: string
  /** What has to be there first, e.g. a settings file with a login. */
  readonly needs?: string
}

/** Why no read-only command shows a number: said, never left out. */
export type NoCheckReason =
  | 'no topic is named'
  | 'no batch is named'
  | 'no stage of a slow batch is listed with its tasks'
  | 'this kind of reader keeps no log of its batches'

export interface NoCheck {
  readonly none: NoCheckReason
}

/** One independent observation and what it says about one cause. */
export interface Evidence {
  /** Stable id, e.g. "flow.intake_up". */
  readonly id: string
  /** One physical source = one group; evidence of one group is not counted twice. */
  readonly group: string
  /** A whole sentence with numbers, units and times. */
  readonly says: string
  /** Log-odds for (> 0) or against (< 0) the cause. */
  readonly weight: number
  /** How to check it oneself, or why nobody can: one of the two. */
  readonly check?: Check
  readonly noCheck?: NoCheckReason
}

export interface RuledOut {
  readonly cause: string
  /** The number that rules it out, in words. */
  readonly by: string
  readonly check?: Check
  readonly noCheck?: NoCheckReason
}

export interface Deadline {
  /** e.g. "objective broken since 14:03" or "partition 3 starts losing data in 5 h 10 min"; `at` in seconds since window.from. */
  readonly kind: 'objective_broken' | 'objective_breaks' | 'data_loss'
  readonly at: number
  readonly partition: number | null
  readonly what: string
}

/** "orders_bronze is complete up to …, held back by partition 3 (others …)". Seconds since window.from. */
export interface CompleteTo {
  readonly table: string
  readonly at: number
  readonly heldBackBy: readonly number[]
  /** Median of the other partitions; null when all are held alike. */
  readonly others: number | null
  readonly byRecordTime: boolean
  /** Longest lateness (arrival minus record time, s) and the time over which arrivals were seen, s; null = not seen. */
  readonly lateness: { readonly longest: number; readonly over: number } | null
}

/** A hypothesis that only follows from another, which lies further up the flow. */
export interface Consequence {
  readonly cause: string
  readonly of: string
  /** Share of the extra time that is left when the other's doing is taken away, 0..1. */
  readonly share: number
}

/** The lag, records, as it would be without the cause. */
export interface Counterfactual {
  readonly lagNow: number
  readonly lagWithout: number
  /** Least and most, where it is not known how the time of a batch follows its rows; equal where it is. */
  readonly between: readonly [number, number]
  /** Share of the peak (records over records/s, above the usual peak) that goes without it; null = no peak to be seen. */
  readonly removed: number | null
}

/** Seconds from a batch's trigger to its start. */
export interface SchedulingDelay {
  /** Median of the batches that were well; null = not known. */
  readonly before: number | null
  /** Of the newest batch, or of the trigger that waits for it; null = not known. */
  readonly now: number | null
  /** Whether `now` is that of a trigger which still waits. */
  readonly waits: boolean
  readonly unknown: NoDelay | null
}

export interface Attribution {
  readonly outcome: 'cause' | 'none' | 'inconclusive'
  readonly cause: string | null
  readonly place: Place
  /** Causes that act at the same time. */
  readonly also: readonly string[]
  readonly consequences: readonly Consequence[]
  /** Interval in which it began, seconds since window.from. */
  readonly onset: readonly [number, number] | null
  readonly confidence: number | null
  /** "very likely", "likely": words, because no percentage is backed by enough cases yet. */
  readonly confidenceWords: string | null
  /** Reason code of an inconclusive verdict, e.g. "tie:slow_sink/slow_processing", "missing:checkpoint", "disagree:flow.intake_up/order". */
  readonly reason: string | null
  /** The one reading that would decide, and how to get it. */
  readonly decidingSignal: string | null
  readonly howToDecide: string | null
  /** Candidates, best first, and what is left for "unknown" last; adds up to 1. Simultaneous causes share what they have together. */
  readonly ranking: readonly (readonly [string, number])[]
  /** Of an inconclusive verdict: the cause that `supporting` and `opposing` are about; absent or null = nobody is suspected. */
  readonly suspect?: string | null
  /** One line: what, where, since when. No times of day in it (the report writes those). */
  readonly headline: string
  readonly supporting: readonly Evidence[]
  readonly opposing: readonly Evidence[]
  readonly ruledOut: readonly RuledOut[]
  /** Shares of the change in ln(demand / capacity), adding up to 1; empty when demand or capacity is not known. */
  readonly pressure: Readonly<Record<string, number>>
  /** ln(demand / capacity) in the baseline and now; null = not known. */
  readonly pressureNow: number | null
  readonly pressureBefore: number | null
  /** What the lag would be without the cause; null = not computed. */
  readonly counterfactual: Counterfactual | null
  /** Whether intake, consumption and lag add up. */
  readonly closure: Closure
  readonly schedulingDelay: SchedulingDelay | null
  readonly completeTo: CompleteTo | null
  readonly deadlines: readonly Deadline[]
  readonly gaps: readonly Gap[]
}

export const nowhere: Place = { topic: null, partitions: [], executor: null, host: null, broker: null, phase: null }

/** A cause ruled out by the strongest observation against it, with its check; nothing where none speaks against it. */
export function ruledOutBy(cause: string, against: Evidence | undefined): RuledOut[] {
  if (against === undefined) return []
  const { says, check, noCheck } = against
  return [{ cause, by: says, ...(check === undefined ? {} : { check }), ...(noCheck === undefined ? {} : { noCheck }) }]
}
