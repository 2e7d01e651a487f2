/** Removes all keys below a prefix: for a service that was only a demonstration. */
import type { Redis } from 'ioredis'
import { inOurWords } from './redis-client.ts'
import { patternOf } from './redis-pattern.ts'

/** @throws HeadwaterError store_unavailable, store_mistaken */
export async function forgetKeys(redis: Redis, prefix: string): Promise<void> {
  try {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${patternOf(prefix)}:*`, 'COUNT', 500)
      if (keys.length > 0) await redis.unlink(...keys)
      cursor = next
    } while (cursor !== '0')
  } catch (error) {
    throw inOurWords(error)
  }
}
