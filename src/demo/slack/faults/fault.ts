/** What can go wrong, as people report it of the real Slack. `after` says whether Slack had already done what was asked. */
import type { Fields } from '../json.ts'

export type After = 'nothing' | 'work'

/** For a call of the app to Slack. */
export type CallFault =
  /** ok:false with this error. */
  | { readonly kind: 'refuse'; readonly error: string; readonly with?: Fields }
  /** HTTP 429 with Retry-After. */
  | { readonly kind: 'rate_limit'; readonly seconds: number }
  /** Another HTTP status, e.g. 500, 503, or a 302 of a proxy. */
  | { readonly kind: 'status'; readonly status: number; readonly after: After }
  /** 200 with a page instead of JSON. */
  | { readonly kind: 'html'; readonly after: After }
  /** The connection is torn. */
  | { readonly kind: 'cut'; readonly after: After }
  /** No answer ever comes. */
  | { readonly kind: 'hang'; readonly after: After }
  /** The answer, or with `after: 'nothing'` the work too, is late. */
  | { readonly kind: 'late'; readonly ms: number; readonly after: After }
  /** The work is done twice; the answer names the second. */
  | { readonly kind: 'twice' }
  /** ok:true, but the share of a file never lands. */
  | { readonly kind: 'no_share' }

/** For what Slack delivers to the app: slash commands, interactions, events. */
export type DeliveryFault =
  /** It never arrives: Slack waits in vain. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'late'; readonly ms: number }
  /** It arrives twice. */
  | { readonly kind: 'double' }
  /** It arrives only after the next one. */
  | { readonly kind: 'after_next' }
  /** The app's acknowledgement is lost. */
  | { readonly kind: 'lose_ack' }
  /** Socket Mode: the socket breaks in the middle of the frame. */
  | { readonly kind: 'tear' }
  /** Socket Mode, on "socket.hello": it is never said. */
  | { readonly kind: 'silence' }

export type Fault = CallFault | DeliveryFault

/** When a fault strikes. */
export interface Rule<F extends Fault = Fault> {
  /**
   * A method ("chat.postMessage"), "upload", "response_url", "deliver.slash_commands", "deliver.interactive", "deliver.events_api",
   * "socket.hello", "socket.open", or a start with a star ("chat.*", "deliver.*", "*").
   */
  readonly on: string
  readonly fault: F
  /** Strikes so often; default 1. */
  readonly times?: number
  /** Lets so many matching ones pass before; default 0. */
  readonly skip?: number
  /** Strikes with this chance, drawn from the seed; default 1. */
  readonly chance?: number
  /** Strikes only where this holds for the arguments or the payload. */
  readonly where?: (about: Fields) => boolean
}
