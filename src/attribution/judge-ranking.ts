/**
 * From what each cause says to a ranking in which only rivals compete: what follows from another cause is set aside, two causes that act
 * together stand together, and where much was not seen evidence counts for less (engine.md §3.6, §3.7).
 */
import type { Consequence } from './attribution.ts'
import { coverageOf, rivalOf, trustOf } from './coverage.ts'
import { explainAway } from './explain-away.ts'
import type { Facts } from './facts.ts'
import type { Ranking, Weighed } from './rank.ts'
import { rank, round } from './rank.ts'
import type { Pair } from './second-cause.ts'
import { secondCause } from './second-cause.ts'

export interface Judged {
  /** Rivals only, best first. */
  readonly ranking: Ranking
  readonly consequences: readonly Consequence[]
  readonly pair: Pair | null
}

export function judgeRanking(weighed: readonly Weighed[], facts: Facts, symptoms: boolean): Judged {
  const { consequences, weighed: explained } = explainAway(rank(weighed, { symptoms }).ranked, facts)
  const pair = secondCause(rank(explained, { symptoms }).ranked, facts)
  const together = pair === null ? null : ranked(paired(explained, pair), symptoms)
  if (pair !== null && together?.ranked[0]?.cause === pair.main) return { ranking: together, consequences, pair }
  return { ranking: ranked(explained, symptoms), consequences, pair: null }
}

/** The second of two no longer competes with the first, which is judged by what it says without the second. */
function paired(weighed: readonly Weighed[], { main, second, ofMain }: Pair): Weighed[] {
  return weighed.filter((one) => one.cause !== second).map((one) => (one.cause === main ? { ...one, left: ofMain } : one))
}

/** With as much trust in the evidence as its coverage of the best candidate and its rival deserves. */
function ranked(rivals: readonly Weighed[], symptoms: boolean): Ranking {
  const full = rank(rivals, { symptoms })
  const [best] = full.ranked
  const trust = best === undefined ? 1 : trustOf(coverageOf(best, rivalOf(full)))
  return trust === 1 ? full : rank(rivals, { symptoms, trust })
}

/** All candidates with their probabilities, best first, "unknown" last: they add up to 1. Two that act together share theirs. */
export function published({ ranking, pair }: Judged): (readonly [string, number])[] {
  const [first] = ranking.ranked
  const second = pair === null || first === undefined ? 0 : round(first.p * pair.share)
  const rest = ranking.ranked.map((r) => [r.cause.name, r === first ? round(r.p - second) : r.p] as const)
  const all = pair === null ? rest : [...rest, [pair.second.name, second] as const]
  return [...all.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)), ['unknown', ranking.unknown] as const]
}
