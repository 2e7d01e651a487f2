/** From a configuration, or an exported file, to the ledger that is meant, or to the one thing that stands in the way. */
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { mistakeLine } from '../config/mistake.ts'
import { readerZone } from '../config/reader-zone.ts'
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Actor } from '../incident/trigger.ts'
import type { LedgerCopy } from '../signoff/ledger-file.ts'
import { readLedgerFile } from '../signoff/ledger-file.ts'
import { connectRedis, disconnect } from '../store/redis-client.ts'
import { readLedger, readSalts } from '../store/redis-ledger.ts'
import { configFile } from './choose-pipeline.ts'
import type { Io } from './io.ts'
import { readInput } from './read-input.ts'

export interface LedgerSource {
  readonly config?: string
  /** An exported ledger; "-" = standard input. */
  readonly file?: string
}

export interface Salted {
  readonly person: Actor
  readonly salt: string
}

type Connection = Awaited<ReturnType<typeof connectRedis>>

const mostFileBytes = 256 << 20

/** @throws HeadwaterError of the configuration, of Redis, of the file */
export async function readLedgerOf(source: LedgerSource, io: Io): Promise<LedgerCopy & { readonly salts: readonly Salted[] }> {
  const { file } = source
  if (file !== undefined) return { ...(await ledgerOfFile(file, io)), salts: [] }
  return withRedis(source, io, async (redis, prefix) => ({ ...(await readLedger(redis, prefix)), salts: await readSalts(redis, prefix) }))
}

async function ledgerOfFile(file: string, io: Io): Promise<LedgerCopy> {
  try {
    const tooLarge = () => new HeadwaterError('ledger_mistaken', `more than ${mostFileBytes >> 20} MiB are no ledger`)
    return readLedgerFile(new TextDecoder().decode(await readInput(file, io, { mostBytes: mostFileBytes, tooLarge })))
  } catch (error) {
    if (!(error instanceof HeadwaterError)) throw error
    throw new HeadwaterError(error.code, `${file === '-' ? 'standard input' : file}: ${error.message}`, { cause: error })
  }
}

/** Opens the Redis of the configuration for as long as the work takes. @throws HeadwaterError */
export async function withRedis<T>(source: LedgerSource, io: Io, work: (redis: Connection, prefix: string) => Promise<T>): Promise<T> {
  const { redis } = await sections(source, io, ['redis'])
  const client = await connected(redis.url)
  try {
    return await work(client, redis.prefix)
  } finally {
    await disconnect(client)
  }
}

/** What the client says in the end is that the connection is closed; why it could not be opened it said before. */
async function connected(url: string): Promise<Connection> {
  let why: Error | null = null
  try {
    return await connectRedis(url, (error) => {
      why ??= error
    })
  } catch (error) {
    throw why === null ? error : new HeadwaterError('store_unavailable', `Redis is away: ${messageOf(why)}`, { cause: error })
  }
}

/** @throws HeadwaterError config_mistaken when there is none */
export async function ledgerKey(source: LedgerSource, io: Io): Promise<string> {
  return (await sections(source, io, ['ledger'])).ledger.key
}

type Section = 'redis' | 'ledger' | 'slack'

const needs: Readonly<Record<Section, string>> = {
  redis: 'write redis: with url: redis://redis:6379 below it, or name an exported ledger with --file',
  ledger: 'write ledger: with key_env: HEADWATER_LEDGER_KEY below it',
  slack: 'write slack: with team and bot_token_env below it, or leave --names out',
}

/**
 * The sections that are needed, and no others: whoever looks into the ledger has not got all secrets of the service.
 * @throws HeadwaterError config_unreadable, config_mistaken
 */
export async function sections<Needed extends Section>(
  source: LedgerSource,
  io: Io,
  needed: readonly Needed[],
): Promise<{ readonly [Name in Needed]: NonNullable<Config[Name]> }> {
  const file = configFile(source.config, io)
  const { config, mistakes } = await loadConfig(file, io.env)
  const blocking = mistakes.filter(({ path }) => path.length === 0 || needed.includes(path[0] as Needed))
  if (blocking.length > 0) throw new HeadwaterError('config_mistaken', blocking.map((one) => mistakeLine(file, one)).join('\n'))
  const missing = needed.find((name) => config[name] === null)
  if (missing !== undefined) throw new HeadwaterError('config_mistaken', `${file} has no ${missing}: section; ${needs[missing]}`)
  return config as { readonly [Name in Needed]: NonNullable<Config[Name]> }
}

/** The zone that was asked for, else that of the configuration where it can be read, else the reader's. */
export async function zoneOf(zone: string | undefined, source: LedgerSource, io: Io): Promise<string> {
  if (zone !== undefined) return zone
  const reading = await loadConfig(configFile(source.config, io), io.env).catch((error: unknown) => messageOf(error))
  return typeof reading === 'string' ? readerZone(io.env) : reading.config.zone
}
