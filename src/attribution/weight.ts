/**
 * Weights of evidence: log-odds of an observation under a cause against its base rate, by five levels (engine.md §3.5).
 * LLR = ln[(pi P + (1-pi)(1-P)) / (pi q + (1-pi)(1-q))], pi = how surely it was observed, capped at +-3.
 */
import type { Check, Evidence, NoCheck } from './attribution.ts'

/** P(observation | cause). */
export const LEVEL = { always: 0.9, often: 0.65, seldom: 0.1, never: 0.03 } as const
export type Level = keyof typeof LEVEL

/** P(observation | anything): symptoms come with every cause, mechanisms with few. */
export const BASE_RATE = { symptom: 0.3, mechanism: 0.1, detector: 0.08 } as const
export type Kind = keyof typeof BASE_RATE

const CAP = 3

/** @param sure 0 = surely not observed, 1 = surely observed */
export function weightOf(level: Level, kind: Kind, sure: number): number {
  const p = LEVEL[level]
  const q = BASE_RATE[kind]
  const llr = Math.log((sure * p + (1 - sure) * (1 - p)) / (sure * q + (1 - sure) * (1 - q)))
  return Math.max(-CAP, Math.min(CAP, Math.round(llr * 1e6) / 1e6))
}

/** 0 at `low`, 1 at `high` (either may be the larger), straight between. */
export function ramp(value: number, low: number, high: number): number {
  return Math.max(0, Math.min(1, (value - low) / (high - low)))
}

/** An observation of a mechanism that the cause always shows: for it when there, against it when surely not. */
export function always(id: string, group: string, sure: number, says: string, check: Check | NoCheck): Evidence {
  return observation(id, group, weightOf('always', 'mechanism', sure), says, check)
}

/**
 * @param id names it among the observations of its cause
 * @param group one physical source: what it tells counts once
 * @param weight log-odds for (> 0) or against (< 0) the cause, within +-3
 * @param says a whole sentence with a number or a name in it
 */
export function observation(id: string, group: string, weight: number, says: string, check: Check | NoCheck): Evidence {
  return { id, group, says, weight, ...('none' in check ? { noCheck: check.none } : { check }) }
}
