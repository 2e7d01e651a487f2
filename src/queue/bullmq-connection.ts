/**
 * Connections for BullMQ: one that fails at once when Redis is away, for adding; one that waits for Redis to come back, for workers.
 */
import { Redis } from 'ioredis'
import { HeadwaterError, messageOf } from '../errors.ts'

/** Ms: to connect, for one answer to whoever adds, and longest pause between two tries to connect. */
const limitMs = { connect: 5_000, answer: 3_000, pause: 1_000 }

const retryStrategy = (tries: number): number => Math.min(50 * 2 ** tries, limitMs.pause)

/** @throws HeadwaterError queue_unavailable when Redis cannot be reached at the start */
export async function connectForAdding(url: string, troubled: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: limitMs.connect,
    commandTimeout: limitMs.answer,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy,
  })
  redis.on('error', troubled)
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw unavailable(error)
  }
  return redis
}

/** BullMQ makes a second one of it, for the command that waits for jobs, and closes that one itself. */
export function connectForWork(url: string, troubled: (error: Error) => void): Redis {
  const redis = new Redis(url, { connectTimeout: limitMs.connect, maxRetriesPerRequest: null, retryStrategy })
  redis.on('error', troubled)
  return redis
}

export function unavailable(error: unknown): HeadwaterError {
  return new HeadwaterError('queue_unavailable', `the queue takes no jobs now: ${messageOf(error)}`, { cause: error })
}
