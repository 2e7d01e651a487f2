/** The door for causes: one file exports one `CauseFile`, `causes/index.ts` lists it, and `cause-of.ts` makes of it what the engine asks. */
import type { Relief } from '../incident/action.ts'
import type { Place } from '../incident/place.ts'
import type { Askable } from '../incident/signal.ts'
import type { Evidence } from './attribution.ts'
import type { Facts } from './facts.ts'
import type { PressureTerm } from './pressure.ts'

/** A reading that was not there and would have counted. */
export interface Missing {
  /** Name as in the table of signals. */
  readonly signal: Askable
  /** How to get it: a line of configuration, a right, a wait. */
  readonly how: string
  /** Largest weight it could have had for this cause. */
  readonly weight: number
}

/** A reading to ask for, whoever named it: a gap calls what it misses as its source does. */
export interface Wish {
  readonly signal: string
  readonly how: string
  readonly weight: number
}

/** A reading without which a cause cannot be judged. */
export interface Need extends Missing {
  /** Whether too little of it was seen. */
  readonly unmet: (facts: Facts) => boolean
}

/** What a cause says of the facts. */
export interface Weighing {
  readonly evidence: readonly Evidence[]
  readonly missing: readonly Missing[]
  readonly place: Place
  /** When it began, seconds since window.from; null = it cannot say. */
  readonly onset: readonly [number, number] | null
  /** One line for people: what, where. */
  readonly headline: string
  /** Lag that would be there without it; null = not computed. */
  readonly lagWithout?: number | null
}

/** How a cause makes batches long. */
export interface ThroughBatches {
  /** The terms of the account that grow with it. */
  readonly terms: readonly PressureTerm[]
  /** It brings more rows (which then explain the time), or makes the work on them slower (which rows then do not explain). */
  readonly by: 'more rows' | 'slower work'
}

/** What one file says of one cause. */
export interface CauseFile {
  /** File name with underscores, as in the catalogue. */
  readonly name: string
  /** Share of incidents that begin here, before anything is seen (engine.md §3.5). */
  readonly prior: number
  readonly needs: readonly Need[]
  /** null = it does its harm without a slow batch. Otherwise batches, their account and their rows are weighed without its doing. */
  readonly through: ThroughBatches | null
  /** The smallest change that would relieve it: a wish. */
  readonly remedy: Relief
  /** Its own observations; what is missing of `needs` need not be said again. */
  readonly weigh: (facts: Facts) => Weighing
}

/** A cause as the engine asks it. */
export interface Cause extends Pick<CauseFile, 'name' | 'prior' | 'needs' | 'remedy'> {
  readonly weigh: (facts: Facts) => Weighing
}
