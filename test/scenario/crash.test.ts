/** A process dies before or after any of its calls to store, queue and chat in a whole incident: the end is the same. */
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { endMs, expectWhole, people } from './whole-incident.ts'
import { World } from './world.ts'

/** Whoever dies after such a call leaves the same behind as one that dies before it. */
const changesNothing = /^store\.(asked|attend|incident|head|bytes|wanted)$|^chat\.(ready|find)$/

const open = (): World => new World(memoryStore, people)

/** All calls of a process that never dies, in their order. */
async function undisturbed(): Promise<{ world: World; calls: string[] }> {
  const calls: string[] = []
  const world = open()
  await world.live(endMs, (call) => {
    calls.push(call)
    return null
  })
  return { world, calls }
}

test('undisturbed, the incident comes to its end with one copy of each message', async () => {
  const { world } = await undisturbed()
  await expectWhole(world)
  expect(world.chat.mostCopies()).toBe(1)
})

describe('a process that dies', { timeout: 120_000 }, () => {
  test.each(['before', 'after'] as const)('%s any of its calls is followed by one that brings it to the same end', async (when) => {
    const { calls } = await undisturbed()
    expect(new Set(calls.map((call) => call.split('.')[0]))).toEqual(new Set(['store', 'queue', 'chat']))
    for (const at of calls.keys()) {
      if (when === 'after' && changesNothing.test(calls[at]!)) continue
      const world = open()
      let count = 0
      await world.live(endMs, () => (count++ === at ? when : null))
      await expectWhole(world).catch((error: unknown) => {
        throw new Error(`died ${when} call ${at + 1}, ${calls[at]}`, { cause: error })
      })
      expect(world.chat.mostCopies(), `copies after a death ${when} call ${at + 1}, ${calls[at]}`).toBe(1)
    }
  })
})
