/**
 * What an incident's way needs from the outside world: a store whose changes are atomic, a queue, and a chat. Edge rooms implement
 * these; `app.ts` binds them; one contract suite per port runs over every implementation (`test/contract`).
 *
 * The rule behind all of it: a change of state, the inputs it has dealt with, the messages it wants, the jobs it asks for and its
 * ledger entries are written in one atomic step. A process that dies at any instruction leaves either all of it or nothing.
 */
import type { Incident } from '../incident/incident.ts'
import type { Input } from '../incident/input.ts'
import type { Actor } from '../incident/trigger.ts'
import type { Message } from '../report/message.ts'
import type { Entry, Head } from '../signoff/ledger.ts'

/** Work to be done at or after a time. Two jobs with the same key are one. */
export interface Job {
  readonly key: string
  readonly kind: JobKind
  /** Pipeline (attend), incident (diagnose, look, tick), or slot (send). */
  readonly of: string
  readonly dueAtMs: number
  /** Small values only, e.g. the revision. */
  readonly with: Readonly<Record<string, string | number>>
}

/** attend: deal with a pipeline's inputs; diagnose: collect and judge; look: recovery check; tick: expiry and close; send: bring a message up to date. */
export type JobKind = 'attend' | 'diagnose' | 'look' | 'tick' | 'send'

/** A message as it should stand in Slack now. Its slot is its identity for ever: one slot, one message. */
export interface Wanted {
  /** e.g. "i-20261130-orders-1/home", ".../companion/C123", ".../thread/verdict-3". */
  readonly slot: string
  readonly channel: string
  /** Slot of the message whose thread it belongs into; null = top level. */
  readonly under: string | null
  /** Rises with every change of the content: the version of the incident it was written with. */
  readonly edition: number
  readonly notBeforeMs: number
  /** Posted only if the message it stands under was first posted before this edition: a verdict that came by edit notifies nobody. */
  readonly onlyAfterEdit: number | null
  /** The message that its links without an address lead to; absent = it has none. `sinceMs` = when that one was last wanted anew. */
  readonly leadsTo?: { readonly slot: string; readonly channel: string; readonly sinceMs: number }
  /** Slot of the reply that happened before it in the same thread; absent = it is the first. Decides when it is posted, nothing else. */
  readonly after?: string
  /** Only this person sees it, once, and nothing depends on it; null = everyone. */
  readonly alone: { readonly actor: Actor; readonly answerTo: string | null } | null
  /** First line of the notification, plain text. */
  readonly text: string
  readonly body: Message
  /** Store key of a PNG, with its alternative text; null = no picture. */
  readonly picture: { readonly blob: string; readonly alt: string } | null
  /** Incident it belongs to: for logs. */
  readonly incident: string
}

/** How far a wanted message is. `newDelivery` in `send-step.ts` is what it begins as. */
export interface Delivery {
  readonly slot: string
  readonly state: 'planned' | 'sending' | 'sent' | 'refused' | 'unneeded'
  /** Slack's id of the message; null = none known yet. */
  readonly ts: string | null
  /** Edition that stands in Slack, and the one it was first posted with; 0 = none. */
  readonly edition: number
  readonly firstEdition: number
  /** Since when a call is under way whose outcome is not written down; null = none. */
  readonly sendingSinceMs: number | null
  /** When Slack was first looked through for a post of unknown outcome and did not show it; null = not yet. */
  readonly missedAtMs: number | null
  /** Begin of the first post that may have left a copy that is not removed yet; null = none. */
  readonly copiesSinceMs: number | null
  /** When copies are to be looked for: then none can appear any more; null = there are none. */
  readonly watchUntilMs: number | null
  /** When the message is to be written once more, because an edit of unknown outcome might come late and undo a newer one; null = none might. */
  readonly rewriteAtMs: number | null
  readonly attempts: number
  readonly retryAtMs: number | null
  /** Uploaded picture: store key and Slack's file id; `shown` = the message that stands in Slack has it. */
  readonly file: { readonly blob: string; readonly id: string; readonly sinceMs: number; readonly shown: boolean } | null
  /** Address of the message it leads to, as it was asked for when that one stood as `ts`; null = there is none; absent = not asked yet. */
  readonly address?: { readonly ts: string; readonly url: string | null }
  /** Since when it lets the replies before it go first; absent = it never had to. */
  readonly heldSinceMs?: number
  /** Why Slack refuses it; null = it does not. */
  readonly why: string | null
  /** Copies that were found and removed. */
  readonly removed: number
}

export interface Change {
  /** Marks of the inputs that this change has dealt with (see `Waiting`). They leave the inbox; their keys stay known. */
  readonly inputs: readonly string[]
  /** Inputs that nobody can deal with, among those above: kept to be looked at. */
  readonly aside: readonly Aside[]
  /** `version` is the one it was read at; 0 = it is new. A pipeline has one open incident: a second new one is a conflict. */
  readonly incident: { readonly value: Incident; readonly version: number } | null
  /** An edition that is not newer than the one its slot has changes nothing. */
  readonly messages: readonly Wanted[]
  readonly jobs: readonly Job[]
  /** `after` is the head the entries were chained to. */
  readonly ledger: { readonly after: Head; readonly entries: readonly Entry[] } | null
}

/** An input that could not be dealt with, and trying again would not help. */
export interface Aside {
  readonly input: Input
  readonly atMs: number
  /** The error, in one line. */
  readonly why: string
}

/** An input that nobody has dealt with yet. */
export interface Waiting {
  /** Says which input was read and how much of it: handed back as it is when the input has been dealt with. */
  readonly mark: string
  /** Alerts of one fingerprint and status in a row are one input: the newest. */
  readonly input: Input
  /** How often it arrived since it was last dealt with. */
  readonly deliveries: number
}

