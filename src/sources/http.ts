/**
 * A bounded HTTP reader: GET only, few requests at a time, never more bytes or seconds than allowed.
 *
 * What is looked at may be ill: a user interface that hangs, a proxy that answers its login page with 200, a list that grew to
 * 27 MB. So every read has a time limit, a limit on wire bytes and on decompressed bytes, and ends in a value: the JSON, or a
 * failure with one sentence an on-call engineer understands. Nothing here throws.
 */

import type { Readable, Transform } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import { Agent, request } from 'undici'
import type { Traffic } from '../incident/findings.ts'
import type { Limiter } from './http-limiter.ts'

export type FailureKind =
  | 'refused'
  | 'timed-out'
  | 'stopped'
  | 'too-large'
  | 'not-json'
  | 'redirected'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'server-error'
  | 'odd-status'
  | 'broken'

export interface Failure {
  readonly kind: FailureKind
  /** Plain words, e.g. "http://driver:4040 refused the connection". No path beyond the resource, no headers, no body. */
  readonly sentence: string
  readonly status?: number
}

export interface Answer {
  readonly json: unknown
  /** Our clock: when the request left and when the body was complete, epoch ms. */
  readonly sentMs: number
  readonly answeredMs: number
  /** The other side's clock from the Date header (whole seconds), epoch ms; null = no such header. */
  readonly dateMs: number | null
  /** Bytes on the wire (compressed). */
  readonly bytes: number
}

export type Read = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly failure: Failure }

export interface ReadOptions {
  readonly signal: AbortSignal
  /** Largest decompressed body. The wire may not carry more than this either. */
  readonly maxBytes: number
  /** From leaving the queue to the last byte. */
  readonly timeoutMs: number
  readonly limiter: Limiter
  /** Where requests and bytes are counted. */
  readonly traffic?: TrafficCount
}

/** Requests and bytes by address, filled by `read`. */
export interface TrafficCount {
  readonly count: (origin: string, requests: number, bytes: number) => void
  readonly listed: (label: string) => readonly Traffic[]
}

export function countTraffic(): TrafficCount {
  const byOrigin = new Map<string, { requests: number; bytes: number }>()
  return {
    count(origin, requests, bytes) {
      const seen = byOrigin.get(origin) ?? { requests: 0, bytes: 0 }
      byOrigin.set(origin, { requests: seen.requests + requests, bytes: seen.bytes + bytes })
    },
    listed: (label) => [...byOrigin].map(([origin, seen]) => ({ to: `${label} ${new URL(origin).host}`, ...seen })),
  }
}

/** Idle sockets are unreferenced by undici, so this never keeps the process alive. */
const agent = new Agent({ connections: 2, pipelining: 1, keepAliveTimeout: 4_000, connect: { timeout: 3_000 } })

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** GET `url` and parse JSON. Follows one redirect on the same origin (Spark sends `/metrics/json` to `/metrics/json/`). */
export async function read(url: string, options: ReadOptions): Promise<Read> {
  const target = parseUrl(url)
  if (target === null) return fail('broken', `"${url}" is not an http address`)
  const first = await once(target, options)
  if (!('moved' in first)) return first
  const next = parseUrl(first.moved, target)
  if (next === null || next.origin !== target.origin) {
    return fail(
      'redirected',
      `${target.origin} sends readers on to ${next?.origin ?? 'an unreadable address'}; if that is where it lives now, configure that address`,
    )
  }
  const second = await once(next, options)
  return 'moved' in second ? fail('redirected', `${target.origin} keeps redirecting`) : second
}

type Once = Read | { readonly moved: string }

async function once(target: URL, options: ReadOptions): Promise<Once> {
  const { limiter, signal, traffic } = options
  const slot = await limiter.enter(target.origin, signal)
  if (slot === null) return fail('stopped', `time was up before ${target.origin} could be asked for ${resource(target)}`)
  const sentMs = Date.now()
  const timeout = AbortSignal.timeout(options.timeoutMs)
  let bytes = 0
  try {
    const response = await request(target, {
      method: 'GET',
      dispatcher: agent,
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'headwater' },
    })
    const { statusCode, headers, body } = response
    const location = header(headers.location)
    const refusal = judge(statusCode, target)
    const wrongType = statusCode === 200 ? notJson(header(headers['content-type']), target) : null
    const tooLong = Number(header(headers['content-length']) ?? 0) > options.maxBytes
    if (REDIRECTS.has(statusCode) || refusal !== null || wrongType !== null || tooLong) {
      body.on('error', () => undefined).destroy()
      if (REDIRECTS.has(statusCode) && location !== null) return { moved: location }
      return refusal ?? wrongType ?? tooLarge(target, options.maxBytes)
    }
    const text = await readText(body, header(headers['content-encoding']), options.maxBytes, (n) => {
      bytes += n
    })
    if (text === null) return tooLarge(target, options.maxBytes)
    const answeredMs = Date.now()
    const json = parseJson(text)
    if (json === undefined)
      return fail('not-json', `${target.origin} answered ${resource(target)} with something that is not JSON (it may still be starting)`)
    return { ok: true, answer: { json, sentMs, answeredMs, dateMs: parseDate(header(headers.date)), bytes } }
  } catch (cause) {
    return explain(cause, target, options.signal, timeout, options.timeoutMs)
  } finally {
    traffic?.count(target.origin, 1, bytes)
    slot.leave(Date.now() - sentMs)
  }
}

