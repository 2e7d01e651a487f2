/** What Slack brings to the app, and what became of it. */
import type { Fields } from '../json.ts'

export type ParcelKind = 'slash_commands' | 'interactive' | 'events_api'

export interface Parcel {
  readonly kind: ParcelKind
  readonly payload: Fields
  /** Whether the acknowledgement may carry an answer. */
  readonly answerable: boolean
  readonly retry: { readonly num: number; readonly reason: string } | null
}

export type Receipt =
  /** `body`: text, an object, or null for an empty acknowledgement. */
  | { readonly kind: 'acknowledged'; readonly body: unknown }
  /** `reason` in the words of X-Slack-Retry-Reason; `noRetry` = the app asked for none. */
  | {
      readonly kind: 'not_acknowledged'
      readonly reason: 'http_timeout' | 'http_error' | 'connection_failed' | 'timeout'
      readonly noRetry: boolean
    }

export interface Courier {
  readonly carry: (parcel: Parcel, torn: boolean) => Promise<Receipt>
}

export function notAcknowledged(reason: (Receipt & { kind: 'not_acknowledged' })['reason'], noRetry = false): Receipt {
  return { kind: 'not_acknowledged', reason, noRetry }
}

/** Slack waits so long for an acknowledgement. */
export const ACKNOWLEDGE_WITHIN_MS = 3_000
