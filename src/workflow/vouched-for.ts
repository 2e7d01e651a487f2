/**
 * Which proposals the ledger says were put before their owners. Whoever can write to the store can change a proposal with its hash, but
 * not make an entry that chains to the one before it: that takes the key, which is not in the store.
 */
import type { ProposalCard } from '../incident/incident.ts'
import { newestOpening } from '../incident/openings.ts'
import { follows } from '../signoff/chain.ts'
import type { Entry, Head } from '../signoff/ledger.ts'
import { emptyHead } from '../signoff/ledger.ts'
import type { AttendPorts } from './attend-pipeline.ts'
import type { Attended } from './incident-ports.ts'

/** Entries read at once, from the newest back. */
const page = 200
/** How far the clocks of two processes may lie apart: entries of one follow those of the other. */
const apartMs = 600_000

type LedgerPorts = Pick<AttendPorts, 'ledgerKey'> & { readonly store: Pick<AttendPorts['store'], 'ledger'> }

/** Looks up the proposals that are pressed, and no others. */
export async function vouchedFor({ incident, inputs, head }: Attended, ports: LedgerPorts): Promise<(card: ProposalCard) => boolean> {
  const pressed = new Set(inputs.flatMap(({ input }) => (input.kind === 'press' ? [input.hash] : [])))
  const vouched = new Set<string>()
  for (const hash of pressed) {
    const card = incident === null ? undefined : newestOpening(incident, hash)
    if (incident !== null && card !== undefined && (await isOpened(incident.id, card, head, ports))) vouched.add(hash)
  }
  return ({ hash }) => vouched.has(hash)
}

/** Begins with the newest entries: a proposal is young when it is decided on. */
async function isOpened(incident: string, card: ProposalCard, head: Head, { store, ledgerKey }: LedgerPorts): Promise<boolean> {
  for (let last = head.number; last > 0; last -= page) {
    // The entry before the first one says whether that belongs to the chain.
    const from = Math.max(last - page, 1)
    const entries = await store.ledger(from, last - from + 1)
    const says = ({ what, incident: of, proposal }: Entry) => what === 'opened' && of === incident && proposal === card.hash
    if (entries.some((entry, i) => says(entry) && isChained(entry, entries[i - 1], ledgerKey))) return true
    if ((entries[0]?.atMs ?? 0) < card.openedAtMs - apartMs) return false
  }
  return false
}

function isChained(entry: Entry, before: Entry | undefined, key: string): boolean {
  if (entry.number === 1) return follows(emptyHead.digest, entry, key)
  return before?.number === entry.number - 1 && follows(before.digest, entry, key)
}
