/** What only a store shared by several versions and with other programs has to bear. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { alert, change, command, entriesAfter, incident, noon, wantedMessage } from '../build/stored-values.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

describe.skipIf(redisProgram() === null)('a store in Redis', () => {
  let redis: TestRedis
  let raw: Redis
  let store: Store
  beforeAll(async () => {
    redis = await startRedis()
    raw = new Redis(redis.url)
    store = redisStore(await connectRedis(redis.url, () => {}), 'hw')
  })
  afterAll(async () => {
    await store.close()
    raw.disconnect()
    await redis.stop()
  })

  test('refuses what a newer version wrote, in words, and may be asked again', async () => {
    await store.commit(change({ incident: { value: incident('i-1'), version: 0 }, messages: [wantedMessage('a')] }))
    const value = (await raw.hget('hw:incident:i-1', 'value'))!
    await raw.hset('hw:incident:i-1', 'value', value.replace('"v":1', '"v":2'))
    const newer = { code: 'store_newer', retryable: true }
    await expect(store.incident('i-1')).rejects.toMatchObject(newer)
    await expect(store.attend('orders', 1)).rejects.toThrow(
      'an incident was stored in version 2; this program reads 1: a newer Headwater shares this store, update this one',
    )
    await raw.hset('hw:incident:i-1', 'value', value)
    const key = await store.keep(Uint8Array.of(1, 2, 3))
    await raw.set(`hw:blob:${key}`, Buffer.of(2, 1, 2, 3))
    await expect(store.bytes(key)).rejects.toMatchObject(newer)
    await raw.set(`hw:blob:${key}`, Buffer.of(0, 1, 2, 3))
    await expect(store.bytes(key)).rejects.toMatchObject({ code: 'store_mistaken', retryable: false })
  })

  test('says that a value was not written by Headwater', async () => {
    await store.commit(change({ messages: [wantedMessage('b')] }))
    await raw.hset('hw:message:b', 'wanted', 'hello')
    await expect(store.wanted('b')).rejects.toMatchObject({ code: 'store_mistaken', retryable: false })
    await raw.set('other:head', 'of another program')
    const other = redisStore(await connectRedis(redis.url, () => {}), 'other')
    await expect(other.head()).rejects.toMatchObject({ code: 'store_mistaken' })
    await other.close()
  })

  test('compares deliveries by what they say, not by how another version wrote them', async () => {
    await store.commit(change({ messages: [wantedMessage('c')] }))
    const { delivery } = (await store.wanted('c'))!
    await raw.hset('hw:message:c', 'delivery', JSON.stringify({ v: 1, value: delivery }, null, 2))
    expect(await store.deliver({ ...delivery, attempts: 7 }, { ...delivery, attempts: 8 })).toBe(false)
    expect(await store.deliver(delivery, { ...delivery, attempts: 1 })).toBe(true)
    expect((await store.wanted('c'))?.delivery.attempts).toBe(1)
  })

  test('goes on when Redis has forgotten its scripts', async () => {
    await raw.script('FLUSH')
    expect(await store.put(command('after the flush'))).toBe('stored')
  })

  test('says that Redis is out of memory, and may be asked again', async () => {
    await raw.config('SET', 'maxmemory', '1')
    await expect(store.put(command('too much'))).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
    await raw.config('SET', 'maxmemory', '0')
    expect(await store.put(command('too much'))).toBe('stored')
  })

  test('leaves nothing behind of what was dealt with, but its key, what an alert was last said to be, and the ledger', async () => {
    const busy = redisStore(await connectRedis(redis.url, () => {}), 'busy')
    for (let i = 0; i < 20; i++) await busy.put(i % 2 === 0 ? command(`c${i}`) : alert(`a${i}`, { fingerprint: `${i % 4}` }))
    const { inputs } = await busy.attend('orders', 100)
    const ledger = entriesAfter(await busy.head(), ['approved'])
    await busy.commit(change({ inputs: inputs.map(({ mark }) => mark), ledger }))
    await busy.handedOver((await busy.asked(noon, 100)).map(({ key }) => key))
    const left = (await raw.keys('busy:*')).map((key) => key.replace(/(known|told):.*/, '$1'))
    expect([...new Set(left)].toSorted()).toEqual(['busy:count', 'busy:head', 'busy:known', 'busy:ledger', 'busy:told'])
    const ttls = [raw.ttl('busy:ledger'), raw.ttl('busy:known:c0'), raw.ttl('busy:told:orders/1')]
    expect(await Promise.all(ttls)).toEqual([-1, 7 * 86_400, 7 * 86_400])
    await busy.close()
  })

  test('takes 10,000 alerts about 40 pipelines from a doubled sender as 40 inputs', async () => {
    const storm = redisStore(await connectRedis(redis.url, () => {}), 'storm')
    const pipelines = Array.from({ length: 40 }, (_, i) => `pipeline-${i}`)
    const alerts = Array.from({ length: 10_000 }, (_, i) => {
      const of = Math.floor(i / 2)
      return alert(`a-${of}`, { pipeline: pipelines[of % 40]!, fingerprint: `lag ${of % 40}`, atMs: noon + i })
    })
    const answers: string[] = []
    for (let i = 0; i < alerts.length; i += 100) answers.push(...(await Promise.all(alerts.slice(i, i + 100).map(storm.put))))
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(5_000)
    for (const pipeline of pipelines) {
      const { inputs } = await storm.attend(pipeline, 100)
      expect(inputs.map(({ deliveries }) => deliveries)).toEqual([250])
    }
    expect(await storm.asked(noon, 1_000)).toHaveLength(40)
    await storm.close()
  })
})
