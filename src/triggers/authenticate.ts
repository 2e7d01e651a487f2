/**
 * Whether a request comes from the sender that was given the secret. Comparisons take the same time whatever is wrong, and a signature is
 * checked over the bytes as they came. Why it fails is for our log: the sender is told nothing but 401.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Credentials } from '../config/config.ts'
import type { Proof } from './formats/format.ts'

export type Unproven =
  | 'no credentials'
  | 'wrong credentials'
  | 'no signature header'
  | 'no timestamp header'
  | 'timestamp outside of the window'
  | 'wrong signature'

/** How far a signed time may be from ours, either way: longer, and a copied request could be sent again. */
export const replayWindowMs = 5 * 60_000

/** What can be told before the body is read. @returns null = nothing speaks against reading it */
export function unprovenByHeaders(proof: Proof, secret: Credentials, headers: IncomingHttpHeaders, nowMs: number): Unproven | null {
  if (proof.kind === 'shared_secret') return unprovenByAuthorization(secret, headers.authorization)
  if (single(headers[proof.header]) === null) return 'no signature header'
  const timestamp = single(headers[proof.timestampHeader])
  if (timestamp === null) return 'no timestamp header'
  const seconds = /^\d{1,11}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  return Math.abs(seconds * 1000 - nowMs) <= replayWindowMs ? null : 'timestamp outside of the window'
}

/** What only the body can tell, once the headers are in order. @returns null = it is who it says */
export function unprovenByBody(proof: Proof, secret: Credentials, headers: IncomingHttpHeaders, body: Uint8Array): Unproven | null {
  if (proof.kind === 'shared_secret') return null
  if (secret.kind !== 'signature') return 'wrong credentials'
  const signed = createHmac('sha256', secret.secret)
    .update(`${single(headers[proof.timestampHeader])}:`)
    .update(body)
    .digest()
  const shown = (single(headers[proof.header]) ?? '').replace(/^sha256=/, '')
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(shown) ? shown : '', 'hex')
  return same(signed, given) ? null : 'wrong signature'
}

function unprovenByAuthorization(secret: Credentials, header: string | undefined): Unproven | null {
  if (header === undefined) return 'no credentials'
  const [, scheme = '', shown = ''] = /^(\S+) +(\S+)$/.exec(header.trim()) ?? []
  const given = scheme.toLowerCase() === 'basic' ? Buffer.from(shown, 'base64') : Buffer.from(shown)
  const wanted = secret.kind === 'basic' ? `${secret.username}:${secret.password}` : secret.kind === 'bearer' ? secret.token : null
  const schemeFits = scheme.toLowerCase() === secret.kind
  const fits = same(Buffer.from(wanted ?? ''), given)
  return wanted !== null && schemeFits && fits ? null : 'wrong credentials'
}

/** Of equal length once hashed, so that not even the length of the secret shows in the time it takes. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** A header that came twice proves nothing. */
function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header.trim() : null
}
