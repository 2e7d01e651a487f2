/** What the exact account of the slow batches says for a cause: the part of the extra time that its terms explain. */
import { share } from '../incident/format.ts'
import type { Evidence } from './attribution.ts'
import type { Facts } from './facts.ts'
import type { PressureTerm } from './pressure.ts'
import { observation, ramp, weightOf } from './weight.ts'

/** Share of the extra time of a batch with one trigger's records: explains nothing, explains it. */
const NOTHING = 0.2
const MOST = 0.6

const WORDS: Readonly<Record<PressureTerm, string>> = {
  intake: 'more records',
  skew_or_wait: 'slots that wait for few tasks',
  cost: 'longer tasks for the same rows',
  slots: 'fewer slots',
  sink: 'the table commit',
  checkpoint: 'the checkpoint',
  driver: 'the driver',
}

/** A batch this much longer than its rows alone would make it has another reason. */
const BEYOND_ROWS = 1.2

/**
 * Against causes that make work slower: every slow batch took no longer than its rows explain (the usual time, scaled by rows; generous,
 * because fixed time does not scale). null while one batch took longer than that, or rows are not known.
 */
export function rowsExplainAll(facts: Facts): Evidence | null {
  const { episode, usual } = facts
  if (episode === null || usual === null || !usual.rows) return null
  for (const batch of episode.ill.filter((b) => b.seconds > episode.limit)) {
    if (typeof batch.rows !== 'number') return null
    if (batch.seconds > BEYOND_ROWS * usual.seconds * Math.max(1, batch.rows / usual.rows)) return null
  }
  return observation('batch.by_rows', 'batch', -2, 'No slow batch took longer than its rows explain.')
}

/** null where no account could be closed. */
export function accountEvidence(facts: Facts, terms: readonly PressureTerm[]): Evidence | null {
  const shares = facts.pressure?.shares
  if (!shares) return null
  const part = terms.reduce((a, term) => a + Math.max(0, shares[term]), 0)
  const sum = Object.values(shares).reduce((a, b) => a + Math.max(0, b), 0)
  const fraction = sum > 0 ? part / sum : 0
  return observation(
    'account.explains',
    'account',
    weightOf('always', 'symptom', ramp(fraction, NOTHING, MOST)),
    `With one trigger's records a batch takes longer by ${terms.map((t) => WORDS[t]).join(', ')} for ${share(fraction)} of the extra time.`,
  )
}
