/**
 * The chain of the ledger. Each digest is HMAC-SHA256(key, digest before + canonical entry): without the key, which lives outside the
 * store, nobody who can write to the store can make a chain that holds. Cutting off the end leaves a chain that holds but is shorter:
 * for that, every sign-off's reply in Slack prints number and first 12 digits, and `verify` takes such an anchor.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonical } from '../incident/canonical.ts'
import type { Actor } from '../incident/trigger.ts'
import type { Draft, Entry, Head } from './ledger.ts'
import { emptyHead } from './ledger.ts'

/** How many hex digits of a digest people see and may give back as an anchor. */
export const anchorDigits = 12

/** Chains drafts to a head. @returns the entries, oldest first */
export function chain(after: Head, drafts: readonly Draft[], key: string): Entry[] {
  const entries: Entry[] = []
  let head = after
  for (const draft of drafts) {
    const content = { ...draft, v: 1 as const, number: head.number + 1 }
    const entry = { ...content, digest: digest(head.digest, content, key) }
    entries.push(entry)
    head = { number: entry.number, digest: entry.digest }
  }
  return entries
}

function digest(before: string, content: Omit<Entry, 'digest'>, key: string): string {
  return createHmac('sha256', key).update(before).update('\n').update(canonical(content)).digest('hex')
}

export interface Anchor {
  readonly number: number
  /** At least the first `anchorDigits` of the digest. */
  readonly digest: string
}

/** 'holds', or the first thing that is wrong, in words with the number of the entry. */
export type Verification =
  | { readonly holds: true; readonly head: Head }
  | { readonly holds: false; readonly at: number; readonly why: string }

/** @param entries all of them, from number 1 on, in the order of the store */
export function verify(entries: readonly Entry[], key: string, anchor: Anchor | null = null): Verification {
  let head = emptyHead
  for (const entry of entries) {
    const expected = head.number + 1
    if (entry.number !== expected)
      return { holds: false, at: expected, why: `entry ${expected} is missing: ${entry.number} follows ${head.number}` }
    const { digest: stored, ...content } = entry
    if (!equal(stored, digest(head.digest, content, key))) {
      return { holds: false, at: entry.number, why: `entry ${entry.number} was changed, or something before it, or another key was used` }
    }
    head = { number: entry.number, digest: stored }
  }
  return anchor === null ? { holds: true, head } : anchored(entries, head, anchor)
}

function anchored(entries: readonly Entry[], head: Head, anchor: Anchor): Verification {
  const entry = entries[anchor.number - 1]
  if (entry === undefined) {
    return {
      holds: false,
      at: head.number + 1,
      why: `the ledger ends at entry ${head.number}, but entry ${anchor.number} was shown in Slack: its end is cut off`,
    }
  }
  if (anchor.digest.length < anchorDigits || !entry.digest.startsWith(anchor.digest.toLowerCase())) {
    return {
      holds: false,
      at: anchor.number,
      why: `entry ${anchor.number} is another one than was shown in Slack (${entry.digest.slice(0, anchorDigits)} here)`,
    }
  }
  return { holds: true, head }
}

function equal(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/**
 * What the ledger keeps of a person: SHA-256 of salt and id. The salt is kept beside the ledger; deleting it makes the entry
 * nobody's, and the chain still holds.
 * @param salt at least 16 random bytes, hex, one per person
 */
export function personCommitment({ team, user }: Actor, salt: string): string {
  return createHash('sha256').update(`${salt}:${team}/${user}`).digest('hex')
}
