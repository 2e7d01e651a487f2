/**
 * One driver's REST API: addresses, limits, and what a person is told where an answer is missing.
 *
 * Never asked: `/StreamingQuery/statistics`. Opening that page changes the driver's state (rig-spark.md T1).
 */
import type { Gap } from '../incident/evidence.ts'
import type { Traffic } from '../incident/findings.ts'
import { quoted } from '../incident/shell-word.ts'
import type { Answer, Failure } from './http.ts'
import { countTraffic, read } from './http.ts'
import { limitInFlight } from './http-limiter.ts'

export const SPARK_UI = 'spark-ui'

/** Shared by all looks of this process: at most 2 requests in flight per driver, however many diagnoses run. */
const limiter = limitInFlight(2)

const MIB = 1024 * 1024
/** 1,000 retained entries are 0.7 MB of jobs and 2.7 MB of stages; users raise retention a few times, not a hundred times. */
export const LIST_LIMITS: AskLimits = { maxBytes: 16 * MIB, timeoutMs: 4_000 }
export const SMALL_LIMITS: AskLimits = { maxBytes: 2 * MIB, timeoutMs: 2_500 }

export interface AskLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

export interface Asked<T> {
  /** Null = not seen; then `gaps` says why. */
  readonly value: T | null
  readonly gaps: readonly Gap[]
  readonly answer: Answer | null
  readonly failure: Failure | null
}

export interface Driver {
  /** `signal` names what is missing without this answer (a signal of the bundle), or null. */
  readonly ask: <T>(path: string, parse: (body: unknown) => T | null, what: string, limits: AskLimits) => Promise<Asked<T>>
  readonly traffic: () => readonly Traffic[]
}

/** `base` = configured address, e.g. http://driver:4040, or behind a proxy http://gateway/proxy/application_1. */
export function openDriver(base: string, signal: AbortSignal): Driver {
  const root = base.replace(/\/+$/, '')
  const shownRoot = withoutSecrets(root)
  const traffic = countTraffic()
  return {
    traffic: () => traffic.listed('driver'),
    async ask(path, parse, what, limits) {
      const url = `${root}${path}`
      const shown = quoted(`${shownRoot}${path}`)
      const got = await read(url, { signal, ...limits, limiter, traffic })
      if (!got.ok) return { value: null, gaps: [gapOf(got.failure, what, shown)], answer: null, failure: got.failure }
      const value = parseSafely(parse, got.answer.json)
      if (value === null) {
        return {
          value,
          gaps: [gap(`${what}: the answer has a form this version does not know`, `curl -s ${shown}`)],
          answer: got.answer,
          failure: null,
        }
      }
      return { value, gaps: [], answer: got.answer, failure: null }
    },
  }
}

export function gap(
  reason: string,
  mend?: string,
  extent: { readonly signal?: string; readonly from?: number; readonly to?: number } = {},
): Gap {
  const { signal, from, to } = extent
  return {
    source: SPARK_UI,
    signal: signal ?? null,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    reason,
    ...(mend === undefined ? {} : { mend }),
  }
}

function gapOf(failure: Failure, what: string, shown: string): Gap {
  return gap(`${what} not seen: ${failure.sentence}`, mendOf(failure, shown))
}

function mendOf(failure: Failure, shown: string): string {
  switch (failure.kind) {
    case 'refused':
      return 'spark: http://<driver host>:4040   # where the running application serves its UI; the next free port if several run there'
    case 'unauthorized':
    case 'forbidden':
      return 'let this host read the UI (spark.ui.view.acls, or the rule of the proxy before it)'
    case 'timed-out':
    case 'stopped':
      return `curl -s -m 10 ${shown} | head -c 300`
    default:
      return `curl -si ${shown} | head -20`
  }
}

/** Origin and path of an address: what people are shown must hold no login and no token (the queries that follow are ours). */
function withoutSecrets(address: string): string {
  const url = URL.parse(address)
  return url === null ? 'http://<driver host>:4040' : `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** A parser that meets a shape nobody thought of must not end the whole look. */
function parseSafely<T>(parse: (body: unknown) => T | null, body: unknown): T | null {
  try {
    return parse(body)
  } catch {
    return null
  }
}
