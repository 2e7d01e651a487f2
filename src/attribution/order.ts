/**
 * Order refutes better than it proves (engine.md §3.4): p = P(cause began before effect), both uniform on their intervals,
 * LLR = ln((0.1 + 0.9 p) / 0.55), in [-1.70, +0.60]. Clock bounds of the two sources widen the comparison.
 */
import type { Evidence } from './attribution.ts'
import { batchCheck } from './checks/files.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

/** Clock difference between two sources that nobody bounded, s. */
const UNKNOWN_SKEW = 2

/**
 * When the work became slow: not before the last well batch began, and not after the first ill one passed its limit.
 * Where no well batch is kept it may have begun at any time before: then the interval opens with the window. null without an episode.
 */
export function onsetOfEpisode({ episode }: Facts): readonly [number, number] | null {
  if (episode === null) return null
  const latest = episode.from + Math.min(episode.limit, episode.ill[0]?.seconds ?? 0)
  return [episode.censored ? Math.min(0, episode.since) : episode.since, latest]
}

/**
 * Whether what began in `onset` began early enough to have made the first ill batch ill; null without an episode.
 * What comes in must have come before that batch was planned; what slows the work must have begun before it passed its limit.
 */
export function orderEvidence(
  facts: Facts,
  onset: readonly [number, number],
  what: string,
  acts: 'on intake' | 'on work',
): Evidence | null {
  const { episode } = facts
  if (episode === null || episode.censored) return null
  const first = episode.ill[0]
  const effect = acts === 'on intake' ? episode.from : episode.from + Math.min(first?.seconds ?? episode.limit, episode.limit)
  const p = probabilityBefore(onset, [effect, effect], UNKNOWN_SKEW)
  const weight = Math.log((0.1 + 0.9 * p) / 0.55)
  const by =
    acts === 'on intake'
      ? `the first slow batch was planned at {at ${effect.toFixed(1)}}`
      : `the first slow batch passed its limit at {at ${effect.toFixed(1)}}`
  const says =
    p > 0.9
      ? `It began first: ${what} by {at ${onset[1].toFixed(1)}}, ${by}.`
      : p < 0.1
        ? `It began too late: ${what} after {at ${onset[0].toFixed(1)}}, ${by}.`
        : `The order cannot be resolved: ${what} between {at ${onset[0].toFixed(1)}} and {at ${onset[1].toFixed(1)}}, ${by}.`
  return observation('order', 'order', Math.round(weight * 1e6) / 1e6, says, batchCheck(facts, first))
}

/** P(X <= Y + slack) for X uniform on a, Y uniform on b. Degenerate intervals are points. */
export function probabilityBefore(a: readonly [number, number], b: readonly [number, number], slack: number): number {
  const steps = 64
  let sum = 0
  for (let i = 0; i < steps; i++) {
    const x = a[0] + ((a[1] - a[0]) * (i + 0.5)) / steps
    const width = b[1] - b[0]
    const above = width <= 0 ? (x <= b[1] + slack ? 1 : 0) : Math.max(0, Math.min(1, (b[1] + slack - x) / width))
    sum += above
  }
  return sum / steps
}
