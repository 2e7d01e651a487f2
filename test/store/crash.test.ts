/** A process may die at any of its commands to Redis: before it is sent, or done without an answer. The end is the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Fuse } from '../fakes/fuse.ts'
import { fuse } from '../fakes/fuse.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'
import { outcome, World } from './small-incident.ts'

/** No process sends so many. */
const never = 1_000_000

describe.skipIf(redisProgram() === null)('a process that dies at a command to Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  /** Lives until the end or the fuse. @returns the outcome, or null when it died */
  async function live(world: World, prefix: string, at: number, when: 'before' | 'after'): Promise<{ says: unknown; fuse: Fuse }> {
    const client = await connectRedis(redis.url, () => {})
    const dying = fuse(client, at, when)
    const store = redisStore(client, prefix)
    try {
      await world.live(store)
      return { says: await outcome(store, world), fuse: dying }
    } catch (error) {
      if (!dying.blown() || !(error instanceof HeadwaterError && error.retryable)) throw error
      return { says: null, fuse: dying }
    } finally {
      client.disconnect()
    }
  }

  test('is followed by one that brings the incident to the same end', async () => {
    // The first one has to send its scripts along.
    await live(new World(), 'first', never, 'before')
    const undisturbed = await live(new World(), 'undisturbed', never, 'before')
    const commands = undisturbed.fuse.commands()
    expect(undisturbed.says).toMatchObject({
      attended: { inputs: [], head: { number: 2 } },
      incident: { triggers: [{ key: 'a2' }, { key: 'c1' }, { key: 'a3' }], revisions: [{ number: 1 }] },
      ledger: [{ what: 'opened' }, { what: 'approved' }],
      asked: [],
    })
    expect((undisturbed.says as { posts: { slot: string }[] }).posts.map(({ slot }) => slot)).toEqual(['home', 'thread/verdict-1'])
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; at <= commands; at++) {
        const world = new World()
        const prefix = `${when}-${at}`
        expect((await live(world, prefix, at, when)).says, prefix).toBe(null)
        expect((await live(world, prefix, never, when)).says, prefix).toEqual(undisturbed.says)
      }
    }
    expect(commands).toBeGreaterThan(50)
  })
})
