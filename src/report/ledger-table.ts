/** The ledger for people to read: one row for each entry, newest last, and below it what it says in particular. */
import { grouped } from '../incident/format.ts'
import type { Knob } from '../incident/knob.ts'
import { knobs } from '../incident/knob.ts'
import { settingInWords, stepInWords } from '../incident/setting-words.ts'
import { anchorDigits } from '../signoff/chain.ts'
import type { Entry, LedgerEvent } from '../signoff/ledger.ts'
import { clean } from './clean.ts'
import type { WallClock } from './wall-clock.ts'

export interface LedgerView {
  readonly clock: WallClock
  /** Who stands behind a commitment, e.g. "U0123ABCD" or "Amara (U0123ABCD)"; null = nobody can tell, or nobody any more. */
  readonly person: (commitment: string) => string | null
}

/** 1 → "1 entry", 17 → "17 entries". */
export function entryCount(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`
}

const words: Readonly<Record<LedgerEvent, string>> = {
  opened: 'proposed',
  approved: 'approved',
  declined: 'declined',
  more_wanted: 'wants more',
  applied: 'applied',
  withdrawn: 'withdrew',
  taken_back: 'took back',
  superseded: 'superseded',
  expired: 'expired',
  recovery: 'checked',
  erased: 'erased',
}

/** @returns lines without an end; times stand in the zone that the first line names */
export function ledgerTable(entries: readonly Entry[], view: LedgerView): string[] {
  const head = ['', `when (${view.clock.zone})`, 'who', 'did', 'incident', 'proposal', 'head']
  const rows = entries.map((entry) => rowOf(entry, view))
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === 0 ? cell.padStart(widths[0]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  const indent = ' '.repeat(widths[0]! + 2)
  return [line(head), ...rows.flatMap((row, i) => [line(row), ...saysOf(entries[i]!).map((says) => `${indent}${says}`)])]
}

function rowOf({ number, atMs, who, what, incident, proposal, digest }: Entry, { clock, person }: LedgerView): string[] {
  const when = `${clock.day(atMs / 1000)} ${clock.time(atMs / 1000)}`
  return [String(number), when, whoOf(who, person), words[what], clean(incident), ...[proposal, digest].map(shortHash)]
}

function whoOf(who: string, person: LedgerView['person']): string {
  if (who === '') return 'Headwater'
  // What stands in place of a commitment where there is none.
  if (!/^[0-9a-f]{64}$/.test(who)) return who === 'erased' ? 'erased person' : 'not known'
  return clean(person(who) ?? `person ${who.slice(0, 8)}`)
}

function saysOf({ details }: Entry): string[] {
  const { knob, from, to, scope, more, reason, outcome, says, approvals_left: left, entries } = details
  const change = to === undefined ? '' : changeOf(knob ?? '', from, to)
  const parts = [
    change + (scope === undefined ? '' : ` (${scope})`),
    left === undefined || left === '0' ? '' : `${left} more needed`,
    more === undefined ? '' : more.replace(':', ' ').replaceAll('_', ' '),
    reason === undefined ? '' : `“${reason}”`,
    outcome === undefined ? '' : outcome.replaceAll('_', ' '),
    says ?? '',
    entries === undefined ? '' : `one person, ${entries} of the entries before`,
  ]
  const text = clean(parts.filter((part) => part !== '').join('; '))
  return text === '' ? [] : [text]
}

/** A ledger may name settings of a newer program. */
function changeOf(knob: string, from: string | undefined, to: string): string {
  if (!Object.hasOwn(knobs, knob)) return `${knob}: ${from === undefined ? '' : `${from} `}→ ${to}`
  const known = knob as Knob
  const before = from === 'not set' ? null : Number(from)
  const step = from === undefined ? `→ ${settingInWords(known, Number(to))}` : stepInWords(known, before, Number(to))
  return `${knobs[known].title}: ${step}`
}

const shortHash = (hash: string): string => clean(hash.slice(0, anchorDigits))
