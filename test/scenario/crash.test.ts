/**
 * A process dies before or after any of its calls to store, queue and chat in a whole incident: the end is the same. The clock is set
 * by hand; the store is in memory, and in a real Redis.
 */
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'
import { endMs, expectWhole, people } from './whole-incident.ts'
import { World } from './world.ts'

/** Whoever dies before or after such a call leaves the same behind as one that dies before the next call that changes something. */
const changesNothing = /^store\.(incident|head|bytes|wanted)$|^chat\.(ready|find)$/

type Open = (nowMs: () => number) => Store

/** All calls of a process that never dies, in their order. */
async function undisturbed(open: Open): Promise<{ world: World; calls: string[] }> {
  const calls: string[] = []
  const world = new World(open, people)
  await world.live(endMs, (call) => {
    calls.push(call)
    return null
  })
  return { world, calls }
}

function walk(open: Open): void {
  test('undisturbed, the incident comes to its end with one copy of each message', async () => {
    const { world } = await undisturbed(open)
    await expectWhole(world)
    expect(world.chat.mostCopies()).toBe(1)
  })

  test.each(['before', 'after'] as const)('dying %s any of its calls leads to the same end', async (when) => {
    const { calls } = await undisturbed(open)
    const deadly = [...calls.entries()].filter(([, call]) => !changesNothing.test(call))
    expect(new Set(deadly.map(([, call]) => call.split('.')[0]))).toEqual(new Set(['store', 'queue', 'chat']))
    for (const [at, call] of deadly) {
      const world = new World(open, people)
      let count = 0
      await world.live(endMs, () => (count++ === at ? when : null))
      await expectWhole(world).catch((error: unknown) => {
        throw new Error(`died ${when} call ${at + 1}, ${call}`, { cause: error })
      })
      expect(world.chat.mostCopies(), `copies after a death ${when} call ${at + 1}, ${call}`).toBe(1)
    }
  })
}

describe('a process with its store in memory', { timeout: 120_000 }, () => walk(memoryStore))

describe.skipIf(redisProgram() === null)('a process with its store in Redis', { timeout: 240_000 }, () => {
  let redis: TestRedis
  let client: Redis
  let count = 0
  beforeAll(async () => {
    redis = await startRedis()
    client = await connectRedis(redis.url, () => {})
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })
  walk(() => redisStore(client, `walk-${++count}`))
})
