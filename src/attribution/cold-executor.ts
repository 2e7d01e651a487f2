/** A new executor after a loss is cold: for one batch a record costs several times as much there (rig-spark.md T12). */
import type { Evidence } from './attribution.ts'
import { executorsCheck } from './checks/spark.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

/** Against causes that make work dearer: a lost executor explains dearer work already. null when none was lost. */
export function coldExecutor(facts: Facts): Evidence | null {
  const [lost] = facts.losses
  if (lost === undefined) return null
  return observation(
    'executor.cold',
    'executor',
    -2,
    `${lost.event.entity?.executor === undefined ? 'An executor' : `Executor ${lost.event.entity.executor}`} was lost at {at ${lost.event.at.toFixed(1)}}: its work is repeated, and a new one is slow in its first batch by nature.`,
    executorsCheck(facts, 'an entry with "isActive" : false and a removeTime after the onset'),
  )
}
