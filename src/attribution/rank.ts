/**
 * From evidence to a ranking: groups of one physical source count once, priors and a temperature that takes dependence into account,
 * a softmax over all causes and "unknown" (engine.md §3.5, §3.7). Probabilities of all causes and of "unknown" add up to 1.
 */
import type { Evidence } from './attribution.ts'
import type { Cause, Weighing } from './cause.ts'

/** Measured optimum 0.5-0.7 for dependent tokens (attribution.md E4). */
const TEMPERATURE = 0.6
/** What a second observation of the same source adds. */
const SAME_GROUP = 0.3
/** "Something else", which keeps the base rates: what every cause has to beat. */
const UNKNOWN_PRIOR = 0.1

/** A cause with what it says of the facts. */
export interface Weighed {
  readonly cause: Cause
  readonly weighing: Weighing
  /** What still speaks for it when the doing of another cause is taken away; absent = all of its evidence counts. */
  readonly left?: readonly Evidence[]
}

export interface Ranked extends Weighed {
  /** Log-odds by group. */
  readonly groups: ReadonlyMap<string, number>
  readonly p: number
}

export interface Ranking {
  /** Best first. */
  readonly ranked: readonly Ranked[]
  /** What none of them explains. */
  readonly unknown: number
}

export interface RankOptions {
  /** Something is ill, so "nothing is wrong" explains nothing: what it would have got is nobody's, it is unknown. */
  readonly symptoms?: boolean
  /** 0..1: how far evidence may move a cause from its prior; less where much was not seen. */
  readonly trust?: number
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

/** How much likelier a cause is than "something else", natural logarithm: prior and evidence together. */
export function oddsOverUnknown(cause: Cause, evidence: readonly Evidence[], trust = 1): number {
  const sum = [...byGroup(evidence).values()].reduce((a, b) => a + b, 0)
  return Math.log(cause.prior / UNKNOWN_PRIOR) + trust * TEMPERATURE * sum
}

export function rank(weighed: readonly Weighed[], { symptoms = false, trust = 1 }: RankOptions = {}): Ranking {
  const scored = weighed.map((one) => {
    const evidence = one.left ?? one.weighing.evidence
    return { ...one, groups: byGroup(evidence), odds: Math.exp(oddsOverUnknown(one.cause, evidence, trust)) }
  })
  const total = 1 + scored.reduce((a, s) => a + s.odds, 0)
  const excluded = (one: Weighed) => symptoms && one.cause.name === 'none'
  const ranked = scored
    .map(({ odds, ...one }) => ({ ...one, p: excluded(one) ? 0 : round(odds / total) }))
    .sort((a, b) => b.p - a.p || (a.cause.name < b.cause.name ? -1 : 1))
  return { ranked, unknown: round(1 - ranked.reduce((a, one) => a + one.p, 0)) }
}

/** Log-odds over "something else" of a cause if one more observation of this weight spoke for it. */
export function liftedOver(p: number, unknown: number, weight: number): number {
  return Math.log(Math.max(1e-6, p) / Math.max(1e-6, unknown)) + TEMPERATURE * weight
}

/** Equal evidence gives equal bytes, whatever the last bit of a logarithm says. */
export const round = (value: number) => Math.round(value * 1e6) / 1e6
