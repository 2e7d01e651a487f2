/** A reader of the thread finds what happened in the order in which it happened, also where Slack does not take everything at once. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Fate, StandingMessage } from '../fakes/slow-chat.ts'
import { endMs, expectWhole, people, theIncident } from './whole-incident.ts'
import { World } from './world.ts'

const second = 1_000
const inOrder = ['verdict', 'details', 'proposal', 'sign-off', 'sign-off', 'recovery']
const later = (seconds: number): Fate => ({
  kind: 'refused',
  code: 'rate_limited',
  retryAfterMs: seconds * second,
  forGood: false,
})

/** The whole incident, with one fate for the first post of one reply. */
async function lived(
  reply: string,
  fate: Fate,
): Promise<{ readonly thread: readonly StandingMessage[]; readonly words: readonly string[] }> {
  let met = false
  const world = new World(memoryStore, people, {
    fateOf: (_, { what, slot }) => {
      if (met || what !== 'post' || !slot.includes(`/home/${reply}`)) return { kind: 'well' }
      met = true
      return fate
    },
  })
  await world.live(endMs)
  await expectWhole(world)
  const { id } = await theIncident(world)
  const thread = world.chat.standing().filter(({ slot }) => slot.startsWith(`${id}/home/`))
  const words = thread.map(({ slot }) => /(verdict|details|proposal|sign-off|recovery)/.exec(slot.slice(id.length))![0])
  return { thread, words }
}

test.each(['verdict', 'details', 'proposal'])('a %s that Slack takes only 3 s later still comes in its place', async (reply) => {
  expect((await lived(reply, later(3))).words).toEqual(inOrder)
})

test('a reply waits for one before it no longer than some seconds', async () => {
  const { thread, words } = await lived('verdict', later(60))
  expect(words.slice(0, 3)).toEqual(['details', 'proposal', 'verdict'])
  const [details, proposal, verdict] = thread.map(({ ts }) => Number(ts))
  // 5 s, and some turns in the channel.
  expect(details! - (verdict! - 60)).toBeLessThan(8)
  expect(proposal! - details!).toBeLessThan(3)
})
