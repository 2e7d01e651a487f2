/** When a ranking is enough to name a cause, and if not, why not and what would decide (engine.md §3.7). */
import type { Missing } from './cause.ts'
import type { Ranked, Ranking } from './rank.ts'

/** What is ruled out does not decide by what was not seen of it. */
const RULED_OUT_BELOW = 0.05
/** Below this a named cause would be wrong too often. */
const ENOUGH = 0.7
/** The runner-up must be this many times less likely. */
const MARGIN = 3
/** A group speaks for a cause from here on; two must, for one observation alone is wrong once in 15 (E6). */
const SPEAKS = 0.7
const GROUPS = 2
/** Share of what was said that may speak against. */
const CONFLICT = 0.4

export interface Acceptance {
  readonly accepted: boolean
  /** Reason code when not. */
  readonly reason: string | null
  readonly deciding: Missing | null
}

export function accept(ranking: Ranking, symptoms: boolean): Acceptance {
  const [first, second] = ranking.ranked
  if (first === undefined) return { accepted: false, reason: 'no_onset', deciding: null }
  const rival = Math.max(second?.p ?? 0, ranking.unknown)
  const deciding = decidingReading(ranking)
  const no = (reason: string): Acceptance => ({ accepted: false, reason, deciding })
  const speaks = [...first.groups.values()].filter((w) => w >= SPEAKS).length
  const against = [...first.groups.values()].filter((w) => w < 0).reduce((a, b) => a - b, 0)
  const all = [...first.groups.values()].reduce((a, b) => a + Math.abs(b), 0)
  // Priors alone are no suspects.
  if (speaks === 0) return no(deciding === null ? (symptoms ? 'unexplained' : 'no_onset') : `missing:${deciding.signal}`)
  if (first.p < ENOUGH || first.p < MARGIN * rival) {
    if (deciding !== null && deciding.weight >= 1) {
      return no(
        (second?.p ?? 0) >= ranking.unknown && second && first.p < MARGIN * second.p
          ? `tie:${first.cause.name}/${second.cause.name}`
          : `missing:${deciding.signal}`,
      )
    }
    if (second && second.p > ranking.unknown) return no(`tie:${first.cause.name}/${second.cause.name}`)
    return no(symptoms ? 'unexplained' : 'no_onset')
  }
  if (all > 0 && against / all > CONFLICT) return no('disagree')
  if (speaks < GROUPS) return no(deciding === null ? 'one_witness' : `missing:${deciding.signal}`)
  return { accepted: true, reason: null, deciding: null }
}

/** The missing reading that could move the two best explanations apart the most. */
export function decidingReading(ranking: Ranking): Missing | null {
  const candidates = ranking.ranked
    .slice(0, 3)
    .filter((r) => r.p >= RULED_OUT_BELOW)
    .flatMap((r: Ranked) => r.weighing.missing.map((m) => ({ m, weight: m.weight * (0.2 + r.p) })))
  candidates.sort((a, b) => b.weight - a.weight || (a.m.signal < b.m.signal ? -1 : 1))
  return candidates[0]?.m ?? null
}
