/**
 * A second cause at the same time (engine.md §3.6): take away what one does and ask again. Both must stand where the other's doing is
 * taken away, for else both only tell of the same thing. How much of the extra time is whose is what each takes away, averaged over both
 * orders (Shapley 1953): twice the records at twice the cost are four times the work, and belong to both alike. One that brings little is
 * no second cause, but no rival either.
 */
import type { Evidence } from './attribution.ts'
import type { Cause } from './cause.ts'
import { conflictOf, speaking } from './coverage.ts'
import type { Facts } from './facts.ts'
import type { Ranked } from './rank.ts'
import { byGroup, oddsOverUnknown } from './rank.ts'
import { extraSeconds, without } from './without.ts'

/** Part of the extra time that makes a second cause. */
const PART = 0.25
/** Part that one must bring for the other to be no rival. */
const MOST = 0.5
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
  /** The second is there, and brings too little to be named. */
  readonly minor: boolean
}

/** null where the best candidate acts alone, or it cannot be told. @param ranked best first */
export function secondCause(ranked: readonly Ranked[], facts: Facts): Pair | null {
  const [first, ...others] = ranked
  const total = extraSeconds(facts)
  if (first === undefined || total <= 0) return null
  const without1 = without(first.cause.name, facts)
  if (without1 === null) return null
  const pairs = others.flatMap(({ cause }) => {
    const evidence2 = standing(cause, without1)
    const without2 = evidence2 === null ? null : without(cause.name, facts)
    const evidence1 = without2 === null ? null : standing(first.cause, without2)
    if (evidence1 === null || evidence2 === null || without2 === null) return []
    const [left1, left2] = [extraSeconds(without1), extraSeconds(without2)]
    const both = without(cause.name, without1)
    const neither = both === null ? 0 : extraSeconds(both)
    const one = { cause: first.cause, evidence: evidence1, part: (total - left1 + left2 - neither) / 2 / total }
    const two = { cause, evidence: evidence2, part: (total - left2 + left1 - neither) / 2 / total }
    const pair = pairOf(one, two)
    return pair === null ? [] : [{ pair, odds: oddsOverUnknown(cause, evidence2), name: cause.name }]
  })
  pairs.sort((a, b) => b.odds - a.odds || (a.name < b.name ? -1 : 1))
  return pairs[0]?.pair ?? null
}

interface Part {
  readonly cause: Cause
  readonly evidence: readonly Evidence[]
  /** Of the extra time. */
  readonly part: number
}

function pairOf(one: Part, two: Part): Pair | null {
  const [main, second] = one.part >= two.part ? [one, two] : [two, one]
  const minor = second.part < PART
  if (second.part <= 0 || main.part < (minor ? MOST : PART)) return null
  const share = second.part / (main.part + second.part)
  return { main: main.cause, second: second.cause, ofMain: main.evidence, ofSecond: second.evidence, share, minor }
}

/** Null unless it is clearly likelier than "something else", by two independent observations, and not contradicted. */
function standing(cause: Cause, facts: Facts): readonly Evidence[] | null {
  if (cause.name === 'none') return null
  const { evidence } = cause.weigh(facts)
  const groups = byGroup(evidence)
  return oddsOverUnknown(cause, evidence) >= STANDS && speaking(groups) >= GROUPS && conflictOf(groups) <= CONFLICT ? evidence : null
}
