/**
 * The only file that touches kafkajs, and only its private parts: a broker connection with login (SASL, TLS) and ApiVersions.
 * The package is frozen at 2.2.4 and pinned exactly; `test/live/kafka.test.ts` is the contract with it. Its public clients are not
 * used: they write when asked wrongly, and one leaderless partition makes all of them fail.
 *
 * READ ONLY by construction, twice: `send` takes no request outside `READ_ONLY`, and the socket itself, wherever the bytes come
 * from, carries nothing but these and the three requests of a login. Metadata is written by us with auto creation off.
 */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { KafkaAccess } from '../incident/pipeline.ts'
import { addressOf } from './kafka-address.ts'
import { FRAME_TOO_LARGE } from './kafka-failure.ts'

/** ListOffsets, Metadata, OffsetFetch, FindCoordinator, DescribeGroups, DescribeConfigs, ConsumerGroupDescribe. */
export const READ_ONLY: ReadonlySet<number> = new Set([2, 3, 9, 10, 15, 32, 69])
/** SaslHandshake, ApiVersions, SaslAuthenticate: sent by kafkajs itself while connecting. */
const LOGIN: ReadonlySet<number> = new Set([17, 18, 36])

/** Largest answer we accept. The answer about 10,000 partitions is below 1 MB. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024

export interface VersionRange {
  readonly minVersion: number
  readonly maxVersion: number
}

export interface Link {
  /** What the broker announces for a request; undefined = it does not know it. */
  readonly range: (apiKey: number) => VersionRange | undefined
  /** Sends one request and gives the raw answer from after its correlation id. Rejects with whatever kafkajs or the socket threw. */
  readonly send: (api: { readonly key: number; readonly name: string }, version: number, body: Buffer) => Promise<Buffer>
}

export interface Wire {
  /** "host:port" */
  readonly address: string
  /** Frames sent and bytes both ways so far, logins included. */
  readonly requests: number
  readonly bytes: number
  /** Connects and logs in; rejects with what kafkajs or the socket threw. */
  readonly connect: () => Promise<Link>
  /** Ends the socket and kafkajs's timers at once, whatever is in flight (kafkajs's own disconnect waits for answers). */
  readonly destroy: () => void
}

/** Prepares a connection to one broker; nothing is sent before `connect`. */
export function prepareWire(access: KafkaAccess, host: string, port: number, timeoutMs: number): Wire {
  const tally = { requests: 0, bytes: 0 }
  let socket: Socket | null = null
  let ended = false
  const socketFactory = (target: { onConnect: () => void }): SocketFace => {
    const { onConnect } = target
    // kafkajs connects anew by itself when a request finds its socket closed.
    if (ended) throw new Error('closed')
    socket = access.tls
      ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) }, onConnect)
      : connectPlain({ host, port }, onConnect)
    return guard(socket, tally)
  }
  const options = {
    host,
    port,
    clientId: access.clientId,
    // kafkajs reads and extends the object it is given: each connection gets its own.
    sasl: access.sasl === null ? null : { ...access.sasl },
    ssl: access.tls ? {} : null,
    socketFactory,
    logger: SILENT,
    connectionTimeout: timeoutMs,
    requestTimeout: timeoutMs,
  }
  return {
    address: addressOf({ host, port }),
    get requests() {
      return tally.requests
    },
    get bytes() {
      return tally.bytes
    },
    async connect() {
      const { Broker, ConnectionPool, Encoder } = kafkajs()
      const pool = new ConnectionPool(options)
      const broker = new Broker({ connectionPool: pool, logger: SILENT, authenticationTimeout: timeoutMs, allowAutoTopicCreation: false })
      await broker.connect()
      return {
        range: (apiKey) => broker.versions?.[apiKey],
        async send(api, version, body) {
          if (!READ_ONLY.has(api.key)) throw new Error(`request ${api.key} is not read-only`)
          return pool.send({
            request: { apiKey: api.key, apiVersion: version, apiName: api.name, encode: async () => new Encoder().writeBuffer(body) },
            response: { decode: async (raw) => raw, parse: async (raw) => raw },
            logResponseError: false,
          })
        },
      }
    },
    destroy() {
      ended = true
      // An error, not a plain end: it is the one path on which kafkajs rejects what is in flight and clears all its timers.
      socket?.destroy(new Error('closed'))
    },
  }
}

/** What kafkajs asks of a socket. */
interface SocketFace {
  readonly on: (event: string, listener: (...values: never[]) => void) => void
  readonly write: (chunk: Buffer) => void
  readonly end: () => void
  readonly unref: () => void
  readonly setKeepAlive: () => void
}

