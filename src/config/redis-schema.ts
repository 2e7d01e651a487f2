/** Where incidents and sign-offs are kept, in the configuration file, and the key of the ledger. */
import { z } from 'zod'
import { withoutLogin } from '../incident/address.ts'
import { variable } from './plain-schema.ts'

export const redisUrlForm = 'write the address of Redis, e.g. redis://redis:6379/0, rediss://redis:6380 or /run/redis.sock'

/** A login may be in it: this only says whether it is an address of Redis. */
export function isRedisUrl(text: string): boolean {
  if (text.startsWith('/')) return text.length > 1
  const url = URL.parse(text)
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
}

const policy = z.enum(['warn', 'refuse'], 'write warn or refuse').optional()

const prefixForm = 'write letters, digits, ".", "_" or "-", at most 64, e.g. headwater'

export const redisSchema = z
  .strictObject(
    {
      url: z
        .string(redisUrlForm)
        .refine(isRedisUrl, redisUrlForm)
        .refine(
          (text) => text.startsWith('/') || (withoutLogin(text) === text && URL.parse(text)?.searchParams.has('password') !== true),
          'a user and password do not belong in this file; keep the whole address in an environment variable and name that here: url_env: REDIS_URL',
        )
        .optional(),
      url_env: variable('the address of Redis with its login', 'REDIS_URL').optional(),
      prefix: z
        .string(prefixForm)
        .regex(/^[\w.-]{1,64}$/, prefixForm)
        .optional(),
      evicts: policy,
      forgets: policy,
    },
    'write url: redis://redis:6379 below it, or url_env: REDIS_URL',
  )
  .refine((one) => (one.url === undefined) !== (one.url_env === undefined), 'write either url or url_env, one of the two')

export const ledgerSchema = z.strictObject(
  { key_env: variable('the key of the ledger', 'HEADWATER_LEDGER_KEY') },
  'write key_env: HEADWATER_LEDGER_KEY below it',
)
