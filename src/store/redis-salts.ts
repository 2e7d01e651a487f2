/**
 * Salts of people in Redis, beside the ledger and as lasting:
 *
 *   salt:<team>/<user>   the salt, or that it was erased
 *
 * An erased person stays erased: a new salt would begin to tie new entries to them.
 */
import type { Redis } from 'ioredis'
import type { Actor } from '../incident/trigger.ts'
import { seal, unseal } from '../workflow/stored.ts'
import { saltFormat } from './formats.ts'
import { inOurWords } from './redis-client.ts'
import { run, script } from './redis-script.ts'

const saltScript = script(`
redis.call('SETNX', p .. 'salt:' .. a.person, a.candidate)
return redis.call('GET', p .. 'salt:' .. a.person)
`)

/** The first candidate stays, whoever asks at the same time. @returns null = erased */
export async function salt(redis: Redis, prefix: string, person: Actor, candidate: string): Promise<string | null> {
  const kept = await run(redis, prefix, saltScript, { person: personKey(person), candidate: seal(saltFormat, candidate) })
  return unseal(saltFormat, kept as string)
}

export async function eraseSalt(redis: Redis, prefix: string, person: Actor): Promise<void> {
  await redis.set(`${prefix}salt:${personKey(person)}`, seal(saltFormat, null)).catch((error: unknown) => {
    throw inOurWords(error)
  })
}

function personKey({ team, user }: Actor): string {
  return `${team}/${user}`
}
