/** What becomes of an incident after "Applied": the same signals are looked at again, by the real engine on a pipeline in motion. */
import { describe, expect, test } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { owner } from '../build/attend-ports.ts'
import { messageText } from '../build/message-text.ts'
import { command } from '../build/stored-values.ts'
import type { CourseName } from '../build/world-evidence.ts'
import { endMs, pressed, theIncident } from './whole-incident.ts'
import type { Doing } from './world.ts'
import { World } from './world.ts'

const second = 1_000

const applied: readonly Doing[] = [
  { afterMs: 0, does: (world) => command('c1', { atMs: world.now }) },
  { afterMs: 60 * second, does: (world) => pressed(world, 'approve', owner.user) },
  { afterMs: 90 * second, does: (world) => pressed(world, 'applied', owner.user) },
]

type Deadly = Parameters<World['live']>[1]

async function lived(course: CourseName, deadly?: Deadly, people: readonly Doing[] = applied): Promise<World> {
  const world = new World(memoryStore, people, {}, course)
  await world.live(endMs, deadly)
  return world
}

/** What stands in a slot, as lines; [] = nothing does. */
function said({ chat }: World, { id }: Incident, name: string): string[] {
  const one = chat.standing().find(({ slot }) => slot === `${id}/${name}`)
  return one === undefined ? [] : messageText({ text: one.text, body: one.posting.body }).split('\n')
}

async function told(world: World) {
  const incident = await theIncident(world)
  const ledger = (await world.store.ledger(1, 100)).map(({ what, details }) => (what === 'recovery' ? `${what} ${details.outcome}` : what))
  const home = said(world, incident, 'home')
  return { incident, ledger, home, reply: said(world, incident, `home/recovery-${incident.recovery?.appliedAtMs}`) }
}

const revisions = ({ revisions: all }: Incident): string[] => all.map(({ number, askedBy, state }) => `${number} ${askedBy} ${state}`)

test('the change helps: it recovers when the proposal said, and the picture shows it', async () => {
  const world = await lived('the hot partition is split')
  const { incident, ledger, home, reply } = await told(world)
  expect(incident).toMatchObject({ state: 'closed', closedBecause: 'recovered', recovery: { outcome: 'recovered' } })
  expect(ledger).toEqual(['opened', 'approved', 'applied', 'recovery recovered'])
  expect(revisions(incident)).toEqual(['1 c1 done'])
  expect(home[1]).toBe('# orders: recovered, as the change predicted')
  expect(reply.slice(0, 2)).toEqual([
    '! orders: recovered, as the change predicted',
    expect.stringMatching(/^Recovered: slot time that is idle while a batch reads and works \d % \(57 % before\); the lag is/),
  ])
  const { recovery } = incident
  expect(recovery?.looks.at(-1)?.plannedMs).toBeLessThanOrEqual(recovery?.planned.at(-1) ?? 0)
  expect(recovery?.looks.every(({ bundle }) => bundle !== null)).toBe(true)
  const shown = world.chat.standing().filter(({ posting }) => posting.picture?.alt.startsWith('Chart of orders before and after a change'))
  expect(shown.map(({ slot }) => slot.slice(incident.id.length))).toEqual(['/home', `/home/recovery-${recovery?.appliedAtMs}`])
})

test('until then the message says when it is checked again', async () => {
  const world = new World(memoryStore, applied)
  await world.live((await theFirstLook()) + 60 * second)
  const { home, reply } = await told(world)
  expect(home).toContainEqual(expect.stringMatching(/^\. Checked again at 12:0\d:\d\d UTC$/))
  expect(reply).toEqual([])
})

async function theFirstLook(): Promise<number> {
  const { incident } = await told(await lived('the hot partition is split'))
  return incident.recovery!.planned[0]!
}

test('the wrong knob: no effect, and a new attribution that does not propose it again', async () => {
  const { incident, ledger, home, reply } = await told(await lived('executors come and do nothing'))
  expect(incident).toMatchObject({ state: 'open', recovery: { outcome: 'no_effect' } })
  expect(ledger).toEqual(['opened', 'approved', 'applied', 'recovery no_effect'])
  expect(revisions(incident)).toEqual(['1 c1 done', `2 recovery-${incident.recovery?.appliedAtMs} done`])
  expect(incident.proposals.map(({ state, outcome }) => [state, outcome])).toEqual([['applied', 'no_effect']])
  expect(reply.slice(0, 2)).toEqual([
    '! orders: the change had no effect',
    expect.stringMatching(/^It brought 10 % of what was expected: time that the reader needs/),
  ])
  // The message speaks of the newer verdict by then, not of a change that is over.
  expect(home.join('\n')).not.toContain('executors: 2 → 4')
  expect(home.at(-1)).toMatch(/^\. Before: Intake surge/)
})

