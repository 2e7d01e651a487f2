/** The sign-off ledger: a chain of entries, each bound to the one before it. See `chain.ts` for how it is computed and checked. */

/** The newest entry's number and digest; number 0 and 64 zeros before the first. */
export interface Head {
  readonly number: number
  readonly digest: string
}

export const emptyHead: Head = { number: 0, digest: '0'.repeat(64) }

export const ledgerEvents = [
  'opened',
  'approved',
  'declined',
  'more_wanted',
  'applied',
  'withdrawn',
  'taken_back',
  'superseded',
  'expired',
  'recovery',
  'erased',
] as const

export type LedgerEvent = (typeof ledgerEvents)[number]

/** What an entry says, before it has its place in the chain. */
export interface Draft {
  readonly atMs: number
  readonly incident: string
  readonly pipeline: string
  readonly what: LedgerEvent
  /** Commitment to the person (`personCommitment`), never a name or an id; '' = Headwater itself. */
  readonly who: string
  /** Hash of the proposal it speaks of; '' = none. */
  readonly proposal: string
  /** Plain, bounded details: reason, outcome, hash of the evidence. */
  readonly details: Readonly<Record<string, string>>
}

export interface Entry extends Draft {
  readonly v: 1
  readonly number: number
  /** HMAC-SHA256, hex, over the digest before it and this entry's content. */
  readonly digest: string
}
