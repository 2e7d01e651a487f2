/** The engine: timeline in, verdict out. Pure, deterministic, and honest about what it did not see. */
import type { Timeline } from '../timeline/timeline.ts'
import { accept } from './accept.ts'
import type { Attribution, Evidence, RuledOut } from './attribution.ts'
import { nowhere, ruledOutBy } from './attribution.ts'
import type { Cause } from './cause.ts'
import { causes as allCauses } from './causes/index.ts'
import { completeTo, deadlines } from './complete.ts'
import type { Facts } from './facts.ts'
import { gatherFacts } from './facts.ts'
import { onsetOfEpisode } from './order.ts'
import type { Ranked } from './rank.ts'
import { rank, round } from './rank.ts'

/** Engine version: part of every bundle, so that a later engine can say whose verdict it disagrees with. */
export const ENGINE = 'headwater-1'

/** A cause this unlikely was ruled out; its strongest opposing observation says by what. */
const RULED_OUT_BELOW = 0.05
const VERY_LIKELY = 0.9

export function attribute(timeline: Timeline, causes: readonly Cause[] = allCauses): Attribution {
  const facts = gatherFacts(timeline)
  const ranking = rank(causes.map((cause) => ({ cause, weighing: cause.weigh(facts) })))
  const leaderless = timeline.partitions.some((flow) => flow.unread === 'no leader')
  const symptoms = facts.episode !== null || facts.stall !== null || facts.behind !== null || leaderless
  const acceptance = accept(ranking, symptoms)
  const [first] = ranking.ranked
  const cause = acceptance.accepted && first ? first : null
  const named = cause !== null && cause.cause.name !== 'none' ? cause : null
  const pressed = facts.pressure
  const shown = cause ?? first
  return {
    outcome: cause === null ? 'inconclusive' : named === null ? 'none' : 'cause',
    cause: named?.cause.name ?? null,
    place: (named ?? first)?.weighing.place ?? nowhere,
    also: [],
    onset: rounded(named?.weighing.onset ?? (cause === null ? onsetOfEpisode(facts) : null)),
    confidence: cause === null ? null : cause.p,
    confidenceWords: cause === null ? null : cause.p >= VERY_LIKELY ? 'very likely' : 'likely',
    reason: acceptance.reason,
    decidingSignal: acceptance.deciding?.signal ?? null,
    howToDecide: acceptance.deciding?.how ?? null,
    ranking: ranking.ranked.map((r) => [r.cause.name, r.p] as const),
    headline: headline(facts, cause, first, symptoms ? acceptance.reason : 'no_onset'),
    supporting: strongest(shown?.weighing.evidence ?? [], 1),
    opposing: strongest(shown?.weighing.evidence ?? [], -1),
    ruledOut: ruledOut(ranking.ranked, shown),
    pressure: Object.fromEntries(Object.entries(pressed?.shares ?? {}).map(([k, v]) => [k, round(v)])),
    pressureNow: pressed === null ? null : round(pressed.now),
    pressureBefore: pressed === null ? null : round(pressed.before),
    counterfactual:
      named?.weighing.lagWithout === undefined || named.weighing.lagWithout === null || facts.lag === null
        ? null
        : { lagNow: Math.round(facts.lag.now), lagWithout: Math.round(Math.min(facts.lag.now, named.weighing.lagWithout)) },
    completeTo: completeTo(facts),
    deadlines: deadlines(facts),
    gaps: timeline.gaps,
  }
}

function rounded(interval: readonly [number, number] | null): readonly [number, number] | null {
  return interval === null ? null : [Math.round(interval[0] * 1000) / 1000, Math.round(interval[1] * 1000) / 1000]
}

function strongest(evidence: readonly Evidence[], sign: 1 | -1): Evidence[] {
  return evidence
    .filter((e) => e.weight * sign > 0.05)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.id < b.id ? -1 : 1))
    .map((e) => ({ ...e, weight: round(e.weight) }))
}

function ruledOut(ranked: readonly Ranked[], shown: Ranked | undefined): RuledOut[] {
  return ranked
    .filter((r) => r !== shown && r.p < RULED_OUT_BELOW)
    .flatMap((r) => ruledOutBy(r.cause.name, strongest(r.weighing.evidence, -1)[0]))
}

function headline(facts: Facts, cause: Ranked | null, first: Ranked | undefined, reason: string | null): string {
  if (cause !== null) return cause.weighing.headline
  if (facts.episode === null && facts.stall === null && facts.timeline.batches.length === 0) return 'too little could be seen to judge'
  if (reason === 'no_onset') return 'nothing stands out, but too little was seen to call it calm'
  return first === undefined || first.cause.name === 'none'
    ? 'it cannot be told yet where pressure began'
    : `it cannot be told yet where pressure began; most likely ${first.weighing.headline}`
}
