/**
 * Some seconds after each post it is known which copy of a message stands, and where. Where it was posted anew, because somebody had
 * deleted it, what leads to it has the address of one that is gone, and perhaps nothing else to do: it gets a job of its own.
 */
import type { Job, Store, Wanted } from './incident-ports.ts'
import { leadingTo } from './wanted-messages.ts'

/** @param ts where the message stands now */
export async function leadAgain(
  ts: string,
  { slot, incident, under, leadsTo }: Wanted,
  store: Pick<Store, 'incident' | 'wanted' | 'commit'>,
  nowMs: number,
): Promise<void> {
  if (under !== null || leadsTo !== undefined) return
  const read = await store.incident(incident)
  const jobs: Job[] = []
  for (const leads of read === null ? [] : leadingTo(slot, read.value)) {
    const { wanted, delivery } = (await store.wanted(leads)) ?? {}
    // One that has not asked yet looks again by itself until this one stands.
    if (wanted === undefined || delivery?.address === undefined || delivery.address.ts === ts) continue
    jobs.push({ key: `${leads}/send-led-${ts}`, kind: 'send', of: leads, dueAtMs: nowMs, with: { edition: wanted.edition } })
  }
  if (jobs.length > 0) await store.commit({ inputs: [], aside: [], incident: null, messages: [], jobs, ledger: null })
}
