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
  cost: 'dearer records',
  slots: 'fewer slots',
  sink: 'the table commit',
  checkpoint: 'the checkpoint',
  driver: 'the driver',
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
