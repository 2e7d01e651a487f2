/** After "Applied" without a recovery only the clock closes an incident: whoever dies meanwhile, and the next question opens another one. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { owner } from '../build/attend-ports.ts'
import { messageText } from '../build/message-text.ts'
import { alert, command, noon } from '../build/stored-values.ts'
import type { CourseName } from '../build/world-evidence.ts'
import { pressed } from './whole-incident.ts'
import type { Doing } from './world.ts'
import { World } from './world.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const applied: readonly Doing[] = [
  { afterMs: 0, does: () => command('c1') },
  { afterMs: 2 * second, does: () => alert('a1', { atMs: noon + 2 * second }) },
  { afterMs: 60 * second, does: (world) => pressed(world, 'approve', owner.user) },
  { afterMs: 90 * second, does: (world) => pressed(world, 'applied', owner.user) },
]
/** Before the change was applied: the end that follows from it falls into the recovery check. */
const resolves: Doing = { afterMs: 80 * second, does: () => alert('a2', { atMs: noon + 80 * second, status: 'resolved' }) }
const asksAgain: Doing = { afterMs: 3 * hour, does: () => command('c2', { atMs: noon + 3 * hour }) }

async function lived(course: CourseName, people: readonly Doing[], untilMs: number, deadly?: Parameters<World['live']>[1]) {
  const world = new World(memoryStore, people, {}, course)
  await world.live(untilMs, deadly)
  const incidents = await world.store.incidents({ state: 'any', most: 10 })
  const first = incidents.at(-1)!
  const home = world.chat.standing().find(({ slot }) => slot === `${first.id}/home`)!
  return {
    world,
    states: incidents.map(({ state, closedBecause, recovery }) => `${closedBecause ?? state} ${recovery?.outcome ?? 'never applied'}`),
    last: messageText({ text: home.text, body: home.posting.body }).split('\n').at(-1),
  }
}

test('its alerts are resolved: it closes when that cannot be told, and says so', async () => {
  const { states, last } = await lived('nothing can be seen any more', [...applied, resolves], noon + 2 * hour)
  expect(states).toEqual(['resolved cannot_tell'])
  expect(last).toBe('. Closed after 47 min 35 s: the alerts are resolved and nothing new came for 15 min')
})

test('whoever asks after that has an incident of his own', async () => {
  const { states } = await lived('nothing can be seen any more', [...applied, resolves, asksAgain], noon + 3 * hour + 10 * minute)
  expect(states).toEqual(['open never applied', 'resolved cannot_tell'])
})

test('its alert fires on, and nobody asks for a day: it closes then, and not before', async () => {
  const story = ['executors come and do nothing', applied] as const
  expect((await lived(...story, noon + 23 * hour)).states).toEqual(['open no_effect'])
  const { states, last } = await lived(...story, noon + 25 * hour)
  expect(states).toEqual(['quiet no_effect'])
  expect(last).toBe('. Closed after 1 d: nobody asked again for 24 h')
})

test.each(['before', 'after'] as const)('a process that dies %s any call after "Applied" does not keep it open', async (when) => {
  const calls: string[] = []
  const whole = await lived('nothing can be seen any more', [...applied, resolves], noon + 2 * hour, (call) => {
    calls.push(call)
    return null
  })
  const from = calls.lastIndexOf('store.put')
  const deadly = [...calls.entries()].filter(([at, call]) => at > from && /^store\.(commit|handedOver)$|^queue/.test(call))
  expect(deadly.length).toBeGreaterThan(10)
  for (const [at, call] of deadly) {
    let count = 0
    const { world, states } = await lived('nothing can be seen any more', [...applied, resolves], noon + 2 * hour, () =>
      count++ === at ? when : null,
    )
    expect(states, `died ${when} call ${at + 1}, ${call}`).toEqual(whole.states)
    expect(world.jobs.broken).toEqual([])
    expect(world.chat.mostCopies()).toBe(1)
  }
})
