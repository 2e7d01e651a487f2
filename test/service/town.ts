/** A real Redis, a stand-in of Slack, and processes of the service around them; all of it is gone when the test, or the run, ends. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { calmWeather, demoApp, nastyWeather } from '../../src/demo/slack/settings.ts'
import type { StandIn } from '../../src/demo/slack/stand-in.ts'
import { startStandIn } from '../../src/demo/slack/stand-in.ts'
import type { Role } from '../../src/serve.ts'
import { connectRedis } from '../../src/store/redis-client.ts'
import { redisStore } from '../../src/store/redis-store.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'

export const channel = 'C0INCIDENTS'
export const amara = 'U0AMARA'

export const secrets = {
  BOT: demoApp.botToken,
  APP: demoApp.appToken,
  SIGNING: demoApp.signingSecret,
  LEDGER_KEY: 'the-ledger-key-of-the-tests-is-not-short',
  ALERTMANAGER: 'what-alertmanager-has-to-show',
} as const

export interface Town {
  readonly redis: TestRedis
  readonly stand: StandIn
  /** With everything in it; each pipeline is told in its own channel, the first in `channel`. */
  readonly config: string
  /** As another process would see it. */
  readonly store: () => Promise<Store>
  readonly start: (role: Role, how?: Started) => Service
}

export interface Started {
  /** Of the kept drill, ms; absent = the sources are the real ones. */
  readonly looks?: readonly [first: number, second: number] | 'real'
  readonly config?: string
}

export interface Service {
  readonly child: ChildProcess
  /** Lines of the log. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  /** What it has written, as it is. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when it serves, with where. */
  readonly serving: () => Promise<{ readonly webhooks: string; readonly operations: string; readonly slack: string }>
  readonly said: (message: string) => boolean
  /** @returns exit code (null = killed), and how long it took, ms */
  readonly end: (signal: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly ms: number }>
}

export interface TownOptions {
  readonly pipelines?: readonly string[]
  readonly redis?: Readonly<Record<string, string>>
  /** More lines below "redis:". */
  readonly redisLines?: string
  /** Of Slack: fresh posts are missing from the history for a while, files are not ready at once. */
  readonly weather?: 'calm' | 'nasty'
  /** Of Slack's limits; absent = in nasty weather. */
  readonly rateLimits?: boolean
  /** Of what the stand-in draws. */
  readonly seed?: number
  /** Where the real sources look; nobody is there unless told otherwise. */
  readonly broker?: string
  /** How Slack reaches the app. */
  readonly slack?: 'socket' | 'http'
  /** Of each pipeline, where it is not the usual. */
  readonly around?: (pipeline: number) => Around
  /** Told what ends it all; absent = it ends with the test. */
  readonly over?: (end: () => Promise<void>) => void
}

/** What the configuration says around one pipeline. */
export interface Around {
  readonly channel?: string
  /** More channels to ask in. */
  readonly channels?: readonly string[]
  readonly owners?: readonly string[]
  /** Different owners who have to approve. */
  readonly approvals?: number
  readonly spark?: string
}

const root = join(import.meta.dirname, '../..')

