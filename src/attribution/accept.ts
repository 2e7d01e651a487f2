/**
 * When a ranking is enough to name a cause, and if not, why not and what would decide (engine.md §3.7). The rules in order; the first
 * that fails gives the reason. A rule that fails for want of evidence names the reading that is missing, if one of some weight is.
 */
import type { Wish } from './cause.ts'
import { conflictOf, coverageOf, disagreeing, RULED_OUT_BELOW, rivalOf, separating, speaking } from './coverage.ts'
import type { Ranked, Ranking } from './rank.ts'
import { liftedOver } from './rank.ts'

/** Below this a named cause would be wrong too often. */
const ENOUGH = 0.7
/** The runner-up must be this many times less likely. */
const MARGIN = 3
/** Independent observations that must speak for it. */
const GROUPS = 2
/** Share of what could tell it from its rival that must have been seen. */
const COVERED = 0.5
/** Share of what was said that may speak against. */
const CONFLICT = 0.35
/** Share of the peak (in time, above the usual) that must go without the cause. */
const MATTERS = 0.5
/** The cause that explains numbers which do not add up. */
const ARTIFACT = 'measurement_artifact'

export interface Question {
  /** Without what only follows from the best candidate, or acts beside it. */
  readonly ranking: Ranking
  readonly symptoms: boolean
  /** Names of the readings that contradict each other; empty = none do. */
  readonly contradiction: readonly string[]
  /** Share of the peak that goes without the best candidate; null = not tested. */
  readonly removed: number | null
  /** What else could be read, where no cause misses anything. */
  readonly otherwise: Wish | null
}

export interface Acceptance {
  readonly accepted: boolean
  /** Reason code when not. */
  readonly reason: string | null
  /** The reading that would tell the best candidate from its rival best. */
  readonly deciding: Wish | null
}

export function accept({ ranking, symptoms, contradiction, removed, otherwise }: Question): Acceptance {
  const [first] = ranking.ranked
  const nothing = symptoms ? 'unexplained' : 'no_onset'
  if (first === undefined) return { accepted: false, reason: nothing, deciding: otherwise }
  const rival = rivalOf(ranking)
  const decides = decidingReading(ranking, first, rival)
  const deciding = decides?.reading ?? otherwise
  const no = (reason: string): Acceptance => ({ accepted: false, reason, deciding })
  const wanting = (reason: string) => no(decides?.enough ? `missing:${decides.reading.signal}` : reason)
  if (contradiction.length > 0 && first.cause.name !== ARTIFACT) return no(`closure:${contradiction.join('/')}`)
  const speaks = speaking(first.groups)
  // Priors alone are no suspects.
  if (speaks === 0) return wanting(nothing)
  if (rival !== null && first.p < MARGIN * rival.p) return no(`tie:${first.cause.name}/${rival.cause.name}`)
  if (first.p < ENOUGH || first.p < MARGIN * ranking.unknown) return wanting(nothing)
  if (conflictOf(first.groups) > CONFLICT) {
    const both = disagreeing(first.weighing.evidence)
    return no(both === null ? 'disagree' : `disagree:${both[0].id}/${both[1].id}`)
  }
  if (speaks < GROUPS) return wanting('one_witness')
  if (coverageOf(first, rival) < COVERED) return wanting('coverage')
  if (removed !== null && removed < MATTERS) return no('counterfactual')
  return { accepted: true, reason: null, deciding: null }
}

interface Deciding {
  readonly reading: Wish
  /** It alone could have lifted its cause above "something else". */
  readonly enough: boolean
}

/** Of the two best the most telling; where they miss nothing, the one that could lift another candidate the highest. */
function decidingReading({ ranked, unknown }: Ranking, first: Ranked, rival: Ranked | null): Deciding | null {
  // What is not calm and not explained is unknown: what calm misses would tell of it.
  const chance = (r: Ranked) => (r.cause.name === 'none' ? Math.max(r.p, unknown) : r.p)
  const [best] = separating(first, rival)
  const owners = best === undefined ? ranked.filter((r) => chance(r) >= RULED_OUT_BELOW) : [first, ...(rival === null ? [] : [rival])]
  const all = owners.flatMap((r) =>
    separating(r, null).map((reading) => ({ reading, lift: liftedOver(chance(r), unknown, reading.weight) })),
  )
  const usable = best === undefined ? all : all.filter((one) => one.reading.signal === best.signal)
  usable.sort((a, b) => b.lift - a.lift || (a.reading.signal < b.reading.signal ? -1 : 1))
  const [top] = usable
  return top === undefined ? null : { reading: best ?? top.reading, enough: top.lift >= 0 }
}
