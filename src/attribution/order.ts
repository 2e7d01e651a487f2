/**
 * Order refutes better than it proves (engine.md §3.4): p = P(cause began before effect), the cause uniform on its interval,
 * LLR = ln((0.1 + 0.9 p) / 0.55), in [-1.70, +0.60]. Between two clocks their difference is uniform on its bound as well, so that
 * clocks known badly say nothing, neither for nor against; within one clock nothing is widened.
 */
import type { Gap } from '../incident/evidence.ts'
import type { ClockName } from '../timeline/clocks.ts'
import { DRIVER, skewBetween, TABLE } from '../timeline/clocks.ts'
import { plannedAt } from '../timeline/partitions.ts'
import type { Evidence } from './attribution.ts'
import { batchCheck } from './checks/files.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

type Interval = readonly [number, number]

/** From here on, and below its complement, an order is resolved. */
const RESOLVED = 0.9
/** Id of a comparison that only the clocks leave open. */
const UNRESOLVABLE = 'order.unresolvable'

/**
 * When the work became slow: not before the last well batch began, and not after the first ill one passed its limit.
 * Where no well batch is kept the table's commits may tell; else it may have begun at any time before: the interval opens with the window.
 * null without an episode.
 */
export function onsetOfEpisode({ episode }: Facts): Interval | null {
  if (episode === null) return null
  if (episode.began !== null) return episode.began
  const latest = episode.from + Math.min(episode.limit, episode.ill[0]?.seconds ?? 0)
  return [episode.censored ? Math.min(0, episode.since) : episode.since, latest]
}

/**
 * Whether what began in `onset` began early enough to have made the first ill batch ill; null without an episode.
 * What comes in must have come before that batch was planned; what slows the work must have begun before it passed its limit.
 */
export function orderEvidence(facts: Facts, onset: Interval, what: string, acts: 'on intake' | 'on work'): Evidence | null {
  const { episode, timeline } = facts
  const first = episode?.ill[0]
  if (episode === null || first === undefined || (episode.censored && episode.began === null)) return null
  const [effect, told] =
    episode.began !== null
      ? [episode.began[1], 'batches became slow']
      : acts === 'on intake'
        ? [plannedAt(first), 'the first slow batch was planned']
        : [episode.from + Math.min(first.seconds, episode.limit), 'the first slow batch passed its limit']
  const clock = acts === 'on intake' ? timeline.clockOf.intake : timeline.clockOf.executors
  const other = episode.began === null ? DRIVER : TABLE
  const skew = skewBetween(clock, other, timeline.clocks, timeline.pipeline.look)
  const p = probabilityBefore(onset, effect, skew)
  const weight = Math.log((0.1 + 0.9 * p) / 0.55)
  const by = `${told} ${episode.began === null ? 'at' : 'by'} {at ${effect.toFixed(1)}}`
  const between = `${what} between {at ${onset[0].toFixed(1)}} and {at ${onset[1].toFixed(1)}}, ${by}`
  const open = p < RESOLVED && p > 1 - RESOLVED
  const byClocks = open && isResolved(probabilityBefore(onset, effect, 0))
  const says = byClocks
    ? `The order cannot be resolved: ${between}, and the clocks of ${clock} and ${other} are only known within ${seconds(skew)} of each other.`
    : open
      ? `The order cannot be resolved: ${between}.`
      : p >= RESOLVED
        ? `It began first: ${what} by {at ${onset[1].toFixed(1)}}, ${by}.`
        : `It began too late: ${what} after {at ${onset[0].toFixed(1)}}, ${by}.`
  return observation(byClocks ? UNRESOLVABLE : 'order', 'order', Math.round(weight * 1e6) / 1e6, says, batchCheck(facts, first))
}

const isResolved = (p: number) => p >= RESOLVED || p <= 1 - RESOLVED
const seconds = (s: number) => `${Number(s.toPrecision(2))} s`

/** What only the clocks leave open, for the list of what was not seen. */
export function unresolvedOrder(evidence: readonly Evidence[]): Gap[] {
  return evidence
    .filter(({ id }) => id === UNRESOLVABLE)
    .map(({ says }) => ({
      source: 'clocks',
      signal: null,
      reason: `order unresolvable. ${says}`,
      mend: 'keep the hosts of brokers, driver and Headwater on one NTP source, and let Headwater reach the Spark UI, which tells its clock',
    }))
}

/** Onsets of these are read from the intake; of a lost executor from its events; all others from the batches of the driver. */
const ON_INTAKE = ['intake_surge', 'hot_partition', 'upstream_late']

/** Seconds by which the clocks that date the onsets of two causes may differ. */
export function skewOf(one: string, other: string, { timeline }: Facts): number {
  const clockOf = (cause: string): ClockName =>
    ON_INTAKE.includes(cause) ? timeline.clockOf.intake : cause === 'executor_loss' ? timeline.clockOf.executors : DRIVER
  return skewBetween(clockOf(one), clockOf(other), timeline.clocks, timeline.pipeline.look)
}

/** P(X + D <= Y) for X and Y uniform on their intervals (a point where one has no length) and D uniform on [-skew, skew]. */
export function probabilityBefore(one: Interval, other: Interval | number, skew: number): number {
  const [xs, ys] = [spreadOver(one), typeof other === 'number' ? [other] : spreadOver(other)]
  let sum = 0
  for (const y of ys) for (const x of xs) sum += skew > 0 ? Math.max(0, Math.min(1, (y - x + skew) / (2 * skew))) : y - x >= 0 ? 1 : 0
  return sum / (xs.length * ys.length)
}

const STEPS = 64

function spreadOver([from, to]: Interval): number[] {
  return from === to ? [from] : Array.from({ length: STEPS }, (_, i) => from + ((to - from) * (i + 0.5)) / STEPS)
}
