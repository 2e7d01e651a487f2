/** The engine: timeline in, verdict out. Pure, deterministic, and honest about what it did not see. */
import type { Timeline } from '../timeline/timeline.ts'
import { accept } from './accept.ts'
import type { Attribution } from './attribution.ts'
import { nowhere } from './attribution.ts'
import type { Cause } from './cause.ts'
import { causes as allCauses } from './causes/index.ts'
import { completeTo, deadlines } from './complete.ts'
import { counterfactual } from './counterfactual.ts'
import type { Facts } from './facts.ts'
import { gatherFacts } from './facts.ts'
import { judgeRanking, published } from './judge-ranking.ts'
import { onsetOfEpisode, unresolvedOrder } from './order.ts'
import { otherwise } from './otherwise.ts'
import type { Ranked, Ranking } from './rank.ts'
import { round } from './rank.ts'
import { reachGaps, withinReach } from './reach.ts'
import { ruledOut, sayings } from './sayings.ts'
import { schedulingDelay } from './scheduling-delay.ts'

/** Engine version: part of every bundle, so that a later engine can say whose verdict it disagrees with. */
export const ENGINE = 'headwater-1'

const VERY_LIKELY = 0.9
/** What weighs this much is worth telling of a cause that is not likely: it moves the odds by two thirds. */
const WITNESS = 0.5
/** What is itself said not to have happened is no suspect, however well its effects fit: odds of one to seven against it. */
const CONTRADICTED = -2
/** So many earlier pauses as long as this one make it a habit of the topic, and no symptom. */
const HABIT = 2

export function attribute(timeline: Timeline, causes: readonly Cause[] = allCauses): Attribution {
  const facts = gatherFacts(timeline)
  const symptoms = isIll(facts)
  const weighed = causes.map((cause) => ({ cause, weighing: cause.weigh(facts) }))
  const judged = judgeRanking(weighed, facts, symptoms)
  const { ranking, pair } = judged
  const [first] = ranking.ranked
  const also = pair === null || pair.minor ? [] : [pair.second.name]
  const without = first === undefined ? null : counterfactual([first.cause.name, ...also], facts)
  const asked = {
    ranking,
    symptoms,
    contradiction: timeline.closure.signals,
    removed: without?.removed ?? null,
    otherwise: otherwise(facts),
  }
  const acceptance = withinReach(accept(asked), first, facts)
  const cause = acceptance.accepted && first ? first : null
  const named = cause !== null && cause.cause.name !== 'none' ? cause : null
  const likely = suspect(ranking)
  const shown = cause ?? likely ?? ranking.ranked.find((r) => r.cause.name === 'none')
  const { supporting, opposing } = sayings(shown, pair, weighed)
  const pressed = facts.pressure
  return {
    outcome: cause === null ? 'inconclusive' : named === null ? 'none' : 'cause',
    cause: named?.cause.name ?? null,
    place: (named ?? likely)?.weighing.place ?? nowhere,
    also: named === null ? [] : also,
    consequences: judged.consequences.map((one) => ({ ...one, share: round(one.share) })),
    onset: rounded(named?.weighing.onset ?? (cause === null ? onsetOfEpisode(facts) : null)),
    confidence: cause === null ? null : cause.p,
    confidenceWords: cause === null ? null : cause.p >= VERY_LIKELY ? 'very likely' : 'likely',
    reason: acceptance.reason,
    decidingSignal: acceptance.deciding?.signal ?? null,
    howToDecide: acceptance.deciding?.how ?? null,
    ranking: published(judged),
    suspect: cause === null ? (likely?.cause.name ?? null) : null,
    headline: headline(facts, cause, likely, symptoms ? acceptance.reason : 'no_onset'),
    supporting: cause === null && likely === undefined ? [] : supporting,
    opposing,
    ruledOut: ruledOut(judged, shown),
    pressure: Object.fromEntries(Object.entries(pressed?.shares ?? {}).map(([k, v]) => [k, round(v)])),
    pressureNow: pressed === null ? null : round(pressed.now),
    pressureBefore: pressed === null ? null : round(pressed.before),
    counterfactual: named === null || without === null ? null : { ...without, removed: without.removed && round(without.removed) },
    schedulingDelay: schedulingDelay(facts),
    completeTo: completeTo(facts),
    deadlines: deadlines(facts),
    closure: timeline.closure,
    gaps: [...timeline.gaps, ...reachGaps(facts), ...unresolvedOrder(shown?.weighing.evidence ?? [])],
  }
}

/** Whether something is wrong at all: then "nothing is wrong" is no candidate, however weak the others are. */
function isIll({ timeline, episode, stall, behind }: Facts): boolean {
  const leaderless = timeline.partitions.some((flow) => flow.unread === 'no leader')
  return episode !== null || (stall !== null && stall.asLongBefore < HABIT) || behind !== null || leaderless
}

/** The best candidate, or the next one where what is seen says that this one did not happen. "Nothing is wrong" ends the search. */
function suspect({ ranked, unknown }: Ranking): Ranked | undefined {
  const next = ranked.find(({ cause, weighing }) => cause.name === 'none' || weighing.evidence.every(({ weight }) => weight > CONTRADICTED))
  return next !== undefined && isSuspected(next, unknown) ? next : undefined
}

/** Nobody is suspected who is less likely than "something else" and has no witness; what is wrong is told all the same. */
function isSuspected({ p, weighing }: Ranked, unknown: number): boolean {
  return p > unknown || weighing.evidence.some((one) => one.weight >= WITNESS)
}

function rounded(interval: readonly [number, number] | null): readonly [number, number] | null {
  return interval === null ? null : [Math.round(interval[0] * 1000) / 1000, Math.round(interval[1] * 1000) / 1000]
}

function headline(facts: Facts, cause: Ranked | null, likely: Ranked | undefined, reason: string | null): string {
  if (cause !== null) return cause.weighing.headline
  if (facts.episode === null && facts.stall === null && facts.timeline.batches.length === 0) return 'too little could be seen to judge'
  if (reason === 'no_onset') return 'nothing stands out, but too little was seen to call it calm'
  return likely === undefined || likely.cause.name === 'none'
    ? 'it cannot be told yet where pressure began'
    : `it cannot be told yet where pressure began; most likely ${likely.weighing.headline}`
}
