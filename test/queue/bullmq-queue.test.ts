/** What only a queue shared by processes has to bear: they die, and Redis goes away. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bullmqQueue } from '../../src/queue/bullmq-queue.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Handle, Queue } from '../../src/workflow/incident-ports.ts'
import { job } from '../build/stored-values.ts'
import { shortPauses } from '../fakes/queues.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'

const clock: Clock = { nowMs: () => Date.now(), wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined) }
const unavailable = { code: 'queue_unavailable', retryable: true }

describe.skipIf(redisProgram() === null)('a queue of BullMQ', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis({ appendonly: 'yes', appendfsync: 'always' })
  })
  afterAll(() => redis.stop())

  const told: string[] = []
  const openQueue = (prefix: string): Promise<Queue> => {
    const atOnce = { quick: 5, slow: 5 }
    return bullmqQueue({ url: redis.url, prefix, clock, atOnce, pauses: shortPauses, troubled: ({ says }) => told.push(says) })
  }
  const writeInto =
    (list: string[]): Handle =>
    async ({ key }) => {
      list.push(key)
      return null
    }
  const elapsed = async (work: Promise<unknown>): Promise<number> => {
    const begin = performance.now()
    await work
    return performance.now() - begin
  }
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(10)
  }

  test('takes over the jobs of a killed process within ten seconds', { timeout: 60_000 }, async () => {
    const queue = await openQueue('killed')
    await queue.add([job('a', { kind: 'send' }), job('b', { kind: 'diagnose' })].map((one) => ({ ...one, dueAtMs: 0 })))
    const doomed = spawn(process.execPath, [join(import.meta.dirname, 'doomed-worker.ts'), redis.url, 'killed'])
    let begun = ''
    doomed.stdout.on('data', (chunk: Buffer) => {
      begun += chunk.toString()
    })
    await until(() => begun.includes('a\n') && begun.includes('b\n'))
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    const taken: string[] = []
    const takeover = async (): Promise<void> => {
      await queue.work(writeInto(taken))
      await until(() => taken.length === 2)
    }
    expect(await elapsed(takeover())).toBeLessThan(10_000)
    expect(taken.toSorted()).toEqual(['a', 'b'])
    await queue.close(0)
  })

  test('goes on where it was when Redis is back', { timeout: 30_000 }, async () => {
    const queue = await openQueue('restarted')
    const done: string[] = []
    await queue.work(writeInto(done))
    const at = Date.now()
    await queue.add([job('before', { dueAtMs: at }), job('while away', { dueAtMs: at + 300 })])
    await until(() => done.includes('before'))
    await redis.kill()
    await sleep(300)
    await expect(queue.add([job('refused')])).rejects.toMatchObject(unavailable)
    expect(await elapsed(expect(queue.add([job('refused')])).rejects.toMatchObject(unavailable))).toBeLessThan(50)
    await redis.start()
    const back = async (): Promise<void> => {
      while ((await queue.add([job('after', { dueAtMs: 0 })]).catch(() => 'away')) === 'away') await sleep(20)
      await until(() => done.length === 3)
    }
    expect(await elapsed(back())).toBeLessThan(10_000)
    expect(done.toSorted()).toEqual(['after', 'before', 'while away'])
    await queue.close(0)
  })

  test('closes in time while Redis is away, and leaves no connection behind', { timeout: 30_000 }, async () => {
    const queue = await openQueue('closed')
    let begun = false
    await queue.work(async () => {
      begun = true
      return new Promise<null>(() => {})
    })
    await queue.add([job('a', { dueAtMs: 0 })])
    await until(() => begun)
    const late = await openQueue('closed')
    await redis.kill()
    await late.work(async () => null)
    expect(await elapsed(Promise.all([queue.close(500), late.close(500)]))).toBeLessThan(2_000)
    await redis.start()
    const look = new Redis(redis.url)
    await sleep(1_500)
    expect(((await look.client('LIST')) as string).trim().split('\n')).toHaveLength(1)
    look.disconnect()
  })

  test('is not opened without Redis', async () => {
    await redis.kill()
    await expect(openQueue('nowhere')).rejects.toMatchObject(unavailable)
    await redis.start()
  })

  test('tries a job of a newer version again, for a newer process to take', async () => {
    const queue = await openQueue('newer')
    const done: string[] = []
    await queue.add([job('a', { kind: 'send', dueAtMs: 0 })])
    const raw = new Redis(redis.url)
    const data = (await raw.hget('newer:queue:quick:.a', 'data'))!
    await raw.hset('newer:queue:quick:.a', 'data', data.replace('\\"v\\":1', '\\"v\\":2'))
    told.length = 0
    await queue.work(writeInto(done))
    await until(() => told.length > 0)
    expect(told[0]).toContain('a job was stored in version 2; this program reads 1')
    await raw.hset('newer:queue:quick:.a', 'data', data)
    await until(() => done.length > 0)
    raw.disconnect()
    await queue.close(0)
  })
})
