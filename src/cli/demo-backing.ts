/** What the demo keeps its incidents in: the Redis that is configured, else one of its own, else nothing but this process. */
import { randomBytes } from 'node:crypto'
import type { RedisAccess } from '../config/config.ts'
import type { DemoClock } from '../demo/demo-clock.ts'
import { startOwnRedis } from '../demo/own-redis.ts'
import { pacedQueue } from '../demo/paced-queue.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { bullmqQueue } from '../queue/bullmq-queue.ts'
import { inProcessQueue } from '../queue/in-process-queue.ts'
import type { AtOnce } from '../queue/lanes.ts'
import type { Trouble } from '../queue/trouble.ts'
import type { ServeOptions } from '../serve.ts'
import { forgetKeys } from '../store/forget-keys.ts'
import { memoryStore } from '../store/memory-store.ts'
import { connectRedis } from '../store/redis-client.ts'
import { redisStore } from '../store/redis-store.ts'

export interface Backing {
  /** Which it is, and what is lost on exit; one line. */
  readonly says: string
  /** Store and queue with nothing in them. */
  readonly fresh: (clock: DemoClock, log: Log) => Promise<NonNullable<ServeOptions['embedded']>>
  readonly close: () => Promise<void>
}

const atOnce: AtOnce = { quick: 4, slow: 2 }

/**
 * @param configured null = none is
 * @param path of programs; undefined = no Redis is looked for
 * @param troubled told why a configured Redis is not used
 */
export async function chooseBacking(
  configured: RedisAccess | null,
  path: string | undefined,
  troubled: (line: string) => void,
): Promise<Backing> {
  if (configured !== null) {
    const { url, prefix } = configured
    const used = await inRedis(url, `${prefix}-demo-`, 'the configured one', async () => {}).catch((error: unknown) => {
      troubled(`the configured Redis is not used: ${messageOf(error)}`)
      return null
    })
    if (used !== null) return used
  }
  const own = path === undefined ? null : await startOwnRedis(path)
  if (own === null) return embedded
  return inRedis(own.url, 'demo-', `${own.program}, started for this demo at ${own.url.replace('redis://', '')}`, own.stop)
}

const embedded: Backing = {
  says: 'none found, so incidents are kept in this process; on exit all of them, and who signed what, are lost',
  fresh: async (clock, log) => ({
    store: memoryStore(clock.nowMs),
    queue: inProcessQueue({ clock, atOnce, troubled: toldTo(log) }),
  }),
  close: async () => {},
}

function toldTo(log: Log): (trouble: Trouble) => void {
  return ({ job, says, again }) => log.warn('a job is in trouble', { job, why: says, again })
}

/** @throws HeadwaterError store_unavailable */
async function inRedis(url: string, prefix: string, which: string, stop: () => Promise<void>): Promise<Backing> {
  const prefixes: string[] = []
  let troubled: (error: Error) => void = () => {}
  const cleaner = await connectRedis(url, (error) => troubled(error))
  return {
    says: `${which}; its keys begin with ${prefix} and are removed on exit, so incidents and who signed what are lost`,
    async fresh(clock, log) {
      troubled = (error) => log.warn('Redis of the demo is in trouble', { why: error.message })
      const own = `${prefix}${randomBytes(4).toString('hex')}`
      prefixes.push(own)
      const queue = await bullmqQueue({ url, prefix: own, clock, atOnce, troubled: toldTo(log) })
      return { store: redisStore(await connectRedis(url, troubled), own), queue: pacedQueue(queue, clock) }
    },
    async close() {
      for (const own of prefixes) await forgetKeys(cleaner, own).catch(troubled)
      cleaner.disconnect()
      await stop()
    },
  }
}
