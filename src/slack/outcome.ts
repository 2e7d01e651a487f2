/**
 * What came of a call to Slack. The difference that counts: refused = it certainly did not happen; unknown = it may have. Only what is
 * certain is called refused: an answer of Slack that says no, or a connection that was never made.
 */
import { ErrorCode } from '@slack/web-api'
import type { Outcome } from '../workflow/incident-ports.ts'

export type Failure = Exclude<Outcome<never>, { kind: 'done' }>

export async function outcomeOf<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await call() }
  } catch (error) {
    return failureOf(error)
  }
}

export function failureOf(error: unknown): Failure {
  const { code, data, retryAfter, statusCode, original } = (typeof error === 'object' && error !== null ? error : {}) as Thrown
  if (code === ErrorCode.RateLimitedError) return refused('ratelimited', false, (retryAfter ?? 1) * 1000)
  if (code === ErrorCode.PlatformError) return saidNo(data)
  if (code === ErrorCode.HTTPError) return statusFailure(statusCode ?? 0)
  return neverSent(original ?? error) ? refused('unreachable', false) : unknown(error)
}

interface Thrown {
  readonly code?: string
  readonly data?: unknown
  readonly retryAfter?: number
  readonly statusCode?: number
  readonly original?: unknown
}

/** Slack says these when it does not know itself how far it came. */
const halfway = new Set(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable', 'unknown_error'])

/** They end when somebody mends something, not when the message changes; until then it is tried again and again. */
const mendable = new Set([
  'ratelimited',
  'rate_limited',
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
  'not_allowed_token_type',
  'access_denied',
  'accesslimited',
  'org_login_required',
  'ekm_access_denied',
  'team_added_to_org',
  'two_factor_setup_required',
  'message_limit_exceeded',
  'file_not_ready',
])

function saidNo(data: unknown): Failure {
  const {
    error,
    errors,
    response_metadata: about,
  } = (data ?? {}) as {
    readonly error?: unknown
    readonly errors?: unknown
    readonly response_metadata?: { readonly messages?: unknown }
  }
  // A page of a proxy, or half an answer, is what the library calls an error too.
  if (typeof error !== 'string' || !/^[a-z][a-z0-9_]{1,59}$/.test(error)) return { kind: 'unknown', why: 'the answer was not one of Slack' }
  if (halfway.has(error)) return { kind: 'unknown', why: error }
  const said = JSON.stringify([errors ?? [], about?.messages ?? []])
  const code = error === 'invalid_blocks' && /slack[ _]file/i.test(said) ? 'file_not_ready' : error
  return refused(code, !mendable.has(code))
}

/** What is in between us and Slack may refuse a call before Slack sees it; a server that fails may have carried it out. */
export function statusFailure(status: number): Failure {
  const certain = status >= 400 && status < 500 && status !== 408
  return certain ? refused(`http_${status}`, false) : { kind: 'unknown', why: `http_${status}` }
}

const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

function neverSent(error: unknown): boolean {
  for (let at: unknown = error, deep = 0; typeof at === 'object' && at !== null && deep < 5; deep++) {
    if (beforeSending.has(String((at as { code?: unknown }).code))) return true
    at = (at as { cause?: unknown }).cause
  }
  return false
}

/** Names the kind of error alone: its message may hold an address. */
function unknown(error: unknown): Failure {
  const { original } = error as { original?: unknown }
  const named = original ?? error
  return { kind: 'unknown', why: named instanceof Error ? named.name : 'an error without a name' }
}

export function refused(code: string, forGood: boolean, retryAfterMs: number | null = null): Failure {
  return { kind: 'refused', code, retryAfterMs, forGood }
}
