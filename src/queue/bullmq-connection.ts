/**
 * Connections for BullMQ: one that fails at once when Redis is away, for adding; one that waits for Redis to come back, for workers.
 */
import { Redis } from 'ioredis'
import { failingAtOnce, patient } from '../config/redis-connection.ts'
import { HeadwaterError, messageOf } from '../errors.ts'

/** For one answer to whoever adds, ms. */
const answerMs = 3_000

/** @throws HeadwaterError queue_unavailable when Redis cannot be reached at the start */
export async function connectForAdding(url: string, troubled: (error: Error) => void): Promise<Redis> {
  const redis = new Redis(url, failingAtOnce(answerMs))
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
  const redis = new Redis(url, { ...patient, maxRetriesPerRequest: null })
  redis.on('error', troubled)
  return redis
}

export function unavailable(error: unknown): HeadwaterError {
  return new HeadwaterError('queue_unavailable', `the queue takes no jobs now: ${messageOf(error)}`, { cause: error })
}
