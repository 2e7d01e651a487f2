/**
 * Walks the chain of the ledger and names the first entry that does not hold, and what was done to it. What one write to the store
 * can do without the key is told apart by what still fits behind it: an edited entry is followed by those that fit what it was.
 *
 * Cutting off the end leaves a chain that holds but is shorter. Two things outside the chain tell: the store's own note of its newest
 * entry, and an anchor, which is number and first digits of an entry as every sign-off's reply in Slack shows them.
 */
import type { Anchor } from './anchor.ts'
import { anchorDigits, follows } from './chain.ts'
import type { Entry, Head } from './ledger.ts'
import { emptyHead } from './ledger.ts'

/**
 * edited: another content or digest than was written; removed: entries are missing before others; inserted: an entry stands between
 * two that follow each other; cut_off: its end is missing; rewritten: from here on all was written without the key; key: nothing
 * fits this key at all.
 */
export type Harm = 'edited' | 'removed' | 'inserted' | 'cut_off' | 'rewritten' | 'key'

export type Verification =
  | { readonly holds: true; readonly head: Head }
  /** `at` = number of the first entry that does not hold; `why` = one sentence. */
  | { readonly holds: false; readonly at: number; readonly how: Harm; readonly why: string }

/** What is known of the ledger from elsewhere. */
export interface Known {
  readonly anchors?: readonly Anchor[]
  /** The store's note of its newest entry, read before the entries were. */
  readonly noted?: Head | null
}

/** What stands in the ledger; null = it cannot be read as an entry. */
export type Found = Entry | null

type Broken = Extract<Verification, { holds: false }>

/** @param entries all of them, from number 1 on, in the order of the store */
export function verify(entries: readonly Found[], key: string, { anchors = [], noted = null }: Known = {}): Verification {
  let head = emptyHead
  for (const [i, entry] of entries.entries()) {
    const number = head.number + 1
    if (entry === null || entry.number !== number || !follows(head.digest, entry, key)) {
      return otherKey(entries, key, anchors) ?? harmAt(entries, i, head, key)
    }
    head = { number, digest: entry.digest }
  }
  for (const anchor of anchors) {
    const broken = againstAnchor(entries, head, anchor)
    if (broken !== null) return broken
  }
  return (noted === null ? null : againstNote(entries, head, noted)) ?? { holds: true, head }
}

/** Nothing fits: then it is the key that is another, or nothing of the ledger is left. An anchor tells the two apart. */
function otherKey(entries: readonly Found[], key: string, anchors: readonly Anchor[]): Broken | null {
  if (entries.some((_, i) => linked(entries, i, key))) return null
  const shown = anchors.find((anchor) => matches(entries[anchor.number - 1] ?? null, anchor))
  if (shown !== undefined) {
    return broken(
      1,
      'key',
      `another key than the ledger was written with: entry ${shown.number} is the one that Slack shows, and does not fit it`,
    )
  }
  if (anchors.length > 0) {
    return broken(1, 'rewritten', 'no entry fits the key, and none is the one that Slack shows: the whole ledger was replaced')
  }
  return broken(
    1,
    'key',
    'no entry fits the key: it is another one than the ledger was written with, or the whole ledger was replaced; an anchor from Slack tells which',
  )
}

function harmAt(entries: readonly Found[], i: number, head: Head, key: string): Broken {
  const number = head.number + 1
  const entry = entries[i]!
  const next = entries[i + 1] ?? null
  if (next !== null && next.number === number && follows(head.digest, next, key)) {
    return broken(number, 'inserted', `before entry ${number} stands another one that does not belong there: it was put in`)
  }
  if (entry === null) return broken(number, 'edited', `what stands in the place of entry ${number} is no entry: it was edited`)
  if (entry.number > number) return broken(number, 'removed', missing(number, entry.number))
  if (entry.number < number) {
    return broken(number, 'inserted', `after entry ${head.number} stands an entry ${entry.number} once more: it was put in`)
  }
  const rest = entries.slice(i + 1)
  if (rest.length === 0) return broken(number, 'edited', `entry ${number}, the newest, was edited or added without the key`)
  if (rest.some((_, k) => linked(entries, i + 1 + k, key))) {
    return broken(number, 'edited', `entry ${number} was edited: those before it and after it fit the key, and it does not`)
  }
  return broken(number, 'rewritten', `from entry ${number} on nothing fits the key: all of it was written without the key`)
}

/** Whether the entry at a place follows the one before it, whatever became of those before that. */
function linked(entries: readonly Found[], i: number, key: string): boolean {
  const entry = entries[i] ?? null
  const before = i === 0 ? emptyHead : (entries[i - 1] ?? null)
  return entry !== null && before !== null && entry.number === before.number + 1 && follows(before.digest, entry, key)
}

function againstAnchor(entries: readonly Found[], head: Head, anchor: Anchor): Broken | null {
  const entry = entries[anchor.number - 1] ?? null
  if (entry === null) {
    const why = `the ledger ends at entry ${head.number}, but Slack shows entry ${anchor.number}: its end was cut off`
    return broken(head.number + 1, 'cut_off', why)
  }
  if (matches(entry, anchor)) return null
  const why = `entry ${anchor.number} is another one (${entry.digest.slice(0, anchorDigits)}) than Slack shows (${anchor.digest.slice(0, anchorDigits)})`
  return broken(anchor.number, 'rewritten', `${why}: the ledger was written anew with the key, or this anchor is of another ledger`)
}

function againstNote(entries: readonly Found[], head: Head, noted: Head): Broken | null {
  if (noted.number > head.number) {
    const why = `the ledger ends at entry ${head.number}, but the store has noted entry ${noted.number} as its newest: its end was cut off`
    return broken(head.number + 1, 'cut_off', why)
  }
  const entry = noted.number === 0 ? emptyHead : entries[noted.number - 1]
  if (entry?.digest === noted.digest) return null
  return broken(noted.number, 'edited', `the store has noted another digest of entry ${noted.number} than it has: the note was edited`)
}

function matches(entry: Found, anchor: Anchor): boolean {
  const { number, digest } = anchor
  return entry !== null && entry.number === number && digest.length >= anchorDigits && entry.digest.startsWith(digest)
}

function missing(from: number, before: number): string {
  const which = before - from === 1 ? `entry ${from} is missing` : `entries ${from} to ${before - 1} are missing`
  return `${which}: ${before} follows ${from === 1 ? 'nothing' : from - 1}`
}

const broken = (at: number, how: Harm, why: string): Broken => ({ holds: false, at, how, why })
