/**
 * The ledger as it stands in Redis, whatever became of it: what cannot be read as an entry is told as that, so that it can be found.
 * Nothing is written.
 */
import type { Redis } from 'ioredis'
import { HeadwaterError } from '../errors.ts'
import type { Actor } from '../incident/trigger.ts'
import { entryFrom } from '../signoff/entry-from.ts'
import type { LedgerCopy } from '../signoff/ledger-file.ts'
import type { Found } from '../signoff/verify.ts'
import { unseal } from '../workflow/stored.ts'
import { entryFormat, saltFormat } from './formats.ts'
import { inOurWords } from './redis-client.ts'
import { headOf } from './redis-inbox.ts'
import { patternOf } from './redis-pattern.ts'

/** Entries or keys asked for at once. */
const page = 1_000

/** @throws HeadwaterError store_unavailable, store_newer, store_mistaken when there stands something else than a ledger */
export async function readLedger(redis: Redis, prefix: string): Promise<LedgerCopy> {
  try {
    // The note first: what is added meanwhile is more than it says, never less.
    const [number, digest] = await redis.hmget(`${prefix}:head`, 'number', 'digest')
    const noted = headOf(/^\d{1,15}$/.test(number ?? '') ? number! : null, digest ?? null)
    const entries: Found[] = []
    for (let after = '-'; ; ) {
      const found = await redis.xrange(`${prefix}:ledger`, after, '+', 'COUNT', page)
      entries.push(...found.map(([id, fields]) => foundIn(id, fields)))
      if (found.length < page) return { noted, entries }
      after = `(${found.at(-1)![0]}`
    }
  } catch (error) {
    throw inOurWords(error)
  }
}

function foundIn(id: string, fields: readonly string[]): Found {
  const [name, text = '', ...more] = fields
  if (name !== 'entry' || more.length > 0) return null
  let value: unknown
  try {
    value = unseal(entryFormat, text)
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === 'store_newer') throw error
    return null
  }
  const entry = entryFrom(value)
  // Its place in the stream is its number too.
  return entry !== null && id === `${entry.number}-0` ? entry : null
}

/** Everyone whose salt is kept: with it, and only with it, an entry can be told to be theirs. @throws HeadwaterError */
export async function readSalts(redis: Redis, prefix: string): Promise<readonly { readonly person: Actor; readonly salt: string }[]> {
  const begin = `${prefix}:salt:`
  try {
    const found = new Map<string, { person: Actor; salt: string }>()
    // A scan may show a key twice.
    for await (const keys of redis.scanStream({ match: `${patternOf(begin)}*`, count: page }) as AsyncIterable<string[]>) {
      const texts = keys.length === 0 ? [] : await redis.mget(keys)
      for (const [i, text] of texts.entries()) {
        const salt = text === null ? null : unseal(saltFormat, text)
        const [team = '', user = ''] = keys[i]!.slice(begin.length).split('/')
        if (salt !== null) found.set(keys[i]!, { person: { team, user }, salt })
      }
    }
    return [...found.values()]
  } catch (error) {
    throw inOurWords(error)
  }
}
