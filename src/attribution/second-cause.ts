/**
 * A second cause at the same time (engine.md §3.6): take away what the first one does and ask again. What is left must be a good part
 * of the extra time, and on it the other cause must stand by itself; the first must stand without the second as well, for else both
 * only tell of the same thing.
 */
import type { Evidence } from './attribution.ts'
import type { Cause } from './cause.ts'
import { conflictOf, speaking } from './coverage.ts'
import type { Facts } from './facts.ts'
import type { Ranked } from './rank.ts'
import { byGroup, oddsOverUnknown } from './rank.ts'
import { extraSeconds, without } from './without.ts'

/** Share of the extra time that is left without the first, and that each of them takes away. */
const SHARE = 0.25
/** How much likelier than "something else", natural logarithm. */
const STANDS = Math.log(3)
const GROUPS = 2
const CONFLICT = 0.35

export interface Pair {
  /** The one that explains more of the extra time. */
  readonly main: Cause
  readonly second: Cause
  /** What each of them says where the doing of the other is taken away. */
  readonly ofMain: readonly Evidence[]
  readonly ofSecond: readonly Evidence[]
  /** The second's part of what both explain, 0..0.5. */
  readonly share: number
}

/** null where the best candidate acts alone, or it cannot be told. @param ranked best first */
export function secondCause(ranked: readonly Ranked[], facts: Facts): Pair | null {
  const [first, ...others] = ranked
  const total = extraSeconds(facts)
  if (first === undefined || total <= 0) return null
  const without1 = without(first.cause.name, facts)
  if (without1 === null) return null
  const left1 = extraSeconds(without1)
  const isPart = (seconds: number) => seconds >= SHARE * total
  if (!isPart(left1) || !isPart(total - left1)) return null
  const pairs = others.flatMap(({ cause }) => {
    const evidence2 = standing(cause, without1)
    const without2 = evidence2 === null ? null : without(cause.name, facts)
    if (evidence2 === null || without2 === null) return []
    const left2 = extraSeconds(without2)
    const evidence1 = isPart(total - left2) ? standing(first.cause, without2) : null
    if (evidence1 === null) return []
    const [explained1, explained2] = [total - left1, total - left2]
    const share = explained2 / (explained1 + explained2)
    const pair: Pair =
      share <= 0.5
        ? { main: first.cause, second: cause, ofMain: evidence1, ofSecond: evidence2, share }
        : { main: cause, second: first.cause, ofMain: evidence2, ofSecond: evidence1, share: 1 - share }
    return [{ pair, odds: oddsOverUnknown(cause, evidence2), name: cause.name }]
  })
  pairs.sort((a, b) => b.odds - a.odds || (a.name < b.name ? -1 : 1))
  return pairs[0]?.pair ?? null
}

/** Null unless it is clearly likelier than "something else", by two independent observations, and not contradicted. */
function standing(cause: Cause, facts: Facts): readonly Evidence[] | null {
  if (cause.name === 'none') return null
  const { evidence } = cause.weigh(facts)
  const groups = byGroup(evidence)
  return oddsOverUnknown(cause, evidence) >= STANDS && speaking(groups) >= GROUPS && conflictOf(groups) <= CONFLICT ? evidence : null
}
