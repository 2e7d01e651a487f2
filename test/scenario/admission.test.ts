/** A channel lets the app in late, or throws messages away: everything stands in the end as it would have. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { command, noon } from '../build/stored-values.ts'
import { theIncident } from './whole-incident.ts'
import type { Doing } from './world.ts'
import { World } from './world.ts'

const second = 1_000
const asks: Doing = { afterMs: 0, does: () => command('c1') }
const names = async (world: World): Promise<string[]> => {
  const { id } = await theIncident(world)
  return world.chat.standing().map(({ slot }) => slot.slice(id.length + 1).replace(/-[0-9a-f]{12}$/, ''))
}

test('what was refused by a channel stands there when the app is let in, and not before', async () => {
  const closed = new Set(['C1'])
  const letsIn: Doing = {
    afterMs: 60 * second,
    does: (world) => {
      closed.delete('C1')
      return { kind: 'admitted', key: 'admitted/C1', atMs: world.now, pipeline: 'orders', channel: 'C1' }
    },
  }
  const world = new World(memoryStore, [asks, letsIn], { closed })
  await world.live(noon + 59 * second)
  expect(await names(world)).toEqual([])
  expect((await theIncident(world)).verdict).not.toBe(null)
  await world.live(noon + 180 * second)
  // It was posted with its verdict, so nobody has to be told that there is one.
  expect(await names(world)).toEqual(['home', 'home/details', 'home/proposal'])
  expect(world.chat.calls.filter(({ atMs }) => atMs > noon + 100 * second)).toEqual([])
})

test('a message that somebody deleted stands again with the next change', async () => {
  const world = new World(memoryStore, [
    asks,
    { afterMs: 60 * second, does: () => command('c2', { by: { team: 'T1', user: 'U2' }, channel: 'C2', atMs: noon + 60 * second }) },
  ])
  await world.live(noon + 30 * second)
  const [home] = world.chat.standing()
  await world.chat.remove('C1', home!.ts)
  await world.live(noon + 300 * second)
  expect((await names(world)).toSorted()).toEqual(['companion/C2', 'home', 'home/details', 'home/proposal', 'home/verdict-1'])
})

/** The link in what another channel was told. */
const leads = (world: World): unknown =>
  world.chat
    .standing()
    .find(({ slot }) => slot.endsWith('companion/C2'))
    ?.posting.body.flatMap((block) => (block.kind === 'small' ? block.rows : []))
    .flat()
    .find((part) => typeof part !== 'string' && 'link' in part)
const leadsHome = (world: World) => {
  const home = world.chat.standing().find(({ slot }) => slot.endsWith('/home'))!
  return { link: `https://slack.example/archives/C1/p${home.ts}`, words: 'the thread' }
}

test('what another channel was told leads to the home, also where its channel lets the app in only later', async () => {
  const closed = new Set(['C1'])
  const letsIn: Doing = {
    afterMs: 90 * second,
    does: (world) => {
      closed.delete('C1')
      return { kind: 'admitted', key: 'admitted/C1', atMs: world.now, pipeline: 'orders', channel: 'C1' }
    },
  }
  const elsewhere: Doing = { afterMs: second, does: () => command('c2', { channel: 'C2', atMs: noon + second }) }
  const world = new World(memoryStore, [asks, elsewhere, letsIn], { closed })
  await world.live(noon + 80 * second)
  expect(leads(world)).toEqual({ link: '', words: 'the thread' })
  await world.live(noon + 200 * second)
  expect(leads(world)).toEqual(leadsHome(world))
})

test('it leads to the home that stands, where somebody deleted the one before', async () => {
  const elsewhere: Doing = { afterMs: second, does: () => command('c2', { channel: 'C2', atMs: noon + second }) }
  const joins: Doing = {
    afterMs: 40 * second,
    does: () => command('c3', { by: { team: 'T1', user: 'U3' }, atMs: noon + 40 * second }),
  }
  // So that the other message is up to date before anybody notices that the home is gone.
  const isLate = (what: string, slot: string, atMs: number): boolean =>
    what === 'edit' && slot.endsWith('/home') && atMs >= noon + 40 * second && atMs < noon + 45 * second
  const world = new World(memoryStore, [asks, elsewhere, joins], {
    fateOf: (_, { what, slot, atMs }) =>
      isLate(what, slot, atMs) ? { kind: 'refused', code: 'rate_limited', retryAfterMs: 10 * second, forGood: false } : { kind: 'well' },
  })
  await world.live(noon + 35 * second)
  const before = leadsHome(world)
  expect(leads(world)).toEqual(before)
  const { id } = await theIncident(world)
  await world.chat.remove('C1', world.chat.standing().find(({ slot }) => slot === `${id}/home`)!.ts)
  await world.live(noon + 300 * second)
  expect(leadsHome(world)).not.toEqual(before)
  expect(leads(world)).toEqual(leadsHome(world))
})
