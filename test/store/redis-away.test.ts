/** Redis goes away, hangs, comes back: callers are told at once, and what was acknowledged is still there. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { command } from '../build/stored-values.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'
import { outcome, World } from './small-incident.ts'

const away = { code: 'store_unavailable', retryable: true }

describe.skipIf(redisProgram() === null)('a Redis that keeps a log of its changes', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis({ appendonly: 'yes', appendfsync: 'always' })
  })
  afterAll(() => redis.stop())

  async function elapsed(work: Promise<unknown>): Promise<number> {
    const begin = performance.now()
    await work
    return performance.now() - begin
  }

  /** Lets the world live, again and again for as long as the store says that another time may do. @returns how often it had to */
  async function persist(world: World, store: Store): Promise<number> {
    for (let failures = 0; ; failures++) {
      try {
        await world.live(store)
        return failures
      } catch (error) {
        if (!(error instanceof HeadwaterError && error.retryable)) throw error
        await sleep(20)
      }
    }
  }

  test('that is killed and started again in the middle of an incident changes nothing of its end', async () => {
    const ends: unknown[] = []
    for (const kills of [0, 8]) {
      const store = redisStore(await connectRedis(redis.url, () => {}), `killed-${kills}`)
      const world = new World()
      const living = persist(world, slow(store))
      for (let i = 0; i < kills; i++) {
        await sleep(40)
        await redis.kill()
        await redis.start()
        // Until the store has found it again: the next step is to be disturbed as well.
        while ((await store.head().catch(() => null)) === null) await sleep(5)
      }
      expect(await living).toBeGreaterThanOrEqual(kills / 2)
      ends.push(await outcome(store, world))
      await store.close()
    }
    expect(ends[1]).toEqual(ends[0])
  })

  test('that is away is told at once, and the next one is taken when it is back', async () => {
    const store = redisStore(await connectRedis(redis.url, () => {}), 'away')
    await store.put(command('before'))
    await redis.kill()
    // The connection notices in its own time; from then on nobody waits.
    await expect(store.put(command('gone'))).rejects.toMatchObject(away)
    expect(await elapsed(expect(store.put(command('gone'))).rejects.toMatchObject(away))).toBeLessThan(50)
    await expect(store.head()).rejects.toMatchObject(away)
    await expect(store.bytes('x')).rejects.toMatchObject(away)
    await redis.start()
    while ((await store.put(command('gone')).catch(() => null)) === null) await sleep(10)
    expect((await store.attend('orders', 10)).inputs.map(({ input }) => input.key)).toEqual(['before', 'gone'])
    await store.close()
  })

  test('that hangs holds nobody up for longer than two seconds', async () => {
    const store = redisStore(await connectRedis(redis.url, () => {}), 'hangs')
    await store.put(command('a'))
    redis.freeze()
    expect(await elapsed(expect(store.put(command('b'))).rejects.toMatchObject(away))).toBeLessThan(2_000)
    redis.thaw()
    while ((await store.put(command('b')).catch(() => null)) === null) await sleep(10)
    expect((await store.attend('orders', 10)).inputs.map(({ input }) => input.key)).toEqual(['a', 'b'])
    await redis.kill()
    expect(await elapsed(store.close())).toBeLessThan(2_000)
    await expect(connectRedis(redis.url, () => {})).rejects.toMatchObject(away)
  })
})

/** A breath between two steps, so that there is a middle to be disturbed in. */
function slow(store: Store): Store {
  return new Proxy(store, {
    get:
      (target, name: keyof Store) =>
      async (...args: never[]) => {
        await sleep(6)
        return (target[name] as (...args: never[]) => unknown)(...args)
      },
  })
}