test('it moved: the next change is proposed on what is found now', async () => {
  const { incident, home } = await told(await lived('the partition is split, and all take more'))
  expect(incident.recovery?.outcome).toBe('moved')
  expect(incident.proposals.map(({ state, outcome, proposal: { action } }) => [state, outcome, action.knob])).toEqual([
    ['applied', 'moved', 'minPartitions'],
    ['expired', null, 'executors'],
  ])
  expect(home.join('\n')).toContain('Proposed: executors: 2 → ')
})

test('nobody has restarted the query: it is not applied, stays approved, and can be said again', async () => {
  const again: Doing = { afterMs: 3_600 * second, does: (world) => pressed(world, 'applied', owner.user, 'again') }
  const once = await told(await lived('nobody restarts the query'))
  expect(once.incident).toMatchObject({ state: 'open', recovery: { outcome: 'not_applied' } })
  expect(once.incident.proposals.map(({ state, outcome }) => [state, outcome])).toEqual([['approved', null]])
  expect(revisions(once.incident)).toEqual(['1 c1 done'])
  expect(once.home).toContain('[Applied] [Withdraw…]')
  const twice = await told(await lived('nobody restarts the query', undefined, [...applied, again]))
  expect(twice.ledger).toEqual(['opened', 'approved', 'applied', 'recovery not_applied', 'applied', 'recovery not_applied'])
})

test('it came back by itself: the incident is closed, and the change is not praised', async () => {
  const { incident, home } = await told(await lived('the key cools down by itself'))
  expect(incident).toMatchObject({ state: 'closed', closedBecause: 'recovered', recovery: { outcome: 'by_itself' } })
  expect(home[1]).toBe('# orders: recovered, but not by the change')
})

test('nothing could be seen at any look: whether it recovered cannot be told, with the reasons, and it is looked at anew', async () => {
  const { incident, reply } = await told(await lived('nothing can be seen any more'))
  expect(incident).toMatchObject({ state: 'open', recovery: { outcome: 'cannot_tell' } })
  expect(incident.recovery?.looks).toHaveLength(4)
  expect(revisions(incident)).toHaveLength(2)
  expect(reply.slice(0, 2)).toEqual([
    '! orders: whether it recovered cannot be told',
    expect.stringMatching(/^Not seen since the change: slot time that is idle .*; the lag; kafka: not configured/),
  ])
  for (const source of ['kafka', 'checkpoint', 'spark', 'delta']) expect(reply).toContain(`  · not seen: ${source}, not configured`)
})

describe('a process that dies at a call', { timeout: 60_000 }, () => {
  test.each<[CourseName, string, readonly string[]]>([
    ['the hot partition is split', 'recovered', ['1 done']],
    ['executors come and do nothing', 'no_effect', ['1 done', '2 done']],
    ['nothing can be seen any more', 'cannot_tell', ['1 done', '2 done']],
  ])('after "Applied", any of them (%s): one outcome, one reply, one entry', async (course, outcome, done) => {
    const calls: { readonly call: string; readonly after: boolean }[] = []
    const first = new World(memoryStore, applied, {}, course)
    await first.live(endMs, (call) => {
      calls.push({ call, after: first.appliedMs !== null })
      return null
    })
    const deadly = [...calls.entries()].filter(
      ([, { call, after }]) => after && /^store\.(keep|commit|deliver|turn|handedOver)$|^queue|^chat/.test(call),
    )
    expect(deadly.map(([, { call }]) => call)).toContain('store.keep')
    for (const [at] of deadly) {
      for (const when of ['before', 'after'] as const) {
        let count = 0
        const world = await lived(course, () => (count++ === at ? when : null))
        const { incident, ledger } = await told(world)
        const where = `died ${when} call ${at + 1}, ${calls[at]!.call}`
        expect(ledger, where).toEqual(['opened', 'approved', 'applied', `recovery ${outcome}`])
        expect(
          incident.revisions.map(({ number, state }) => `${number} ${state}`),
          where,
        ).toEqual(done)
        const replies = world.chat.standing().filter(({ slot }) => slot.includes('/recovery-'))
        expect(replies, where).toHaveLength(1)
        expect(world.chat.mostCopies(), where).toBe(1)
        expect(world.jobs.broken, where).toEqual([])
      }
    }
  })
})