export async function town(options: TownOptions = {}): Promise<Town> {
  const { pipelines = ['orders'], redisLines = '', broker = '127.0.0.1:1', seed = 1, slack = 'socket' } = options
  const over = options.over ?? (await import('vitest')).onTestFinished
  const redis = await startRedis(options.redis)
  const weather = options.weather === 'nasty' ? nastyWeather : calmWeather
  const app = { ...demoApp, events: ['app_mention', 'member_joined_channel'] }
  const stand = await startStandIn({ rateLimits: options.rateLimits ?? options.weather === 'nasty', app, weather, seed })
  const folder = mkdtempSync(join(tmpdir(), 'headwater-service-'))
  const services: Service[] = []
  let store: Promise<Store> | null = null
  over(async () => {
    await Promise.all(services.map(({ end }) => end('SIGKILL')))
    await (await store)?.close()
    await stand.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const around = (i: number): Around => ({ channel: channelOf(i), ...options.around?.(i) })
  for (const [i] of pipelines.entries()) {
    const { channel: own = '', channels = [] } = around(i)
    for (const id of [own, ...channels]) openChannel(stand, id)
  }
  const config = join(folder, 'headwater.yaml')
  const all = pipelines.map((name, i) => pipelineText(name, broker, around(i)))
  writeFileSync(config, configText(slack, `  url: ${redis.url}\n  prefix: town\n${redisLines}`, all))
  return {
    redis,
    stand,
    config,
    store: () => (store ??= connectRedis(redis.url, () => {}).then((client) => redisStore(client, 'town'))),
    start(role, how = {}) {
      const service = startService(role, { config, ...how }, stand.apiUrl)
      services.push(service)
      return service
    },
  }
}

export const channelOf = (pipeline: number): string => (pipeline === 0 ? channel : `C0TOWN${pipeline}`)

/** As the one everybody begins with. */
function openChannel({ workspace }: StandIn, id: string): void {
  const like = workspace.channels.get(channel)!
  if (!workspace.channels.has(id)) workspace.channels.set(id, { ...like, id, name: id.toLowerCase(), members: new Set(like.members) })
}

function pipelineText(name: string, broker: string, { channel: own = '', channels, owners, approvals, spark }: Around): string {
  const decide = owners === undefined ? 'groups: [S0OWNERS]' : `users: [${owners.join(', ')}]`
  return `  ${name}:
    topic: ${name}
    brokers: ["${broker}"]
    channel: ${own}
    owners: { ${decide}${approvals === undefined ? '' : `, approvals: ${approvals}`} }
    alerts: [{ matchers: ['topic="${name}"'] }]
${channels === undefined ? '' : `    channels: [${channels.join(', ')}]\n`}${spark === undefined ? '' : `    spark: ${spark}\n`}`
}

const connections = {
  socket: 'app_token_env: APP',
  http: 'mode: http, signing_secret_env: SIGNING, listen: "127.0.0.1:0"',
} as const

function configText(slack: keyof typeof connections, redis: string, pipelines: readonly string[]): string {
  return `slack: { team: T0STANDIN, bot_token_env: BOT, ${connections[slack]} }
redis:
${redis}ledger: { key_env: LEDGER_KEY }
webhooks: { listen: "127.0.0.1:0", operations: "127.0.0.1:0", alertmanager: { bearer_env: ALERTMANAGER } }
pipelines:
${pipelines.join('')}`
}

function startService(role: Role, { config, looks = [0, 0] }: Started, apiUrl: string): Service {
  const args = ['--config', config ?? '', '--role', role]
  const program = looks === 'real' ? [join(root, 'src/main.ts'), 'serve'] : [join(import.meta.dirname, 'recorded-service.ts')]
  const [first, second] = looks === 'real' ? [0, 0] : looks
  const env = {
    ...process.env,
    ...secrets,
    HEADWATER_SLACK_API_URL: apiUrl,
    FIRST_LOOK_MS: `${first}`,
    SECOND_LOOK_MS: `${second}`,
    TZ: 'UTC',
  }
  const child = spawn(process.execPath, [...program, ...args], { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] })
  const log: Record<string, unknown>[] = []
  let out = ''
  let err = ''
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    // What is no JSON fails the test: a collector of logs could not read it either.
    for (const line of lines) log.push(JSON.parse(line) as Record<string, unknown>)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  const over = once(child, 'exit') as Promise<[number | null]>
  const serving = async () => {
    // Of role all both processes say so: what takes in says where.
    const isOurs = (line: Record<string, unknown>): boolean =>
      line.message === 'serving' && (line.role === 'worker') === (role === 'worker')
    await eventually(() => log.some(isOurs) || child.exitCode !== null, 30_000)
    const line = log.find(isOurs)
    if (line === undefined) throw new Error(`it does not serve: ${err}\n${out}`)
    const at = (where: unknown): string => (where === null ? '' : `http://127.0.0.1:${(where as { port: number }).port}`)
    return { webhooks: at(line.webhooks), operations: at(line.operations), slack: at(line.slack) }
  }
  return {
    child,
    log,
    stdout: () => out,
    stderr: () => err,
    serving,
    said: (message) => log.some((line) => line.message === message),
    async end(signal) {
      const begin = performance.now()
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await over
      }
      return { code: child.exitCode, ms: performance.now() - begin }
    },
  }
}

/** Waits for what has to come, and fails when it does not. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`not within ${withinMs} ms: ${holds.toString()}`)
    await sleep(50)
  }
}

/** Messages at the top of a channel that stand. */
export function homes({ stand }: Pick<Town, 'stand'>, where?: string) {
  return stand.observer.messages(where).filter(({ by, threadTs, deleted }) => by === 'app' && threadTs === null && !deleted)
}

export interface Firing {
  readonly pipeline: string
  readonly fingerprint: string
}

/** Firing alerts as Alertmanager sends them. */
export async function alerts(webhooks: string, firing: readonly Firing[]): Promise<Response> {
  const each = firing.map(({ pipeline, fingerprint }) => ({
    status: 'firing',
    labels: { alertname: 'ConsumerLag', topic: pipeline, severity: 'critical' },
    annotations: { summary: `${pipeline} falls behind` },
    startsAt: '2026-11-30T10:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint,
    generatorURL: '',
  }))
  const group = { groupKey: '{}', groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: '', truncatedAlerts: 0 }
  const body = { version: '4', status: 'firing', receiver: 'headwater', ...group, alerts: each }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secrets.ALERTMANAGER}` }
  return await fetch(`${webhooks}/webhooks/alertmanager`, { method: 'POST', headers, body: JSON.stringify(body) })
}

export const alert = (webhooks: string, pipeline: string): Promise<Response> =>
  alerts(webhooks, [{ pipeline, fingerprint: `f-${pipeline}` }])

export function ask({ stand }: Pick<Town, 'stand'>, pipeline: string, where: string = channel) {
  return stand.observer.type({ user: amara, channel: where, line: `/headwater diagnose ${pipeline}` })
}
