/** The store of a running service: a Redis that comes, goes, and comes back as one that cannot be trusted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import type { HealthPolicy } from '../../src/store/redis-health.ts'
import type { RedisLink } from '../../src/store/redis-link.ts'
import { linkRedis } from '../../src/store/redis-link.ts'
import { command } from '../build/stored-values.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

const away = { code: 'store_unavailable', retryable: true }
const forever = new AbortController().signal

describe.skipIf(redisProgram() === null)('a link to Redis', () => {
  let redis: TestRedis
  let link: RedisLink
  let log: string[]
  const said = (message: string): number => log.filter((line) => line.includes(message)).length

  function open(policy: HealthPolicy = { evicts: 'refuse', forgets: 'warn' }, lookEveryMs = 3_600_000): void {
    log = []
    link = linkRedis({
      url: redis.url,
      prefix: 'link',
      policy,
      againMs: 100,
      lookEveryMs,
      log: createLog({ write: (line) => log.push(line) }),
    })
  }

  async function until(check: string | null): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if ((await link.check().catch(() => 'does not answer')) === check) return
      await sleep(10)
    }
    expect(await link.check()).toBe(check)
  }

  async function set(name: string, value: string): Promise<void> {
    const client = new Redis(redis.url)
    await client.config('SET', name, value)
    client.disconnect()
  }

  beforeEach(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    await link.store.close()
    await redis.stop()
  })

  test('that is away at the start: callers are told at once, and it goes on when Redis comes', async () => {
    await redis.kill()
    open()
    await expect(link.store.put(command('early'))).rejects.toMatchObject(away)
    expect(await link.check()).toBe('does not answer')
    const accepted = link.accepted(forever)
    await redis.start()
    await accepted
    expect(await link.store.put(command('early'))).toBe('stored')
    expect(await link.check()).toBeNull()
    expect(said('Redis is away; the service waits for it')).toBeGreaterThanOrEqual(1)
  })

  test('nobody waits longer than he wants to', async () => {
    await redis.kill()
    open()
    const stop = new AbortController()
    const accepted = link.accepted(stop.signal)
    stop.abort()
    await expect(accepted).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('what cannot be trusted is refused with the line that mends it, and taken once it is mended', async () => {
    await set('maxmemory-policy', 'allkeys-lru')
    open()
    await expect(link.accepted(forever)).rejects.toMatchObject({
      code: 'store_mistaken',
      message: expect.stringContaining('redis-cli CONFIG SET maxmemory-policy noeviction'),
    })
    await expect(link.store.put(command('refused'))).rejects.toMatchObject(away)
    expect(await link.check()).toBe('is refused')
    await set('maxmemory-policy', 'noeviction')
    await until(null)
    expect(await link.store.put(command('refused'))).toBe('stored')
  })

  test('one that was accepted is looked at again whenever it comes back', async () => {
    open()
    await link.accepted(forever)
    expect(said('keeps everything in memory only')).toBe(1)
    await redis.kill()
    await until('does not answer')
    await redis.start()
    await until(null)
    // It was said, and is still so.
    expect(said('keeps everything in memory only')).toBe(1)
    await set('maxmemory-policy', 'allkeys-lfu')
    expect(await link.check()).toBeNull()
    const client = new Redis(redis.url)
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal')
    client.disconnect()
    await until('is refused')
    await expect(link.store.head()).rejects.toMatchObject(away)
  })

  test('one that somebody sets up otherwise while it runs is refused, and taken again once that is mended', async () => {
    open(undefined, 100)
    await link.accepted(forever)
    await set('maxmemory-policy', 'allkeys-lfu')
    await until('is refused')
    await set('maxmemory-policy', 'noeviction')
    await until(null)
  })

  test('one that tells nothing of itself is taken with a warning', async () => {
    const client = new Redis(redis.url)
    await client.call('ACL', 'SETUSER', 'default', '-info', '-config')
    client.disconnect()
    open({ evicts: 'refuse', forgets: 'refuse' })
    await link.accepted(forever)
    expect(said('cannot be told')).toBe(1)
  })
})