export interface Attended {
  readonly pipeline: string
  /** The open incident, or the newest closed one; null = there was none yet. */
  readonly incident: Incident | null
  readonly version: number
  /** Oldest first, at most the number asked for. */
  readonly inputs: readonly Waiting[]
  readonly head: Head
}

/**
 * Each call that changes something is one atomic step and may be repeated: after an error nobody knows whether it happened.
 * All throw HeadwaterError: store_unavailable, store_newer, store_mistaken, value_too_large.
 */
export interface Store {
  /**
   * Keeps an input for its pipeline; also asks for an "attend" job of that pipeline. 'known' = it was there or was dealt with.
   * @throws HeadwaterError inbox_full
   */
  readonly put: (input: Input) => Promise<'stored' | 'known'>
  readonly attend: (pipeline: string, most: number) => Promise<Attended>
  /** Inputs that were set aside, newest first; the store keeps a bounded number of them. */
  readonly aside: (most: number) => Promise<readonly Aside[]>
  readonly incident: (id: string) => Promise<{ readonly value: Incident; readonly version: number } | null>
  /** Those that changed last come first. */
  readonly incidents: (filter: { readonly state: 'open' | 'any'; readonly most: number }) => Promise<readonly Incident[]>
  /** All or nothing. 'conflict' = the incident, an input or the ledger moved meanwhile: read again and decide anew. */
  readonly commit: (change: Change) => Promise<'done' | 'conflict'>
  /**
   * Bytes under the SHA-256 of their content, hex; writing twice is writing once. They end a time after they were kept, but while an
   * incident is open no sooner than it does where it speaks of them (`keptFor`).
   */
  readonly keep: (bytes: Uint8Array) => Promise<string>
  readonly bytes: (key: string) => Promise<Uint8Array | null>
  /** Entries from a number on, ascending. */
  readonly ledger: (from: number, most: number) => Promise<readonly Entry[]>
  readonly head: () => Promise<Head>
  readonly wanted: (slot: string) => Promise<{ readonly wanted: Wanted; readonly delivery: Delivery } | null>
  /** Compare-and-set on the delivery as it was read: false = somebody else moved it. */
  readonly deliver: (before: Delivery, after: Delivery) => Promise<boolean>
  /** Takes the right to send in a channel for one call: null = free from then on, else the ms to wait. Paces by `everyMs`. */
  readonly turn: (channel: string, nowMs: number, everyMs: number) => Promise<number | null>
  /**
   * Jobs that a commit or put asked for and no queue has taken over yet, oldest first. Where inputs have waited for a minute,
   * whatever became of their job, another one is asked for.
   */
  readonly asked: (nowMs: number, most: number) => Promise<readonly Job[]>
  readonly handedOver: (keys: readonly string[]) => Promise<void>
  /** The person's salt for the ledger; `candidate` becomes it where there is none yet. null = it was erased. */
  readonly salt: (person: Actor, candidate: string) => Promise<string | null>
  /** For good: the person's entries in the ledger become nobody's, and the chain still holds. */
  readonly eraseSalt: (person: Actor) => Promise<void>
  readonly close: () => Promise<void>
}

/** @returns null = the job is done; else when the same job is to be run again, epoch ms: that counts as no failure */
export type Handle = (job: Job, signal: AbortSignal) => Promise<number | null>

export interface Queue {
  /**
   * Idempotent by key; a job that is done may be added again only under another key.
   * @throws HeadwaterError queue_unavailable
   */
  readonly add: (jobs: readonly Job[]) => Promise<void>
  /** Starts to work. A handler that throws a retryable error is called again later, with growing pauses; any other error ends the job. */
  readonly work: (handle: Handle) => Promise<void>
  /** Lets running jobs finish for `graceMs`, then hands them back. */
  readonly close: (graceMs: number) => Promise<void>
}

/** What came of a call to Slack. 'unknown' = it may or may not have happened: look before doing it again. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: string; readonly retryAfterMs: number | null; readonly forGood: boolean }
  | { readonly kind: 'unknown'; readonly why: string }

export interface Posting {
  readonly channel: string
  readonly threadTs: string | null
  readonly slot: string
  readonly edition: number
  readonly text: string
  readonly body: Message
  readonly picture: { readonly file: string; readonly alt: string } | null
}

/** Slack, as narrow as it can be. No call retries by itself. */
export interface Chat {
  readonly post: (posting: Posting) => Promise<Outcome<{ readonly ts: string }>>
  readonly edit: (posting: Posting & { readonly ts: string }) => Promise<Outcome<null>>
  readonly remove: (channel: string, ts: string) => Promise<Outcome<null>>
  /** Own messages that carry the slot in their metadata, oldest first. */
  readonly find: (at: {
    readonly channel: string
    readonly threadTs: string | null
    readonly slot: string
    readonly sinceMs: number
  }) => Promise<Outcome<readonly { readonly ts: string; readonly edition: number }[]>>
  /** A file that no channel shows yet; `ready` says whether a message may show it. */
  readonly upload: (png: Uint8Array, title: string) => Promise<Outcome<{ readonly file: string }>>
  readonly ready: (file: string) => Promise<Outcome<boolean>>
  /** Only this person sees it; it cannot be found again, so nothing may depend on it. */
  readonly tellAlone: (
    to: { readonly actor: Actor; readonly channel: string; readonly answerTo: string | null },
    text: string,
  ) => Promise<Outcome<null>>
  readonly permalink: (channel: string, ts: string) => Promise<Outcome<string>>
}
