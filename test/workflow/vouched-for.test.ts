/** An approval binds what was put before its owners, as the ledger says: not what somebody wrote into the store since. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident, ProposalCard } from '../../src/incident/incident.ts'
import type { Press } from '../../src/incident/input.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { chain } from '../../src/signoff/chain.ts'
import type { Draft } from '../../src/signoff/ledger.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { attendPipeline } from '../../src/workflow/attend-pipeline.ts'
import { move } from '../../src/workflow/diagnose-incident.ts'
import { attendPorts, bundleOf, ledgerKey, owner } from '../build/attend-ports.ts'
import { proposal, verdict } from '../build/incident.ts'
import { change, command, noon, press } from '../build/stored-values.ts'

/** An open proposal whose opening is in the ledger. */
async function proposed() {
  const store = memoryStore(() => noon)
  const ports = attendPorts(store, () => noon)
  const the = async (): Promise<Incident> => (await store.attend('orders', 1)).incident!
  await store.put(command('c'))
  await attendPipeline('orders', ports)
  const bundle = await store.keep(bundleOf('hot_partition'))
  await move((await the()).id, ports, (incident, edition, nowMs) => conclude(incident, verdict({ bundle, edition }), proposal(), nowMs))
  /** As somebody would who can write to the store and has no key. */
  const writeCard = async (over: Partial<ProposalCard>): Promise<void> => {
    const { incident, version } = await store.attend('orders', 1)
    const value = { ...incident!, proposals: incident!.proposals.map((card) => ({ ...card, ...over })) }
    await store.commit(change({ incident: { value, version } }))
  }
  const write = async (drafts: readonly Draft[], key: string): Promise<void> => {
    const after = await store.head()
    await store.commit(change({ ledger: { after, entries: chain(after, drafts, key) } }))
  }
  const pressed = async (more: Partial<Press> = {}): Promise<string> => {
    const { id, proposals } = await the()
    await store.put(press('p', { incident: id, hash: proposals[0]!.hash, by: owner, ...more }))
    await attendPipeline('orders', ports)
    return (await store.wanted(`${id}/alone/p`))?.wanted.text ?? (await the()).proposals[0]!.state
  }
  return { store, the, writeCard, write, pressed }
}

const other = { ...proposal(), apply: ['turn off the checkpoint'] }
const refused = expect.stringContaining('The ledger does not say that this proposal was put before its owners')

test('what the ledger has opened is approved, however much was written after it', async () => {
  expect(await (await proposed()).pressed()).toBe('approved')
  const { the, write, pressed, store } = await proposed()
  const about = { atMs: noon, incident: 'i-other', pipeline: 'payments', what: 'opened', who: '', proposal: 'h', details: {} } as const
  await write(
    Array.from({ length: 450 }, () => about),
    ledgerKey,
  )
  expect(await pressed()).toBe('approved')
  expect((await the()).proposals[0]?.decisions).toMatchObject([
    { ledger: 452, anchor: (await store.ledger(452, 1))[0]?.digest.slice(0, 12) },
  ])
})

test('a proposal that was changed in the store is refused, with a hash that fits it as well', async () => {
  const fitting = await proposed()
  await fitting.writeCard({ proposal: other, hash: proposalHash(other) })
  expect(await fitting.pressed()).toEqual(refused)
  const { the, writeCard, pressed } = await proposed()
  await writeCard({ proposal: other })
  expect(await pressed()).toContain('not what was put before its owners')
  expect((await the()).proposals).toMatchObject([{ state: 'open', decisions: [] }])
})

test('an entry that was written without the key vouches for nothing, nor does one of another incident', async () => {
  const about = { atMs: noon, pipeline: 'orders', what: 'opened', who: '', proposal: proposalHash(other), details: {} } as const
  for (const [incident, key] of [
    [null, 'another key'],
    ['i-other', ledgerKey],
  ] as const) {
    const { the, write, writeCard, pressed } = await proposed()
    await write([{ ...about, incident: incident ?? (await the()).id }], key)
    await writeCard({ proposal: other, hash: proposalHash(other) })
    expect(await pressed()).toEqual(refused)
  }
})
