/** An executor that has work and gets none of it done: who says so, where, and how to see it oneself. */
import { duration } from '../incident/format.ts'
import type { Standing } from '../timeline/pace.ts'
import type { Check, Evidence } from './attribution.ts'
import { standsCheck } from './checks/spark.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

export interface StandsStill {
  readonly says: string
  readonly headline: string
  readonly place: { readonly executor: string; readonly host: string | null }
  readonly check: Check
}

const called = ({ executor, host }: Standing) => `executor ${executor}${host === null ? '' : ` on ${host}`}`

/** The one that stands while others get work done; null where none does, or all do (then it is no executor's own trouble). */
export function standsStill(facts: Facts): StandsStill | null {
  const [one] = facts.timeline.standing.filter(({ alone }) => alone)
  if (one === undefined) return null
  const since = one.seconds === null ? '' : `, its oldest for ${duration(one.seconds)}`
  const who = called(one)
  return {
    says: `${who.slice(0, 1).toUpperCase()}${who.slice(1)} has tasks${since}, and finished none and read no row between two looks at {at ${one.at.toFixed(1)}}; others got theirs done.`,
    headline: `${who} stands still with work to do`,
    place: { executor: one.executor, host: one.host },
    check: standsCheck(facts, one.executor),
  }
}

/** Work that became slower everywhere does not stand still on one executor. */
const NOT_EVERYWHERE = -1.5

/** Against causes that slow the work on all executors alike; null = none stands alone. */
export function notEverywhere(facts: Facts): Evidence | null {
  const stands = standsStill(facts)
  return stands === null ? null : observation('executor.stands', 'place', NOT_EVERYWHERE, stands.says, stands.check)
}
