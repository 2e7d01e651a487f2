/**
 * From evidence to a ranking: groups of one physical source count once, priors and a temperature that takes dependence into account,
 * a softmax over all causes and "unknown" (engine.md §3.5, §3.7).
 */
import type { Evidence } from './attribution.ts'
import type { Cause, Weighing } from './cause.ts'

/** Measured optimum 0.5-0.7 for dependent tokens (attribution.md E4). */
const TEMPERATURE = 0.6
/** What a second observation of the same source adds. */
const SAME_GROUP = 0.3
/** "Something else", which keeps the base rates: what every cause has to beat. */
const UNKNOWN_PRIOR = 0.1

export interface Ranked {
  readonly cause: Cause
  readonly weighing: Weighing
  /** Log-odds by group. */
  readonly groups: ReadonlyMap<string, number>
  readonly score: number
  readonly p: number
}

export interface Ranking {
  readonly ranked: readonly Ranked[]
  readonly unknown: number
}

/** In a group the strongest observation counts, of the others a part. */
export function byGroup(evidence: readonly Evidence[]): Map<string, number> {
  const groups = new Map<string, number[]>()
  for (const e of evidence) groups.set(e.group, [...(groups.get(e.group) ?? []), e.weight])
  return new Map(
    [...groups].map(([group, weights]) => {
      const sorted = [...weights].sort((a, b) => Math.abs(b) - Math.abs(a) || b - a)
      const [strongest, ...rest] = sorted
      return [group, (strongest ?? 0) + SAME_GROUP * rest.reduce((a, b) => a + b, 0)]
    }),
  )
}

export function rank(weighed: readonly { readonly cause: Cause; readonly weighing: Weighing }[]): Ranking {
  const scored = weighed.map(({ cause, weighing }) => {
    const groups = byGroup(weighing.evidence)
    const sum = [...groups.values()].reduce((a, b) => a + b, 0)
    return { cause, weighing, groups, score: Math.log(cause.prior) + TEMPERATURE * sum }
  })
  const unknownScore = Math.log(UNKNOWN_PRIOR)
  const top = Math.max(unknownScore, ...scored.map((s) => s.score))
  const total = Math.exp(unknownScore - top) + scored.reduce((a, s) => a + Math.exp(s.score - top), 0)
  const ranked = scored
    .map((s) => ({ ...s, p: round(Math.exp(s.score - top) / total) }))
    .sort((a, b) => b.p - a.p || (a.cause.name < b.cause.name ? -1 : 1))
  return { ranked, unknown: round(Math.exp(unknownScore - top) / total) }
}

/** Equal evidence gives equal bytes, whatever the last bit of a logarithm says. */
export const round = (value: number) => Math.round(value * 1e6) / 1e6
