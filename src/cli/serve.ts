/** `headwater serve`: the running service, until it is asked to stop. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listen } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { mistakeLine } from '../config/mistake.ts'
import type { ServiceSettings } from '../config/service.ts'
import { missingForService, secretsOf, serviceSettings } from '../config/service.ts'
import { HeadwaterError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Role, Served } from '../serve.ts'
import { serve } from '../serve.ts'
import { configFile } from './choose-pipeline.ts'
import type { Io } from './io.ts'
import { exitCodes } from './io.ts'

export interface ServeCommandOptions {
  readonly config?: string
  readonly role?: Role
}

/** Whoever stops a service kills it after 10 s: what is under way has this long, ms; closing connections may take the rest. */
const graceMs = 6_500
const mostMs = 9_500

/** @returns the exit code. @throws HeadwaterError */
export async function serveCommand(options: ServeCommandOptions, io: Io): Promise<number> {
  const file = configFile(options.config, io)
  const settings = await settingsOf(file, io)
  const { role = 'all' } = options
  const log = createLog({ write: (line) => io.stdout.write(line), secrets: secretsOf(settings) })
  const say = (line: string): unknown => io.stderr.write(`headwater: ${line}\n`)
  say(`starting as ${roles[role]}; the log is on standard output`)
  let served: Served
  try {
    served = await serve({ settings, role, log, signal: io.signal, ...slackAt(io) })
  } catch (error) {
    // Asked to stop before it had begun: that is no failure.
    if (error instanceof HeadwaterError && error.code === 'interrupted') return exitCodes.done
    throw error
  }
  for (const line of whereLines(served, settings, role)) say(line)
  await aborted(io.signal)
  say('stopping: what is under way is finished or handed back')
  await Promise.race([served.close(graceMs), sleep(mostMs)])
  return exitCodes.done
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
function whereLines(served: Served, { slack, webhooks, redis, pipelines }: ServiceSettings, role: Role): string[] {
  const doors = Object.keys(webhooks?.credentials ?? {})
  const alerts =
    served.webhooks === null
      ? 'taken in by nobody here'
      : `${doors.map((door) => `${httpAt(served.webhooks!)}/webhooks/${door}`).join(', ') || 'no door is configured'}`
  const connection =
    role === 'worker'
      ? 'written to; what it brings is for the app'
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
