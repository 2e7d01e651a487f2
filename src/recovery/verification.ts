/** What a recovery check says, with everything that a reader needs to believe it. */
import type { RecoveryOutcome } from '../incident/incident.ts'

/** One expectation against what was measured. */
export interface Measured {
  readonly signal: string
  readonly unit: string
  readonly before: number
  /** null = not seen. */
  readonly now: number | null
  readonly expected: readonly [number, number]
  readonly located: boolean
  /** Within what was expected, for long enough; null = not seen, or not for long enough. */
  readonly back: boolean | null
  readonly says: string
}

export interface Verification {
  /** null = it cannot be said yet: look again at the next planned time. */
  readonly outcome: RecoveryOutcome | null
  /** One line. */
  readonly says: string
  readonly reasons: readonly string[]
  readonly measured: readonly Measured[]
  /** Readings without which it cannot be said, in words. */
  readonly missing: readonly string[]
}
