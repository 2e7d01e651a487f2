/** What the exact account of the slow batches says for a cause: the part of the extra time that its terms explain. */
import { count, duration, share } from '../incident/format.ts'
import type { Account } from '../timeline/account.ts'
import type { Evidence } from './attribution.ts'
import { accountCheck, longestIll, rowsCheck } from './checks/files.ts'
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
  const longest = longestIll(facts)
  return observation(
    'batch.by_rows',
    'batch',
    -2,
    `No slow batch took longer than its rows explain: the longest ${duration(longest?.seconds ?? 0)} for ${count(longest?.rows ?? 0)} rows, usual ${duration(usual.seconds)} for ${count(usual.rows)}.`,
    rowsCheck(facts, longest),
  )
}

/** Whether rows could be told apart from the rest of the extra time; where not, "no more rows" is not known either. */
export function rowsToldApart({ usual, ill }: Facts): boolean {
  const told = ({ rows, jobs }: Account) => rows !== null && jobs !== null
  return usual !== null && told(usual) && ill.some(told)
}

/** null where no account could be closed. */
export function accountEvidence(facts: Facts, terms: readonly PressureTerm[]): Evidence | null {
  const shares = facts.pressure?.shares
  if (!shares) return null
  // Where a lost executor's slots were not seen to go, those that wait and those that are gone look alike: then neither is anybody else's.
  const blurred = facts.losses.length > 0 && facts.timeline.slots.t.length === 0 && !terms.includes('slots')
  // Without phases whatever nobody saw is booked on the driver.
  const unseen = facts.ill.every(({ addBatch }) => addBatch === null)
  const counts = (term: PressureTerm) => !(blurred && term === 'skew_or_wait') && !(unseen && term === 'driver')
  const part = terms.filter(counts).reduce((a, term) => a + Math.max(0, shares[term]), 0)
  const sum = Object.values(shares).reduce((a, b) => a + Math.max(0, b), 0)
  const fraction = sum > 0 ? part / sum : 0
  return observation(
    'account.explains',
    'account',
    weightOf('always', 'symptom', ramp(fraction, NOTHING, MOST)),
    `With one trigger's records a batch takes longer by ${terms.map((t) => WORDS[t]).join(', ')} for ${share(fraction)} of the extra time.`,
    accountCheck(facts, terms),
  )
}
