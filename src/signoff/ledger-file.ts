/**
 * The ledger as a file: one line of JSON for what it is, then one for each entry, oldest first, as it was chained. It names nobody:
 * people are commitments in it, as in the store, so that an erased person is erased from every copy.
 *
 *   {"headwater":"ledger","v":1,"head":{"digest":"3f9a…","number":17}}
 *   {"atMs":…,"details":{…},"digest":…,"incident":…,"number":1,…}
 */
import { HeadwaterError } from '../errors.ts'
import { canonical } from '../incident/canonical.ts'
import { entryFrom } from './entry-from.ts'
import type { Head } from './ledger.ts'
import type { Found } from './verify.ts'

const version = 1

/** The entries of a ledger with the note of its newest one. */
export interface LedgerCopy {
  /** What the store had noted before the entries were read. */
  readonly noted: Head
  readonly entries: readonly Found[]
}

/** An entry that cannot be read is a line "null": a copy hides no harm. */
export function writeLedgerFile({ noted, entries }: LedgerCopy): string {
  return [{ headwater: 'ledger', v: version, head: noted }, ...entries].map((line) => `${canonical(line)}\n`).join('')
}

/** @throws HeadwaterError ledger_mistaken when it is no such file; a line that is no entry is found by `verify` */
export function readLedgerFile(text: string): LedgerCopy {
  const [first = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  const header = parsed(first) as { headwater?: unknown; v?: unknown; head?: Partial<Head> | null } | null
  if (header?.headwater !== 'ledger') throw mistaken('this is no exported ledger: make one with headwater ledger export')
  if (header.v !== version) throw mistaken(`this ledger was exported in version ${String(header.v)}; this program reads ${version}`)
  const { number, digest } = header.head ?? {}
  if (!Number.isSafeInteger(number) || typeof digest !== 'string') throw mistaken('the first line of this ledger names no head')
  return { noted: { number: number as number, digest }, entries: lines.map((line) => entryFrom(parsed(line))) }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return null
  }
}

function mistaken(why: string): HeadwaterError {
  return new HeadwaterError('ledger_mistaken', why)
}
