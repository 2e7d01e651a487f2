/**
 * The chain of the ledger. Each digest is HMAC-SHA256(key, digest before + canonical entry): without the key, which lives outside the
 * store, nobody who can write to the store can make a chain that holds. `verify.ts` walks it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonical } from '../incident/canonical.ts'
import type { Actor } from '../incident/trigger.ts'
import type { Draft, Entry, Head } from './ledger.ts'

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

/** Whether an entry's digest is the one that it has after the digest before it. */
export function follows(before: string, entry: Entry, key: string): boolean {
  const { digest: stored, ...content } = entry
  const [x, y] = [Buffer.from(stored), Buffer.from(digest(before, content, key))]
  return x.length === y.length && timingSafeEqual(x, y)
}

function digest(before: string, content: Omit<Entry, 'digest'>, key: string): string {
  return createHmac('sha256', key).update(before).update('\n').update(canonical(content)).digest('hex')
}

/**
 * What the ledger keeps of a person: SHA-256 of salt and id. The salt is kept beside the ledger; deleting it makes the entry
 * nobody's, and the chain still holds.
 * @param salt at least 16 random bytes, hex, one per person
 */
export function personCommitment({ team, user }: Actor, salt: string): string {
  return createHash('sha256').update(`${salt}:${team}/${user}`).digest('hex')
}
