/**
 * The connection to Slack's Web API, without the library's own retries: after a lost answer they would post a message twice. Each client has
 * options of its own, because the library writes into what it is given.
 */
import type { WebClientOptions } from '@slack/web-api'
import { WebClient } from '@slack/web-api'
import type { Log } from '../log.ts'
import { libraryLog } from './library-log.ts'

export interface ApiOptions {
  readonly botToken: string
  /** Address of the Web API; undefined = Slack's own. */
  readonly apiUrl: string | undefined
  readonly log: Log
  /** Less than the sender waits for the outcome of a call. */
  readonly timeoutMs?: number
}

const usualTimeoutMs = 8_000

export function clientOptions({ apiUrl, log, timeoutMs = usualTimeoutMs }: Omit<ApiOptions, 'botToken'>): WebClientOptions {
  return {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    logger: libraryLog(log),
  }
}

export const webClient = (options: ApiOptions): WebClient => new WebClient(options.botToken, clientOptions(options))

/** Where bytes of ours may go besides the API itself: to Slack, or to whoever stands in for it. */
export function isOfSlack(address: string, apiUrl: string | undefined): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  if (apiUrl !== undefined && url.origin === URL.parse(apiUrl)?.origin) return true
  return url.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(url.hostname)
}
