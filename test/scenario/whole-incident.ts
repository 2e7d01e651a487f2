/**
 * A whole incident, and what must hold at its end: somebody asks, an alert joins (its sender is doubled), the verdict comes, a
 * passer-by may not approve, the owner approves and applies, it recovers.
 */
import { expect } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import type { Button, Input } from '../../src/incident/input.ts'
import type { Pressable } from '../../src/report/message.ts'
import { plain } from '../../src/report/plain.ts'
import { withAddress } from '../../src/report/with-address.ts'
import { verify } from '../../src/signoff/verify.ts'
import { ledgerKey, owner } from '../build/attend-ports.ts'
import { alert, command, noon, press } from '../build/stored-values.ts'
import type { StandingMessage } from '../fakes/slow-chat.ts'
import type { Doing, World } from './world.ts'

/** All that is to be done is done within this long of the last fault or event, ms. */
const restMs = 120_000
/** Longer than the story takes, whatever happens in it. */
export const endMs = noon + 2 * 3_600_000

const second = 1_000

export const people: readonly Doing[] = [
  { afterMs: 0, does: (world) => command('c1', { atMs: world.now }) },
  { afterMs: 2 * second, does: (world) => alert('a1', { atMs: world.now }) },
  { afterMs: 2 * second, does: (world) => alert('a1', { atMs: world.now }) },
  { afterMs: 60 * second, does: (world) => pressed(world, 'approve', 'U-passer') },
  { afterMs: 65 * second, does: (world) => pressed(world, 'approve', owner.user) },
  { afterMs: 90 * second, does: (world) => pressed(world, 'applied', owner.user) },
]

/** What a person can press in the home message as it stands now. */
export function pressed(world: World, button: Button, user: string, key = `${button}/${user}`): Input | null {
  const home = world.chat.standing().find(({ channel, threadTs }) => channel === 'C1' && threadTs === null)
  const items: readonly Pressable[] = home?.posting.body.flatMap((block) => (block.kind === 'buttons' ? block.items : [])) ?? []
  const item = items.find((one) => one.button === button)
  if (home === undefined || item === undefined) return null
  const { incident, hash } = item
  return press(key, { atMs: world.now, incident, hash, button, by: { team: 'T1', user }, message: home.ts })
}

export async function theIncident({ store }: World): Promise<Incident> {
  const all = await store.incidents({ state: 'any', most: 10 })
  expect(all.map(({ pipeline }) => pipeline)).toEqual(['orders'])
  return all[0]!
}

/** Slots that must stand, without the incident's id. */
function slots(incident: Incident): string[] {
  const each = [...incident.proposals[0]!.decisions.map(({ ledger }) => `sign-off-${ledger}`), `recovery-${incident.recovery?.appliedAtMs}`]
  const home = ['details', `proposal-${incident.proposals[0]!.hash.slice(0, 12)}`, ...each].map((name) => `home/${name}`)
  return ['home', ...home, 'companion/C-alerts', ...each.map((name) => `companion/C-alerts/${name}`)].toSorted()
}

const isVerdictReply = (slot: string): boolean => slot.endsWith('/verdict-1')

/** One verdict, one of each message as it should stand, the chain intact, nothing lost, nothing left to do. */
export async function expectWhole(world: World): Promise<void> {
  const { store, chat } = world
  const incident = await theIncident(world)
  expect(world.jobs.broken).toEqual([])
  expect(incident).toMatchObject({ state: 'closed', closedBecause: 'recovered', recovery: { outcome: 'recovered' } })
  expect(incident.triggers.map(({ key }) => key)).toEqual(['c1', 'a1'])
  expect(incident.revisions.map(({ number, state }) => `${number} ${state}`)).toEqual(['1 done'])
  expect(incident.verdict).toMatchObject({ revision: 1, cause: 'hot_partition' })

  expect((await store.attend('orders', 10)).inputs).toEqual([])
  expect(await store.asked(world.now, 100)).toEqual([])
  expect(await store.aside(10)).toEqual([])
  expect(world.jobs.left().filter(({ kind }) => kind !== 'tick')).toEqual([])

  const lastMs = Math.max(world.lastEventMs, chat.lastFaultMs())
  expect(chat.calls.filter(({ atMs }) => atMs > lastMs + restMs)).toEqual([])
  await expectMessages(world, incident)
  await expectLedger(world)
  // A word to one person alone may be lost, but is never said twice.
  expect(chat.told.length).toBeLessThanOrEqual(1)
}

const addressOf = ({ channel, ts }: StandingMessage): string => `https://slack.example/archives/${channel}/p${ts}`

async function expectMessages({ store, chat }: World, incident: Incident): Promise<void> {
  const standing = chat.standing()
  const nameOf = ({ slot }: StandingMessage): string => slot.slice(incident.id.length + 1)
  expect(
    standing
      .map(nameOf)
      .filter((name) => !isVerdictReply(name))
      .toSorted(),
  ).toEqual(slots(incident))
  const bySlot = new Map(standing.map((one) => [one.slot, one]))
  for (const one of standing) {
    const { wanted, delivery } = (await store.wanted(one.slot))!
    expect(one).toMatchObject({ channel: wanted.channel, edition: wanted.edition, text: wanted.text, ts: delivery.ts })
    const target = wanted.leadsTo === undefined ? undefined : bySlot.get(wanted.leadsTo.slot)
    expect(one.posting.body).toEqual(target === undefined ? wanted.body : withAddress(wanted.body, addressOf(target)))
    expect(one.threadTs).toBe(wanted.under === null ? null : bySlot.get(wanted.under)?.ts)
    expect(one.posting.picture?.alt).toBe(wanted.picture?.alt)
  }
  // A reply says that there is a verdict where it came by an edit, and only there.
  for (const root of ['home', 'companion/C-alerts']) {
    const { delivery } = (await store.wanted(`${incident.id}/${root}`))!
    const replies = standing.filter((one) => nameOf(one) === `${root}/verdict-1`).length
    expect([root, replies]).toEqual([root, delivery.firstEdition < incident.verdict!.edition ? 1 : 0])
  }
}

/** The chain holds, up to every anchor that people can see. */
async function expectLedger({ store, chat }: World): Promise<void> {
  const entries = await store.ledger(1, 100)
  expect(entries.map(({ what }) => what)).toEqual(['opened', 'approved', 'applied', 'recovery'])
  const small = chat.standing().flatMap(({ posting }) => posting.body.flatMap((block) => (block.kind === 'small' ? block.rows : [])))
  const anchors = small.flatMap((row) => /Ledger entry (\d+), ([0-9a-f]{12})$/.exec(plain(row))?.slice(1, 3) ?? [])
  expect(anchors.filter((_, i) => i % 2 === 0).toSorted()).toEqual(['2', '2', '3', '3'])
  for (let i = 0; i < anchors.length; i += 2) {
    const anchor = { number: Number(anchors[i]), digest: anchors[i + 1]! }
    expect(verify(entries, ledgerKey, { anchors: [anchor] })).toMatchObject({ holds: true })
  }
}
