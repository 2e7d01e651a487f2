/** How far the driver's clock is from ours. Its times are left as they are: the timeline takes out what was measured. */
import type { Clock } from '../incident/evidence.ts'
import type { Answer } from './http.ts'

export interface DriverClock {
  /** Driver minus us, ms. 0 where the difference is inside what could be measured. */
  readonly aheadMs: number
  readonly clock: Clock
}

/** The Date header counts whole seconds. */
const DATE_STEP_MS = 1_000

/**
 * `driverNowMs` = start + duration of the application as it said in this answer (to the millisecond); without it the Date header
 * bounds the difference to a second. Null = neither was there.
 */
export function driverClock(answer: Answer, driverNowMs: number | null): DriverClock | null {
  const halfTrip = (answer.answeredMs - answer.sentMs) / 2
  const middle = answer.sentMs + halfTrip
  const date = answer.dateMs === null ? null : { ahead: answer.dateMs + DATE_STEP_MS / 2 - middle, error: halfTrip + DATE_STEP_MS / 2 }
  const exact = driverNowMs === null ? null : { ahead: driverNowMs - middle, error: halfTrip + 1 }
  // Where the two disagree, the duration is not taken at the time of the answer (a history server, an old list).
  const agree = exact !== null && (date === null || Math.abs(exact.ahead - date.ahead) <= exact.error + date.error)
  const best = agree ? exact : date
  if (best === null) return null
  const measured = Math.abs(best.ahead) > best.error
  return {
    aheadMs: measured ? best.ahead : 0,
    clock: {
      source: 'spark',
      skew_bound_s: Math.round(Math.abs(best.ahead) + best.error) / 1000,
      ...(measured ? { ahead_s: Math.round(best.ahead) / 1000, ahead_error_s: Math.round(best.error) / 1000 } : {}),
    },
  }
}
