/**
 * Socket Mode: we open the connection, Slack sends through it. Each connection is a client of its own. When Slack announces that it will
 * close one, the next is opened first, so that nothing is missed in between; and an event is acknowledged only once it has been dealt with,
 * so that what could not be stored comes again. The library's own reconnect is off: it leaves gaps, and dies of some refusals.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { HeadwaterError } from '../errors.ts'
import type { Log } from '../log.ts'
import { within } from '../within.ts'
import type { InFlight } from './in-flight.ts'
import { libraryLog } from './library-log.ts'
import type { Failure } from './outcome.ts'
import { failureOf } from './outcome.ts'
import { fieldsOf, textOf } from './payloads.ts'
import { clientOptions } from './web-client.ts'

export interface SocketOptions {
  readonly appToken: string
  readonly apiUrl: string | undefined
  readonly log: Log
  readonly inFlight: InFlight
  readonly nowMs: () => number
  readonly limits?: Partial<SocketLimits>
}

export interface SocketLimits {
  /** From the request for a connection to Slack's "hello", which may never come. */
  readonly helloMs: number
  /** Without an answer to our pings for so long, a connection is dead. */
  readonly pingMs: number
  /** An announced end leaves so long for what is still being answered. */
  readonly drainMs: number
  /** Shortest and longest pause before another try; a connection that held for the longest was a good one. */
  readonly pauseMs: readonly [number, number]
}

const usualLimits: SocketLimits = { helloMs: 10_000, pingMs: 5_000, drainMs: 5_000, pauseMs: [500, 30_000] }

export interface SocketReceiver extends Receiver {
  /** null = connected, else since when it is not, epoch ms. */
  readonly downSinceMs: () => number | null
}

interface Line {
  readonly client: SocketModeClient
  /** Resolves when it has ended, or is about to. */
  readonly over: Promise<void>
}

/** What no second try mends: a token that is wrong, or of an app that is gone. */
const hopeless = new Set(['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'not_allowed_token_type', 'missing_scope'])

export function socketReceiver({ appToken, apiUrl, log, inFlight, nowMs, ...options }: SocketOptions): SocketReceiver {
  const limits = { ...usualLimits, ...options.limits }
  const stopping = new AbortController()
  const stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', resolve))
  const lines = new Set<SocketModeClient>()
  let app: App | null = null
  let downSinceMs: number | null = nowMs()
  let kept: Promise<void> = Promise.resolve()

  function open(): Line {
    const client = new SocketModeClient({
      appToken,
      autoReconnectEnabled: false,
      clientPingTimeout: limits.pingMs,
      logger: libraryLog(log),
      // Its own: the library writes into the options it is given.
      clientOptions: clientOptions({ apiUrl, log, timeoutMs: limits.helloMs }),
    })
    lines.add(client)
    const { promise: over, resolve } = Promise.withResolvers<void>()
    client.once('disconnected', () => {
      lines.delete(client)
      resolve()
    })
    client.on('slack_event', (envelope: Envelope) => inFlight.later(() => dealWith(envelope)))
    listen(client, log, () => {
      setTimeout(() => retire(client), limits.drainMs).unref()
      resolve()
    })
    return { client, over }
  }

  async function dealWith({ body, ack, type, retry_num: retryNum, retry_reason: retryReason }: Envelope): Promise<void> {
    const held = type === 'events_api'
    const retry = retryNum === undefined ? {} : { retryNum, retryReason: retryReason ?? '' }
    await app?.processEvent({ body, ...retry, ack: held ? async () => undefined : async (answer?: unknown) => await ack(answer) })
    if (held) await ack()
  }

  function retire(client: SocketModeClient): void {
    void client.disconnect().catch(() => undefined)
  }

  /** Keeps one connection open until it is stopped. */
  async function keepOpen(connected: () => void, refused: (error: Error) => void): Promise<void> {
    let failures = 0
    let ever = false
    while (!stopping.signal.aborted) {
      const begunMs = nowMs()
      const line = open()
      let failure: Failure | null = null
      try {
        await within(() => line.client.start(), limits.helloMs)
        ever = true
        downSinceMs = null
        connected()
        await Promise.race([line.over, stopped])
        failures = nowMs() - begunMs >= limits.pauseMs[1] ? 0 : failures + 1
      } catch (error) {
        failure = failureOf(error)
        retire(line.client)
        failures++
        const code = failure.kind === 'refused' ? failure.code : failure.why
        if (!ever && failure.kind === 'refused' && hopeless.has(code)) {
          return refused(
            new HeadwaterError('slack_refused', `Slack refuses the app-level token (${code}): make a new one with connections:write`),
          )
        }
        log.warn('no connection to Slack', { why: code, failures })
      }
      downSinceMs ??= nowMs()
      await pause(failures, failure)
    }
  }

  async function pause(failures: number, failure: Failure | null): Promise<void> {
    const [least, most] = limits.pauseMs
    const asked = failure?.kind === 'refused' ? (failure.retryAfterMs ?? 0) : 0
    // The first end of a good connection is an ordinary thing: the next one follows at once.
    const ms = Math.max(asked, failures <= 1 && failure === null ? 0 : Math.min(most, least * 2 ** Math.min(10, failures)))
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  return {
    init(inited) {
      app = inited
    },
    /** Also returns when Slack was not reached in time: it goes on trying. @throws HeadwaterError slack_refused */
    async start() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      kept = keepOpen(resolve, reject).catch((error: unknown) => log.error('no more connections to Slack are made', { err: error }))
      await Promise.race([promise, sleep(limits.helloMs, undefined, { signal: stopping.signal }).catch(() => undefined)])
    },
    async stop() {
      stopping.abort()
      for (const client of lines) retire(client)
      await kept
    },
    downSinceMs: () => downSinceMs,
  }
}

interface Envelope {
  readonly type: string
  readonly body: Record<string, unknown>
  readonly ack: (answer?: unknown) => Promise<void>
  readonly retry_num?: number
  readonly retry_reason?: string
}

type Heard = (data: unknown, isBinary: boolean) => unknown

/** In front of the library: it drops a connection as soon as its end is announced, and fails at news that have no event in them. */
function listen(client: SocketModeClient, log: Log, ending: () => void): void {
  const [heard] = client.listeners('ws_message') as Heard[]
  client.removeAllListeners('ws_message')
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const { type, reason, payload } = fieldsOf(parsed(data))
    if (type === 'disconnect') {
      log.info('Slack ends a connection', { reason: textOf(reason) })
      return ending()
    }
    if (type === 'events_api' && fieldsOf(payload).event === undefined) {
      return log.warn('Slack holds back events of this workspace', { type: textOf(fieldsOf(payload).type) })
    }
    Promise.resolve(heard?.(data, isBinary)).catch((error: unknown) => log.error('a message of Slack could not be read', { err: error }))
  })
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(textOf(data)) as unknown
  } catch {
    return null
  }
}
