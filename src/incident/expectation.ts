import type { MeasureName, SignalName } from './signal.ts'

/** What a change should do, said before it is made: recovery is judged against this and nothing else. */

export interface Expectation {
  readonly signal: MeasureName | SignalName
  /** Before the change. */
  readonly from: number
  /** Interval in which it should be afterwards, lower first. */
  readonly to: readonly [number, number]
  readonly unit: string
  /** From the application of the change until it should hold, seconds: earliest and latest. */
  readonly within: readonly [number, number]
  /** The reading that found the constraint: it must come back for a recovery to count. */
  readonly located: boolean
  /** e.g. "batch duration falls from 14 s to 4-6 s within 2 min". */
  readonly says: string
}
