/** Makes a person nobody: their salt goes, and that it went is an entry itself. The chain still holds. */
import { HeadwaterError } from '../errors.ts'
import type { Actor } from '../incident/trigger.ts'
import { chain } from '../signoff/chain.ts'
import type { Draft } from '../signoff/ledger.ts'
import type { Store } from './incident-ports.ts'

/** Tries against others who write to the ledger. */
const mostTries = 20

/**
 * Erases first and writes it down then: after a crash in between, the same command does the rest.
 * @param entries how many entries become nobody's by it
 * @throws HeadwaterError of the store; contended
 */
export async function forget(
  person: Actor,
  entries: number,
  nowMs: number,
  { store, ledgerKey }: { readonly store: Pick<Store, 'eraseSalt' | 'head' | 'commit'>; readonly ledgerKey: string },
): Promise<void> {
  await store.eraseSalt(person)
  const nothing = { incident: '', pipeline: '', who: '', proposal: '' }
  const draft: Draft = { ...nothing, atMs: nowMs, what: 'erased', details: { entries: String(entries) } }
  for (let tries = 0; tries < mostTries; tries++) {
    const after = await store.head()
    const ledger = { after, entries: chain(after, [draft], ledgerKey) }
    if ((await store.commit({ inputs: [], aside: [], incident: null, messages: [], jobs: [], ledger })) === 'done') return
  }
  throw new HeadwaterError('contended', 'the person is erased, but others write to the ledger all the time: say it once more')
}
