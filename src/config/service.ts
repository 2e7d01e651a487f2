/** What a running service needs of the configuration, beyond what a look on the terminal does. */
import type { Config, LedgerAccess, RedisAccess, SlackAccess } from './config.ts'
import type { Mistake } from './mistake.ts'
import type { ConfigReading } from './read-config.ts'

export interface ServiceSettings extends Pick<Config, 'zone' | 'pipelines' | 'audiences' | 'webhooks' | 'unmappedChannel'> {
  readonly slack: SlackAccess
  readonly ledger: LedgerAccess
  /** null = store and queue are handed in by whoever starts the service. */
  readonly redis: RedisAccess | null
}

/** Sections without which nothing can be served, in the order of the example. */
const needed = {
  slack: 'write slack: with team, bot_token_env and app_token_env below it',
  redis: 'write redis: with url: redis://redis:6379 below it, or url_env: REDIS_URL',
  ledger: 'write ledger: with key_env: HEADWATER_LEDGER_KEY below it, and make a key with openssl rand -hex 32',
} as const

/** One for each section that is not in the file. */
export function missingForService({ absent }: ConfigReading): readonly Mistake[] {
  const sections = Object.entries(needed).filter(([section]) => absent.includes(section))
  return sections.map(([section, right]) => ({ path: [section], at: null, what: 'is missing: serve needs it', right }))
}

/** What is right and will surprise its writer all the same. */
export function worthKnowing({ config, absent }: ConfigReading): readonly string[] {
  const { webhooks, audiences, unmappedChannel } = config
  if (Object.keys(webhooks?.credentials ?? {}).length === 0) return []
  const told = unmappedChannel === null ? 'to nobody' : `in ${unmappedChannel}`
  return [
    ...(audiences.every(({ alerts }) => alerts.length === 0)
      ? ['no alert means any pipeline: write channel: C0123ABCD, or alerts:, below one']
      : []),
    ...(absent.includes('alerts')
      ? [`alerts that mean no pipeline are told ${told}; alerts: unmapped_channel: C0123ABCD names another`]
      : []),
  ]
}

/** @returns null = something is missing or mistaken */
export function serviceSettings({ config, mistakes }: ConfigReading): (ServiceSettings & { readonly redis: RedisAccess }) | null {
  const { slack, redis, ledger } = config
  return mistakes.length > 0 || slack === null || redis === null || ledger === null ? null : { ...config, slack, redis, ledger }
}

/** Everything in a configuration that must not be read in a log. */
export function secretsOf({
  pipelines,
  slack,
  webhooks,
  redis,
  ledger,
}: Omit<ServiceSettings, 'slack' | 'ledger'> & Pick<Config, 'slack' | 'ledger'>): readonly string[] {
  const doors = Object.values(webhooks?.credentials ?? {}).map((one) =>
    one.kind === 'bearer' ? one.token : one.kind === 'basic' ? one.password : one.secret,
  )
  const kafka = pipelines.map((pipeline) => pipeline.kafka.sasl?.password)
  const connection = slack?.connection
  const ofSlack = [slack?.botToken, connection?.mode === 'socket' ? connection.appToken : connection?.signingSecret]
  const all = [...ofSlack, ...doors, ...kafka, ...loginOf(redis?.url), ledger?.key]
  return [...new Set(all.filter((one) => one !== undefined && one !== ''))] as string[]
}

/** The password of an address, as it stands there and as it is meant. */
function loginOf(url: string | undefined): readonly string[] {
  const password = url === undefined ? '' : (URL.parse(url)?.password ?? '')
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    // A "%" that is one: then it stands there as it is meant.
    return [password]
  }
}
