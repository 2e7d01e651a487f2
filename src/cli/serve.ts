/** `headwater serve`: the running service, until it is asked to stop. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listen } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { mistakeLine } from '../config/mistake.ts'
import type { ServiceSettings } from '../config/service.ts'
import { missingForService, secretsOf, serviceSettings } from '../config/service.ts'
import { HeadwaterError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Role, Served, ServeOptions, Told } from '../serve.ts'
import { serve, stepBack, toldToStarter, workBeside } from '../serve.ts'
import type { Source } from '../workflow/ports.ts'
import { configFile } from './choose-pipeline.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'

export interface ServeCommandOptions {
  readonly config?: string
  readonly role?: Role
  /** Where health and metrics are served, instead of where the configuration says. */
  readonly operations?: Listen
  /** Works for the process that started it, tells that one how it is doing, and ends with it: SHA-256 of the configuration that has. */
  readonly part?: string
}

/** Whoever stops a service kills it after 10 s: what is under way has this long, ms; closing connections may take the rest. */
const graceMs = 6_500
const mostMs = 9_500

/**
 * @param sources of what is looked at; undefined = the real ones
 * @returns the exit code. @throws HeadwaterError
 */
export async function serveCommand(options: ServeCommandOptions, io: Io, sources?: readonly Source[]): Promise<number> {
  const file = configFile(options.config, io)
  const { role = 'all' } = options
  const part = options.part !== undefined
  const digest = await digestOf(file)
  if (part && options.part !== digest) throw new HeadwaterError('config_mistaken', `${file} has changed since the service was started`)
  const settings = await settingsOf(file, io)
  if (role === 'worker') stepBack()
  // Of role all both processes write into one log.
  const log = createLog({ write: (line) => io.stdout.write(line), secrets: secretsOf(settings) }).about({
    process: role === 'all' ? 'app' : role,
  })
  const say = part ? () => undefined : (line: string): unknown => io.stderr.write(`headwater: ${line}\n`)
  say(`starting as ${roles[role]}; the log is on standard output`)
  const order = { settings, log, ...optional({ sources, operations: part ? null : options.operations }), ...slackAt(io) }
  const stop = new AbortController()
  const signal = AbortSignal.any([io.signal, stop.signal])
  const both = role === 'all' ? runBoth(order, { file, digest, stop }, signal, io, say) : null
  const running = both ?? run({ ...order, role, signal }, say, part ? stop : null)
  // Whatever hangs: it has been asked to stop, and somebody waits for it.
  const ended = await Promise.race([running, aborted(signal).then(() => sleep(mostMs))])
  return ended === 'hopeless' ? exitCodes.broken : exitCodes.done
}

/** Two processes of one service have one configuration, whenever the second one is started anew. */
async function digestOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => '')
  return createHash('sha256').update(bytes).digest('hex')
}

interface Started {
  readonly file: string
  readonly digest: string
  readonly stop: AbortController
}

/** What takes in, and beside it a process of its own that works, started as this one was. */
async function runBoth(
  order: Omit<ServeOptions, 'role'>,
  { file, digest, stop }: Started,
  signal: AbortSignal,
  io: Io,
  say: Say,
): Promise<'hopeless' | null> {
  const { log } = order
  let hopeless = false
  const [program = '', ...args] = process.argv.slice(1)
  const command = args[0] === 'serve' ? ['serve'] : []
  const beside = workBeside({
    program: [program, ...command, '--config', file, '--role', 'worker', '--part', digest],
    env: io.env,
    log,
    line: (text) => io.stdout.write(`${text}\n`),
    complains: (text) => io.stderr.write(`${text}\n`),
    hopeless: () => {
      hopeless = true
      stop.abort()
    },
  })
  const ending = aborted(signal).then(() => beside.close(graceMs + 2_000))
  try {
    // It begins when this one serves: what cannot start leaves nothing behind.
    await run({ ...order, role: 'app', signal, beside, serving: beside.begin }, say, null)
    await ending
  } finally {
    await beside.close(graceMs + 2_000)
  }
  return hopeless ? 'hopeless' : null
}

type Say = (line: string) => unknown

/**
 * Until the signal aborts, and everything that was under way is finished or handed back.
 * @param part aborted when the process that started this one is gone; null = nobody did
 */
async function run(
  { serving, ...options }: ServeOptions & { readonly signal: AbortSignal; readonly serving?: () => void },
  say: Say,
  part: AbortController | null,
): Promise<void> {
  let served: Served | null = null
  if (part !== null) {
    const gone = toldToStarter(async () => (await served?.tell()) ?? notYet)
    void aborted(gone).then(() => part.abort())
  }
  try {
    served = await serve(options)
  } catch (error) {
    // Asked to stop before it had begun: that is no failure.
    if (error instanceof HeadwaterError && error.code === 'interrupted') return
    throw error
  }
  serving?.()
  for (const line of whereLines(served, options)) say(line)
  await aborted(options.signal)
  say('stopping: what is under way is finished or handed back')
  await served.close(graceMs)
}

const notYet: Told = { figures: [], trouble: 'does not work yet' }

/** What is given, without what is not. */
function optional(given: { readonly sources: readonly Source[] | undefined; readonly operations: Listen | null | undefined }) {
  const { sources, operations } = given
  return { ...(sources === undefined ? {} : { sources }), ...(operations === undefined ? {} : { operations }) }
}

/** @throws HeadwaterError config_unreadable, config_mistaken with everything that is wrong or missing */
async function settingsOf(file: string, io: Io): Promise<ServiceSettings> {
  const reading = await loadConfig(file, io.env)
  const mistakes = [...reading.mistakes, ...missingForService(reading)]
  const settings = serviceSettings(reading)
  if (settings === null) throw new HeadwaterError('config_mistaken', mistakes.map((one) => mistakeLine(file, one)).join('\n'))
  return settings
}

const roles: Readonly<Record<Role, string>> = {
  app: 'app: takes in what Slack and alert senders bring',
  worker: 'worker: looks at pipelines and writes to Slack',
  all: 'all: takes in what comes, looks at pipelines, writes to Slack',
}

/** Where it listens and what it has, in plain words. */
function whereLines(served: Served, { settings, role }: ServeOptions): string[] {
  const { slack, webhooks, redis, pipelines } = settings
  const doors = Object.keys(webhooks?.credentials ?? {}).map((door) => `${httpAt(served.webhooks ?? webhooks!.listen)}/webhooks/${door}`)
  const alerts = role === 'worker' ? 'for the app to take in' : doors.length === 0 ? 'no door is configured' : doors.join(', ')
  const connection =
    role === 'worker'
      ? 'written to; what it brings is for the app to take in'
      : slack.connection.mode === 'socket'
        ? 'connected by Socket Mode'
        : `${httpAt(served.slack!)}/slack/events`
  return [
    `pipelines: ${pipelines.map(({ name }) => name).join(', ')}`,
    `Redis: answers; every key begins with ${redis?.prefix}`,
    `Slack: ${connection}`,
    `alerts: ${alerts}`,
    served.operations === null
      ? 'health and metrics: not served here'
      : `health and metrics: ${httpAt(served.operations)}/readyz, /healthz, /metrics`,
    'ready; Ctrl-C stops it',
  ]
}

const httpAt = ({ host, port }: Listen): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** For a Slack that is not the real one, e.g. a stand-in. */
function slackAt({ env }: Io): { slackApiUrl?: string } {
  const url = env.HEADWATER_SLACK_API_URL
  return url === undefined || url === '' ? {} : { slackApiUrl: url }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
