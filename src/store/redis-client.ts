/**
 * The connection to Redis. A command that cannot be sent now fails now: whoever waits for an acknowledgement is told to come
 * again, instead of waiting for a Redis that may never come back. No command is sent twice by itself, because nobody could say
 * what the first one did: the caller reads again and decides.
 */
import { Redis } from 'ioredis'
import { failingAtOnce } from '../config/redis-connection.ts'
import { HeadwaterError, messageOf } from '../errors.ts'

/** For one answer, ms. */
const answerMs = 1_500

/**
 * Connects in the background, and for as long as it is open.
 * @param url e.g. redis://redis:6379/0, rediss://user:password@redis:6380, or the path of a socket
 * @param troubled told of every failed try to connect; the client tries again by itself
 */
export function openRedis(url: string, troubled: (error: Error) => void): Redis {
  const redis = clientOf(url, troubled)
  // What goes wrong is told to `troubled`, and tried again.
  redis.connect().catch(() => undefined)
  return redis
}

/** As `openRedis`, and waits for the first connection. @throws HeadwaterError store_unavailable when it cannot be reached at the start */
export async function connectRedis(url: string, troubled: (error: Error) => void): Promise<Redis> {
  const redis = clientOf(url, troubled)
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw away(error)
  }
  return redis
}

function clientOf(url: string, troubled: (error: Error) => void): Redis {
  const redis = new Redis(url, failingAtOnce(answerMs))
  redis.on('error', troubled)
  return redis
}

/** Says goodbye where Redis listens, and leaves where it does not. */
export async function disconnect(redis: Redis): Promise<void> {
  await redis.quit().catch(() => undefined)
  redis.disconnect()
}

/** Answers by which Redis says that another time may do: starting, out of memory, not able to write to disk, a replica for now. */
const passing = /^(LOADING|OOM|MISCONF|READONLY|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|NOREPLICAS)\b/

/** Anything thrown by a command, in our words. */
export function inOurWords(error: unknown): HeadwaterError {
  if (error instanceof HeadwaterError) return error
  const answered = error instanceof Error && error.name === 'ReplyError'
  if (!answered || passing.test(error.message)) return away(error)
  return new HeadwaterError('store_mistaken', `Redis refuses the command: ${messageOf(error)}`, { cause: error })
}

function away(error: unknown): HeadwaterError {
  return new HeadwaterError('store_unavailable', `Redis is away or cannot write now: ${messageOf(error)}`, { cause: error })
}
