/** A new executor after a loss is cold: for one batch a record costs several times as much there (rig-spark.md T12). */
import type { Evidence } from './attribution.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

/** Against causes that make work dearer: a lost executor explains dearer work already. null when none was lost. */
export function coldExecutor(facts: Facts): Evidence | null {
  if (facts.losses.length === 0) return null
  return observation(
    'executor.cold',
    'executor',
    -2,
    'An executor was lost: its work is repeated, and a new one is slow in its first batch by nature.',
  )
}
