/** A small true ledger, and what somebody without its key can do to it. */
import { anchorDigits, chain } from '../../src/signoff/chain.ts'
import type { Draft, Entry, Head, LedgerEvent } from '../../src/signoff/ledger.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import { noon } from './stored-values.ts'

export const ledgerKey = 'the key of the tests: longer than thirty-two characters'

const turns: readonly LedgerEvent[] = ['opened', 'approved', 'applied', 'recovery']

/** Entry n of a ledger in which every incident is proposed, approved, applied and checked, a minute each. */
export function draftAt(n: number, over: Partial<Draft> = {}): Draft {
  const what = turns[(n - 1) % turns.length]!
  const incident = `i-20261130-orders-${Math.ceil(n / turns.length)}`
  return { atMs: noon + n * 60_000, incident, pipeline: 'orders', what, who: '', proposal: 'c0ffee'.repeat(10), details: {}, ...over }
}

export function trueLedger(length: number, over: Partial<Draft> = {}): Entry[] {
  return chain(
    emptyHead,
    Array.from({ length }, (_, i) => draftAt(i + 1, over)),
    ledgerKey,
  )
}

export const headAt = (entries: readonly Entry[], number: number): Head =>
  number === 0 ? emptyHead : { number, digest: entries[number - 1]!.digest }

/** As Slack shows it. */
export const anchorAt = (entries: readonly Entry[], number: number) => ({
  number,
  digest: entries[number - 1]!.digest.slice(0, anchorDigits),
})