/** Lets only whole, allowed requests out and only frames of a sane size in; everything else ends the connection. */
function guard(socket: Socket, tally: { requests: number; bytes: number }): SocketFace {
  const frames = watchFrames()
  return {
    on(event, listener) {
      if (event !== 'data') {
        socket.on(event, listener as (...values: unknown[]) => void)
        return
      }
      const pass = listener as unknown as (chunk: Buffer) => void
      socket.on('data', (chunk: Buffer) => {
        tally.bytes += chunk.length
        if (socket.destroyed) return
        if (frames(chunk)) pass(chunk)
        else socket.destroy(new Error(FRAME_TOO_LARGE))
      })
    },
    write(chunk) {
      const key = chunk.length >= 6 ? chunk.readInt16BE(4) : -1
      if (!READ_ONLY.has(key) && !LOGIN.has(key)) {
        socket.destroy(new Error(`request ${key} is not read-only`))
        return
      }
      tally.requests += 1
      tally.bytes += chunk.length
      socket.write(chunk)
    },
    end: () => socket.end(),
    unref: () => socket.unref(),
    setKeepAlive: () => socket.setKeepAlive(true),
  }
}

/**
 * Follows the length prefixes of a stream; false = a length no Kafka frame has. kafkajs trusts them: it would buffer without end,
 * and a length below four throws inside its data handler.
 */
export function watchFrames(maxBytes = MAX_FRAME_BYTES): (chunk: Buffer) => boolean {
  let body = 0
  let prefix = Buffer.alloc(0)
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      const skipped = Math.min(body, chunk.length - at)
      body -= skipped
      at += skipped
      if (at === chunk.length) break
      const wanted = chunk.subarray(at, at + 4 - prefix.length)
      prefix = Buffer.concat([prefix, wanted])
      at += wanted.length
      if (prefix.length < 4) break
      body = prefix.readInt32BE(0)
      prefix = Buffer.alloc(0)
      if (body < 4 || body > maxBytes) return false
    }
    return true
  }
}

interface Logger {
  readonly namespace: () => Logger
  readonly debug: () => void
  readonly info: () => void
  readonly warn: () => void
  readonly error: () => void
}
const nothing = (): void => undefined
/** Every failure comes back as a value; kafkajs's own log lines would only break into the terminal. */
const SILENT: Logger = { namespace: () => SILENT, debug: nothing, info: nothing, warn: nothing, error: nothing }

interface PrivateParts {
  readonly Broker: new (
    options: object,
  ) => { readonly versions: Record<number, VersionRange> | null; readonly connect: () => Promise<void> }
  readonly ConnectionPool: new (options: object) => { readonly send: (request: PrivateRequest) => Promise<Buffer> }
  readonly Encoder: new () => { readonly writeBuffer: (body: Buffer) => unknown }
}
interface PrivateRequest {
  readonly request: {
    readonly apiKey: number
    readonly apiVersion: number
    readonly apiName: string
    readonly encode: () => Promise<unknown>
  }
  readonly response: { readonly decode: (raw: Buffer) => Promise<Buffer>; readonly parse: (raw: Buffer) => Promise<Buffer> }
  readonly logResponseError: boolean
}

let parts: PrivateParts | null = null

/** Loaded at the first connection, so that a replay never pays for it. */
function kafkajs(): PrivateParts {
  if (parts !== null) return parts
  const require = createRequire(import.meta.url)
  calmTimers(require('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue })
  parts = {
    Broker: require('kafkajs/src/broker') as PrivateParts['Broker'],
    ConnectionPool: require('kafkajs/src/network/connectionPool') as PrivateParts['ConnectionPool'],
    Encoder: require('kafkajs/src/protocol/encoder') as PrivateParts['Encoder'],
  }
  return parts
}

interface RequestQueue {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  readonly pending: readonly unknown[]
  checkPendingRequests: () => void
  scheduleCheckPendingRequests: () => void
}

/**
 * kafkajs re-arms a timer every millisecond for as long as a connection lives (about 3 % of a core with three brokers, and a
 * TimeoutNegativeWarning on Node 24). Arm it only while something waits: issue 1751 of tulios/kafkajs, fix never merged.
 */
function calmTimers(queue: { readonly prototype: RequestQueue }): void {
  queue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null) return
    const waitMs = this.throttledUntil - Date.now()
    if (waitMs <= 0 && this.pending.length === 0) return
    const recheckMs = 10
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null
        this.checkPendingRequests()
      },
      waitMs > 0 ? waitMs : recheckMs,
    )
  }
}
