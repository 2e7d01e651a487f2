/** The HTTP server: doors for alerts, and health and metrics beside them or at an address of their own. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Listen, WebhookDoors } from '../config/config.ts'
import { cannotListen } from '../errors.ts'
import type { Log } from '../log.ts'
import { send } from './answer.ts'
import { formats } from './formats/index.ts'
import { createGate } from './gate.ts'
import type { Metrics } from './metrics.ts'
import type { Checks } from './operations.ts'
import { operationsAnswer } from './operations.ts'
import type { TakePorts } from './take-alerts.ts'
import type { Door, WebhookLimits } from './webhook.ts'
import { answerWebhook } from './webhook.ts'
import { createWebhookLog } from './webhook-log.ts'

export interface ServerLimits extends WebhookLimits {
  /** Requests served at once. */
  readonly atOnce: number
  /** Time for the headers, and for headers and body together. */
  readonly headersMs: number
  readonly requestMs: number
  /** A sender whose place is needed has had at least so long. */
  readonly patienceMs: number
  readonly connections: number
}

const usualLimits: ServerLimits = {
  bodyBytes: 1_048_576,
  storeMs: 2_000,
  atOnce: 128,
  headersMs: 5_000,
  requestMs: 10_000,
  patienceMs: 1_000,
  connections: 1_000,
}

export interface TriggersOptions {
  /** null = alerts are taken by another process. */
  readonly doors: Pick<WebhookDoors, 'listen' | 'credentials'> | null
  /** Where health and metrics are served; null = beside the doors, or nowhere where there are none. */
  readonly operations: Listen | null
  readonly ports: TakePorts
  readonly checks: Checks
  readonly metrics: Metrics
  readonly log: Log
  readonly limits?: Partial<ServerLimits>
}

export interface Triggers {
  /** Where it listens; the port is the real one. */
  readonly webhooks: Listen | null
  readonly operations: Listen | null
  /** Takes no new requests, ends those that run within `graceMs`, then hangs up. */
  readonly close: (graceMs: number) => Promise<void>
}

/** @throws HeadwaterError address_taken when it cannot listen */
export async function serveTriggers(options: TriggersOptions): Promise<Triggers> {
  const limits = { ...usualLimits, ...options.limits }
  const { doors, checks, metrics } = options
  const state = { closing: false }

  async function operate(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const answer = await operationsAnswer(pathOf(request), request, checks, metrics, state.closing)
    if (answer !== null) send(response, answer, state.closing)
    return answer !== null
  }

  const servers: Server[] = []
  const failed = (error: unknown): void => options.log.error('an error of this program while answering a request', { err: error })
  const close = async (graceMs: number): Promise<void> => {
    state.closing = true
    await Promise.all(servers.map((server) => closeServer(server, graceMs)))
  }
  try {
    const beside = options.operations === null
    const takeWebhook = doors === null ? null : webhookTaker(doors, options, limits)
    const webhooks =
      doors === null || takeWebhook === null
        ? null
        : await listenAt(servers, doors.listen, ofAlerts, limits, failed, async (request, response) => {
            if (beside && (await operate(request, response))) return
            await takeWebhook(request, response, state)
          })
    if (options.operations === null) return { webhooks, operations: webhooks, close }
    const operations = await listenAt(servers, options.operations, ofOperations, limits, failed, async (request, response) => {
      if (!(await operate(request, response))) send(response, { status: 404, body: { error: notHere } }, state.closing)
    })
    return { webhooks, operations, close }
  } catch (error) {
    await close(0)
    throw error
  }
}

/** What is served at an address, and how another one is chosen. */
interface Purpose {
  readonly what: string
  readonly change: string
}

const ofAlerts: Purpose = { what: 'the doors for alerts', change: 'change "listen:" below "webhooks:"' }
const ofOperations: Purpose = {
  what: 'health and metrics',
  change: 'change "operations:" below "webhooks:", or start this process with --operations HOST:PORT',
}

type Doors = NonNullable<TriggersOptions['doors']>

const notHere = 'there is nothing at this path'
const noDoor = 'there is no webhook at this path; its entry under webhooks: in the configuration opens one'

function webhookTaker(doors: Doors, { ports, metrics, log }: TriggersOptions, limits: ServerLimits) {
  const gate = createGate(limits.atOnce, limits.patienceMs, () => performance.now())
  const say = createWebhookLog(log, () => performance.now())
  return async (request: IncomingMessage, response: ServerResponse, state: { readonly closing: boolean }): Promise<void> => {
    const begin = performance.now()
    const door = doorOf(pathOf(request), doors)
    if (door === null) {
      send(response, { status: 404, body: { error: noDoor } }, state.closing)
      return
    }
    const outcome = await answerWebhook(request, door, ports, gate, limits)
    // Whether this is the connection's last answer is only known now.
    if (outcome.answer !== null) send(response, outcome.answer, state.closing)
    const seconds = (performance.now() - begin) / 1000
    metrics.answered(door.format.name, outcome.name, seconds)
    for (const [what, count] of Object.entries(outcome.taken ?? {})) {
      if (typeof count === 'number') metrics.alerts(door.format.name, what, count)
    }
    say(door.format.name, outcome, seconds)
  }
}

function doorOf(path: string, { credentials }: Doors): Door | null {
  const format = formats.find((one) => path === `/webhooks/${one.name}`)
  if (format === undefined || !Object.hasOwn(credentials, format.name)) return null
  return { format, credentials: credentials[format.name]! }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0]!.replace(/(?<=.)\/$/, '')
}

async function listenAt(
  servers: Server[],
  at: Listen,
  { what, change }: Purpose,
  limits: ServerLimits,
  failed: (error: unknown) => void,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listen> {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      // How often slow senders are looked for.
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headersMs / 4)),
      // Longer than the usual senders keep an idle connection, so that it is they who close it.
      keepAliveTimeout: 95_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        failed(error)
        send(response, { status: 500, body: { error: 'an error of this program' } }, true)
      })
    },
  )
  server.maxConnections = limits.connections
  servers.push(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(at, what, change, error)))
    server.listen(at.port, at.host, resolve)
  })
  return { host: at.host, port: (server.address() as AddressInfo).port }
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    const hangUp = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(hangUp)
      resolve()
    })
  })
}
