/**
 * What only follows from something further up (engine.md §3.6): rows follow the intake, the time of a batch its rows and slots, lag and
 * freshness all of it. A hypothesis that lies downstream of another and of which nothing is left once the other's doing is taken away is
 * its consequence: it is shown as such, and competes with nobody.
 */
import type { Consequence } from './attribution.ts'
import type { Facts } from './facts.ts'
import { probabilityBefore, skewOf } from './order.ts'
import type { Ranked, Weighed } from './rank.ts'
import { oddsOverUnknown } from './rank.ts'
import { extraSeconds, without } from './without.ts'

/** Share of the extra time up to which what is left counts as explained. */
const EXPLAINED = 0.35
/** The parent must be this much likelier than "something else", natural logarithm. */
const ANOMALOUS = Math.log(3)
/** The parent began later than its consequence with at most this probability. */
const TOO_LATE = 0.9
const work = ['slow_processing', 'slow_sink', 'straggler_host', 'data_skew', 'memory_gc', 'consumer_parallelism', 'planning_overhead']

/** The flow of effects: what may follow from what. */
const downstream: Readonly<Record<string, readonly string[]>> = {
  upstream_late: ['intake_surge', 'hot_partition', ...work],
  intake_surge: work,
  hot_partition: work,
  executor_loss: ['slow_processing', 'slow_sink', 'straggler_host', 'consumer_parallelism'],
  memory_gc: ['executor_loss', 'slow_processing', 'slow_sink', 'straggler_host'],
}

export interface ExplainedAway {
  readonly consequences: readonly Consequence[]
  /** All hypotheses again; of a consequence only what the parent leaves of its evidence counts. */
  readonly weighed: readonly Weighed[]
}

/** @param ranked best first: of several possible parents the likeliest is named */
export function explainAway(ranked: readonly Ranked[], facts: Facts): ExplainedAway {
  const total = extraSeconds(facts)
  const consequences = new Map<string, Consequence>()
  const left = new Map<string, Weighed>()
  for (const parent of total > 0 ? ranked : []) {
    const children = downstream[parent.cause.name] ?? []
    if (children.length === 0 || oddsOverUnknown(parent.cause, parent.weighing.evidence) < ANOMALOUS || consequences.has(parent.cause.name))
      continue
    const rest = without(parent.cause.name, facts)
    if (rest === null || extraSeconds(rest) > EXPLAINED * total) continue
    for (const child of ranked) {
      const { name } = child.cause
      if (!children.includes(name) || consequences.has(name) || !competes(child) || beganFirst(child, parent, facts)) continue
      const weighing = child.cause.weigh(rest)
      if (oddsOverUnknown(child.cause, weighing.evidence) > 0) continue
      consequences.set(name, { cause: name, of: parent.cause.name, share: extraSeconds(rest) / total })
      left.set(name, { ...child, left: weighing.evidence })
    }
  }
  return { consequences: [...consequences.values()], weighed: ranked.map((one) => left.get(one.cause.name) ?? one) }
}

/** Something must speak for it, or there is nothing to explain. */
const competes = (one: Ranked) => oddsOverUnknown(one.cause, one.weighing.evidence) > 0

function beganFirst(child: Ranked, parent: Ranked, facts: Facts): boolean {
  const [a, b] = [parent.weighing.onset, child.weighing.onset]
  return a !== null && b !== null && probabilityBefore(a, b, skewOf(parent.cause.name, child.cause.name, facts)) < 1 - TOO_LATE
}
