// The record of one drill: what was injected and when, what the machine did, what the rig itself saw, what was said.
import type { TruthPlace } from './faults/fault.ts'
import type { Judgement } from './judge.ts'
import type { Load } from './load.ts'
import type { MachineUse } from './machine-watch.ts'
import type { SessionPlan } from './session-plan.ts'
import type { Verdict } from './verdict.ts'

/** All instants in ms since the epoch. */
export interface DrillTimes {
  /** The load of this drill was set. */
  readonly loadMs: number
  readonly calmMs: number
  readonly faultMs: number
  readonly askedMs: number
  readonly answeredMs: number
  /** The fault was taken away. */
  readonly endMs: number
  readonly afterMs: number
}

/** What the rig's own look shows: proof that the fault was there. Seconds and records. */
export interface Observed {
  readonly medianBatchBefore: number
  /** Longest batch that ended, or age of the open one, between fault and its end. */
  readonly longestBatchDuring: number
  readonly openBatchAtAsk: number
  readonly batchesDuring: number
  readonly lagBefore: number
  readonly lagAtAsk: number
  /** Start of the oldest batch that the checkpoint still kept when the question was asked, ms since the epoch. */
  readonly keptFromMs: number | null
}

export interface DrillRecord {
  readonly kind: string
  readonly seed: number
  readonly session: SessionPlan & { readonly number: number; readonly topic: string }
  readonly load: Load
  readonly place: TruthPlace
  readonly parameters: Readonly<Record<string, unknown>>
  /** Said before the fault began. What was not knowable need not be known: see `answerOf`. */
  readonly knowable: { readonly is: boolean; readonly why: string; readonly demandOverCapacity: number | null }
  readonly calmBatches: number
  readonly times: DrillTimes
  readonly machine: MachineUse
  /** Why the drill does not count; null when it does. */
  readonly void: string | null
  readonly observed: Observed
  readonly verdict: Verdict | null
  readonly verdictSeconds: number | null
  readonly verdictError: string | null
  readonly judgement: Judgement | null
  readonly bundle: string | null
}

/** Demand over capacity from which a fault of load must be visible, for how many samples, and busy share above which a drill is void. */
const KNOWABLE_AT = 1.2
const KNOWABLE_FOR = 6
const VOID_ABOVE = 0.9
/**
 * A sample is a point of a 5 s grid, as a monitor would poll. A batch is none: the fault makes batches longer, so the
 * worst would have the fewest, and six of them would often be more than the minute until the question.
 */
const SAMPLE_SECONDS = 5

/** The injector's word before the fault, from its knobs alone. `heldSeconds`: from the fault to the question. */
export function knowable(demandOverCapacity: number | null, mechanism: string | null, heldSeconds: number): DrillRecord['knowable'] {
  if (mechanism !== null) return { is: true, why: mechanism, demandOverCapacity }
  const ratio = demandOverCapacity ?? 0
  const samples = Math.floor(heldSeconds / SAMPLE_SECONDS)
  const needed = `needed are ${KNOWABLE_AT} for ${KNOWABLE_FOR}`
  const why = `demand/capacity ${ratio.toFixed(2)} for ${samples} samples of ${SAMPLE_SECONDS} s, ${needed}`
  return { is: ratio >= KNOWABLE_AT && samples >= KNOWABLE_FOR, why, demandOverCapacity }
}

/** Why the machine makes a drill void; null when it does not. */
export function voidBecause(use: MachineUse): string | null {
  if (use.medianBusy <= VOID_ABOVE) return null
  return `the machine was ${Math.round(use.medianBusy * 100)} % busy over the fault`
}
