/** The door for causes: one file exports one `Cause`, `causes/index.ts` lists it. */
import type { Evidence, Place } from './attribution.ts'
import type { Facts } from './facts.ts'

/** A reading that was not there and would have counted. */
export interface Missing {
  /** Name as in the signal table, or a plain phrase. */
  readonly signal: string
  /** How to get it: a line of configuration, a right, a wait. */
  readonly how: string
  /** Largest weight it could have had for this cause. */
  readonly weight: number
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

export interface Cause {
  /** File name with underscores, as in the catalogue. */
  readonly name: string
  /** Share of incidents that begin here, before anything is seen (engine.md §3.5). */
  readonly prior: number
  readonly weigh: (facts: Facts) => Weighing
}
