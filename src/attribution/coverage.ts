/** How far what was seen suffices to tell the best explanation from its rival, and how far it agrees with itself (engine.md §3.7). */
import type { Evidence } from './attribution.ts'
import type { Missing } from './cause.ts'
import type { Ranked, Ranking } from './rank.ts'

/** What is less likely than this is ruled out: it decides nothing by what was not seen of it. */
export const RULED_OUT_BELOW = 0.05
/** A group speaks for a cause from here on; one alone is wrong once in 15 (attribution.md E6). */
const SPEAKS = 0.7
/** Below this coverage, confidence shrinks in proportion. */
const FULL_COVERAGE = 0.7

type Groups = ReadonlyMap<string, number>

/** The candidate that the best one has to be told from; null = only from "something else". */
export function rivalOf({ ranked: [, second], unknown }: Ranking): Ranked | null {
  return second !== undefined && second.p >= RULED_OUT_BELOW && second.p > unknown ? second : null
}

/** Groups that speak for a cause. */
export const speaking = (groups: Groups): number => [...groups.values()].filter((w) => w >= SPEAKS).length

/** Share of what was said of a cause that speaks against it, 0..1. */
export function conflictOf(groups: Groups): number {
  const weights = [...groups.values()]
  const all = weights.reduce((a, w) => a + Math.abs(w), 0)
  return all === 0 ? 0 : weights.reduce((a, w) => a + Math.max(0, -w), 0) / all
}

/** The strongest observation for and the strongest against. */
export function disagreeing(evidence: readonly Evidence[]): readonly [Evidence, Evidence] | null {
  const by = (sign: 1 | -1) =>
    evidence.filter((e) => e.weight * sign > 0).sort((a, b) => (b.weight - a.weight) * sign || (a.id < b.id ? -1 : 1))[0]
  const [pro, contra] = [by(1), by(-1)]
  return pro === undefined || contra === undefined ? null : [pro, contra]
}

/** Readings that were not there and would have told the two apart, the most telling first; each counts once, by its larger weight. */
export function separating(first: Ranked, rival: Ranked | null): Missing[] {
  const bySignal = new Map<string, Missing>()
  for (const missing of [...first.weighing.missing, ...(rival?.weighing.missing ?? [])]) {
    const known = bySignal.get(missing.signal)
    if (known === undefined || missing.weight > known.weight) bySignal.set(missing.signal, missing)
  }
  return [...bySignal.values()].sort((a, b) => b.weight - a.weight || (a.signal < b.signal ? -1 : 1))
}

/** Weight of what was seen and tells the two apart, over the weight of all that could: 1 = nothing is missing. */
export function coverageOf(first: Ranked, rival: Ranked | null): number {
  const groups = new Set([...first.groups.keys(), ...(rival?.groups.keys() ?? [])])
  let seen = 0
  for (const group of groups) seen += Math.abs((first.groups.get(group) ?? 0) - (rival?.groups.get(group) ?? 0))
  const missing = separating(first, rival).reduce((a, m) => a + m.weight, 0)
  return missing === 0 ? 1 : seen / (seen + missing)
}

/** How far evidence may move a cause from its prior: fully from a coverage of 0.7 on. */
export const trustOf = (coverage: number): number => Math.min(1, coverage / FULL_COVERAGE)
