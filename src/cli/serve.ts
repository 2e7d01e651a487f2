/** `headwater serve`: the running service, until it is asked to stop. */
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
  /** Works for the process that started it, tells that one how it is doing, and ends with it. */
  readonly part?: boolean
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
  const settings = await settingsOf(file, io)
  const { role = 'all', part = false } = options
  if (role === 'worker') stepBack()
  const log = createLog({ write: (line) => io.stdout.write(line), secrets: secretsOf(settings) })
  const say = part ? () => undefined : (line: string): unknown => io.stderr.write(`headwater: ${line}\n`)
  say(`starting as ${roles[role]}; the log is on standard output`)
  const order = { settings, log, ...optional({ sources, operations: part ? null : options.operations }), ...slackAt(io) }
  const stop = new AbortController()
  const signal = AbortSignal.any([io.signal, stop.signal])
  const running = role === 'all' ? runBoth(order, file, signal, io, say) : run({ ...order, role, signal }, say, part ? stop : null)
  // Whatever hangs: it has been asked to stop, and somebody waits for it.
  await Promise.race([running, aborted(signal).then(() => sleep(mostMs))])
  return exitCodes.done
}

/** What takes in, and beside it a process of its own that works, started as this one was. */
async function runBoth(order: Omit<ServeOptions, 'role'>, file: string, signal: AbortSignal, io: Io, say: Say): Promise<void> {
  const { log } = order
  const [program = '', ...args] = process.argv.slice(1)
  const command = args[0] === 'serve' ? ['serve'] : []
  const beside = workBeside({
    program: [program, ...command, '--config', file, '--role', 'worker', '--part'],
    env: io.env,
    log,
    line: (text) => io.stdout.write(`${text}\n`),
    complains: (text) => io.stderr.write(`${text}\n`),
  })
  const ending = aborted(signal).then(() => beside.close(graceMs + 2_000))
  try {
    await run({ ...order, role: 'app', signal, beside: beside.ask }, say, null)
  } finally {
    await (signal.aborted ? ending : beside.close(0))
  }
}

type Say = (line: string) => unknown

/**
 * Until the signal aborts, and everything that was under way is finished or handed back.
 * @param part aborted when the process that started this one is gone; null = nobody did
 */
async function run(options: ServeOptions & { readonly signal: AbortSignal }, say: Say, part: AbortController | null): Promise<void> {
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