/** Collects the body as text; null when it passes `maxBytes` on the wire or decompressed (a small gzip can be a huge body). */
async function readText(
  body: Readable,
  encoding: string | null,
  maxBytes: number,
  onWire: (bytes: number) => void,
): Promise<string | null> {
  const decoder: Transform | null = encoding === 'gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : null
  let wire = 0
  body.on('data', (chunk: Buffer) => {
    wire += chunk.length
    onWire(chunk.length)
  })
  const plain = decoder === null ? body : body.pipe(decoder)
  if (decoder !== null) body.once('error', (cause) => decoder.destroy(cause))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes || wire > maxBytes) return null
      chunks.push(chunk)
    }
  } finally {
    body.on('error', () => undefined).destroy()
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

function judge(status: number, target: URL): Read | null {
  const what = resource(target)
  if (status === 200 || REDIRECTS.has(status)) return null
  if (status === 401) return fail('unauthorized', `${target.origin} wants a login for ${what} (401)`, status)
  if (status === 403) return fail('forbidden', `${target.origin} does not let us read ${what} (403)`, status)
  if (status === 404) return fail('not-found', `${target.origin} has no ${what} (404)`, status)
  if (status >= 500) return fail('server-error', `${target.origin} answered ${what} with an internal error (${status})`, status)
  return fail('odd-status', `${target.origin} answered ${what} with status ${status}`, status)
}

/** A proxy's login page, or Spark's own page for an unknown path, comes as HTML with 200. No content type at all is let through. */
function notJson(contentType: string | null, target: URL): Read | null {
  if (contentType === null || /json/i.test(contentType)) return null
  const kind = contentType.split(';')[0]?.trim() ?? ''
  return fail(
    'not-json',
    `${target.origin} answered ${resource(target)} with ${kind === 'text/html' ? 'an HTML page' : kind}, not JSON (a login page, a proxy, or an application that is still starting)`,
    200,
  )
}

function explain(cause: unknown, target: URL, signal: AbortSignal, timeout: AbortSignal, timeoutMs: number): Read {
  if (signal.aborted) return fail('stopped', `time was up before ${target.origin} answered ${resource(target)}`)
  const code = codeOf(cause)
  if (
    timeout.aborted ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ETIMEDOUT' ||
    code === 'UND_ERR_HEADERS_TIMEOUT' ||
    code === 'UND_ERR_BODY_TIMEOUT'
  ) {
    return fail('timed-out', `${target.origin} did not answer ${resource(target)} within ${seconds(timeoutMs)}`)
  }
  if (code === 'ECONNREFUSED') return fail('refused', `${target.origin} refused the connection: nothing listens there`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return fail('refused', `the name ${target.hostname} is not known here`)
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return fail('refused', `${target.origin} cannot be reached from here`)
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE')
    return fail('broken', `${target.origin} broke off the answer to ${resource(target)}`)
  return fail('broken', `${resource(target)} of ${target.origin} could not be read (${code ?? 'unreadable answer'})`)
}

function fail(kind: FailureKind, sentence: string, status?: number): Extract<Read, { ok: false }> {
  return { ok: false, failure: status === undefined ? { kind, sentence } : { kind, sentence, status } }
}

function tooLarge(target: URL, maxBytes: number): Read {
  return fail(
    'too-large',
    `${resource(target)} of ${target.origin} is larger than ${Math.round(maxBytes / 1024)} KiB and was not read to the end`,
  )
}

/** The last part of the path: what a person calls it ("stages", "taskList"). */
function resource(target: URL): string {
  const parts = target.pathname.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? 'the page'
}

const seconds = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000} s` : `${(ms / 1000).toFixed(1)} s`)

function parseUrl(text: string, base?: URL): URL | null {
  try {
    const url = new URL(text, base)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function parseDate(text: string | null): number | null {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}

function header(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Node and undici put the code on the error, or on its cause, or on the first of several (both address families refused). */
function codeOf(cause: unknown): string | null {
  if (typeof cause !== 'object' || cause === null) return null
  const { code, cause: inner, errors } = cause as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string' && code !== '') return code
  if (Array.isArray(errors)) return codeOf(errors[0])
  return inner === undefined ? null : codeOf(inner)
}
