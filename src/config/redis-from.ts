/** Redis and the key of the ledger, with what stands in the environment. */
import type { z } from 'zod'
import type { LedgerAccess, RedisAccess } from './config.ts'
import type { Problem } from './pipeline-from.ts'
import type { ledgerSchema, redisSchema } from './redis-schema.ts'
import { isRedisUrl, redisUrlForm } from './redis-schema.ts'
import type { Environment } from './take-secret.ts'
import { takeSecret } from './take-secret.ts'

/** Whoever has the entries could try shorter ones until the chain fits. */
const leastKeyLength = 32

/**
 * Without a word in the file, a Redis that throws keys away is refused: what it threw away nobody would miss until it was needed. One that
 * keeps nothing on disk is only warned of: it loses everything at once and visibly.
 */
const usual = { prefix: 'headwater', evicts: 'refuse', forgets: 'warn' } as const

export function redisFrom(
  own: z.output<typeof redisSchema>,
  env: Environment,
): { redis: RedisAccess | null; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const url = own.url ?? takeSecret(own.url_env!, ['url_env'], env, problems)
  if (problems.length === 0 && !isRedisUrl(url)) {
    problems.push({ path: ['url_env'], what: `environment variable ${own.url_env} holds no address of Redis`, right: redisUrlForm })
  }
  const { prefix = usual.prefix, evicts = usual.evicts, forgets = usual.forgets } = own
  return { redis: problems.length > 0 ? null : { url, prefix, evicts, forgets }, problems }
}

export function ledgerFrom(
  own: z.output<typeof ledgerSchema>,
  env: Environment,
): { ledger: LedgerAccess | null; problems: readonly Problem[] } {
  const problems: Problem[] = []
  const key = takeSecret(own.key_env, ['key_env'], env, problems, leastKeyLength)
  return { ledger: problems.length > 0 ? null : { key }, problems }
}
