/** A bounded change as it is put before its owner, or why there is none. */
import { createHash } from 'node:crypto'
import { canonical } from './canonical.ts'
import type { Expectation } from './expectation.ts'
import type { Action } from './knob.ts'

export interface Proposal {
  readonly kind: 'proposal'
  readonly pipeline: string
  readonly cause: string
  /** In words, e.g. "partition 3 of orders". */
  readonly place: string
  readonly action: Action
  /** The computation behind from → to, one step a line, with numbers and units. */
  readonly arithmetic: readonly string[]
  readonly expects: readonly Expectation[]
  /** Each a step a person can do. */
  readonly apply: readonly string[]
  readonly test: readonly string[]
  readonly undo: readonly string[]
  readonly stopIf: readonly string[]
  readonly willNotFix: readonly string[]
}

/** No knob of ours helps: who can, and what to tell them. */
export interface Referral {
  readonly kind: 'referral'
  readonly to: 'producer' | 'sink' | 'platform' | 'reader'
  readonly say: readonly string[]
}

/** No change is proposed. */
export interface Refusal {
  readonly kind: 'refusal'
  /** Whole sentences. */
  readonly reason: string
  /** What would make a proposal possible; null = nothing. */
  readonly needs: string | null
}

export type Remedy = Proposal | Referral | Refusal

/** Two proposals with the same key ask for the same change: the open one stays, with its hash. */
export function changeKey({ cause, place, action }: Proposal): string {
  return JSON.stringify([cause, place, action.knob, action.from.value, action.to, action.scope])
}

/**
 * What an approval binds: SHA-256 (hex) of the proposal as canonical JSON.
 */
export function proposalHash(proposal: Proposal): string {
  return createHash('sha256').update(canonical(proposal)).digest('hex')
}

/** Whether what is stored as a proposal is still what its hash was made of: whoever can write to the store can change either. */
export function isIntact({ proposal, hash }: { readonly proposal: Proposal; readonly hash: string }): boolean {
  return proposalHash(proposal) === hash
}
