/** One request of a sender of alerts, from its first header to its answer. Nothing is acknowledged before it is stored. */
import type { IncomingMessage } from 'node:http'
import type { Credentials } from '../config/config.ts'
import { within } from '../within.ts'
import type { Answer } from './answer.ts'
import { unprovenByBody, unprovenByHeaders } from './authenticate.ts'
import type { Format } from './formats/format.ts'
import type { createGate } from './gate.ts'
import { tooMuchJson } from './json-shape.ts'
import { readBody } from './read-body.ts'
import type { Taken, TakePorts } from './take-alerts.ts'
import { takeAlerts } from './take-alerts.ts'

export interface Door {
  readonly format: Format
  readonly credentials: Credentials
}

export interface WebhookLimits {
  readonly bodyBytes: number
  /** Longer, and the store is taken for away. */
  readonly storeMs: number
}

/** `answer` null = nobody is there any more to hear one. */
export interface Outcome {
  readonly name: string
  readonly answer: Answer | null
  /** For the log: why it was refused, in fixed words. */
  readonly why?: string
  readonly error?: unknown
  readonly taken?: Taken
}

export async function answerWebhook(
  request: IncomingMessage,
  door: Door,
  ports: TakePorts,
  gate: ReturnType<typeof createGate>,
  limits: WebhookLimits,
): Promise<Outcome> {
  const early = refusedByHeaders(request, door, limits, ports.nowMs())
  if (early !== null) return early
  const place = gate.enter(() => request.destroy())
  if (place === null) return again('busy', 1, 'too many requests at once; try again')
  try {
    const body = await readBody(request, limits.bodyBytes)
    if (body.kind === 'cut') return { name: 'cut', answer: null, why: 'the connection ended before the body did' }
    if (body.kind === 'too large') return tooLarge(limits)
    place.arrived()
    const unproven = unprovenByBody(door.format.proof, door.credentials, request.headers, body.bytes)
    if (unproven !== null) return unauthorised(unproven, door)
    const parsed = parseJson(body.bytes)
    if ('say' in parsed) return mistaken('not_json', parsed.say)
    return await stored(door.format, parsed.value, ports, limits)
  } finally {
    place.leave()
  }
}

async function stored(format: Format, body: unknown, ports: TakePorts, limits: WebhookLimits): Promise<Outcome> {
  let taken: Awaited<ReturnType<typeof takeAlerts>>
  try {
    taken = await within(() => takeAlerts(format, body, ports), limits.storeMs)
  } catch (error) {
    return { ...again('store_away', 5, 'the alerts could not be stored; send them again'), error }
  }
  if (taken.kind === 'mistaken') return mistaken('mistaken', taken.say)
  const { kind: _, ...counts } = taken
  return { name: 'stored', answer: { status: 202, body: counts }, taken }
}

function refusedByHeaders(request: IncomingMessage, door: Door, limits: WebhookLimits, nowMs: number): Outcome | null {
  const { headers } = request
  if (request.method !== 'POST') {
    return { name: 'not_post', answer: { status: 405, body: { error: 'send POST' }, headers: { Allow: 'POST' } }, why: 'not POST' }
  }
  const unproven = unprovenByHeaders(door.format.proof, door.credentials, headers, nowMs)
  if (unproven !== null) return unauthorised(unproven, door)
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) return tooLarge(limits)
  if (headers['content-encoding'] !== undefined) return unsupported('send the body as it is, without Content-Encoding')
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (!/^application\/([\w.-]+\+)?json$/.test(type.trim())) return unsupported('send Content-Type: application/json')
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([\w-]+)"?\s*$/.exec(one)?.[1]).find((one) => one !== undefined)
  return charset === undefined || /^(utf-?8|us-ascii)$/.test(charset) ? null : unsupported('send the body in UTF-8')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): { readonly value: unknown } | { readonly say: string } {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { say: 'the body is not UTF-8' }
  }
  const tooMuch = tooMuchJson(text)
  if (tooMuch !== null) return { say: `the body is ${tooMuch.startsWith('nested') ? tooMuch : `too large: ${tooMuch}`}` }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    const place = / at position (\d+)/.exec((error as Error).message)?.[1]
    return { say: `the body is no JSON${place === undefined ? '' : `, see its character ${Number(place) + 1}`}` }
  }
}

function unauthorised(why: string, door: Door): Outcome {
  const scheme = door.credentials.kind === 'basic' ? 'Basic realm="headwater"' : 'Bearer'
  const headers = door.format.proof.kind === 'shared_secret' ? { 'WWW-Authenticate': scheme } : {}
  return { name: 'unauthorised', answer: { status: 401, body: { error: 'unauthorised' }, headers }, why }
}

function mistaken(name: string, say: string): Outcome {
  return { name, answer: { status: 400, body: { error: say } }, why: name === 'mistaken' ? 'not the body of this format' : 'no JSON' }
}

function tooLarge({ bodyBytes }: WebhookLimits): Outcome {
  const error = `the body is larger than ${bodyBytes.toLocaleString('en-US')} bytes; send fewer alerts at once (max_alerts)`
  return { name: 'too_large', answer: { status: 413, body: { error } }, why: 'body too large' }
}

function unsupported(error: string): Outcome {
  return { name: 'content_type', answer: { status: 415, body: { error } }, why: 'content type' }
}

/** A sender comes again after 503; after 429 neither Alertmanager nor Datadog would. */
function again(name: string, afterSeconds: number, error: string): Outcome {
  return { name, answer: { status: 503, body: { error }, headers: { 'Retry-After': String(afterSeconds) } }, why: name }
}
