/**
 * One incident of one pipeline, from the first trigger to its close: everything that must survive a restart, as one value.
 * `join.ts`, `conclude.ts` and the files beside them move it; nothing else does. Times are epoch milliseconds.
 */
import type { Knob } from './knob.ts'
import type { More } from './more.ts'
import type { Place } from './place.ts'
import type { Proposal, Remedy } from './proposal.ts'
import type { Actor, Trigger } from './trigger.ts'

/** Version of this shape: a program of version N reads N - 1 as well. */
export const incidentVersion = 1

/** A place in Slack where this incident is told. The first is its home; others asked for it. */
export interface Telling {
  readonly channel: string
  readonly role: 'home' | 'companion'
  readonly sinceMs: number
  /** A home asked for by a command is posted at once; one of an alert waits for the verdict, but no longer than until then. */
  readonly notBeforeMs: number
  /** When the channel last let the app in that it had refused before; null = it never had to. */
  readonly admittedAtMs: number | null
}

/** A diagnosis, asked for or made. The number only rises; an older one never replaces a newer one. */
export interface Revision {
  readonly number: number
  readonly askedAtMs: number
  /** Key of the trigger that asked for it, or why Headwater itself did. */
  readonly askedBy: string
  /** An alert asked for it, no person; absent = Headwater itself or a press did, or it was asked for before this was kept. */
  readonly byAlert?: boolean
  readonly sinceMs: number | null
  readonly state: 'queued' | 'done' | 'failed'
  /** Waits for what only a heartbeat shows; absent = it does not. */
  readonly thorough?: true
}

/** What of a verdict the incident itself remembers; all of it is in the bundle. */
export interface VerdictNote {
  readonly revision: number
  /** An alert asked for it, no person; absent = it was concluded before this was kept. */
  readonly byAlert?: boolean
  /** The first of the revisions in a row that concluded the same. */
  readonly sameSince: number
  readonly atMs: number
  /** Key of the frozen evidence in the store: the SHA-256 of its bytes, hex. */
  readonly bundle: string
  /** Key of its chart for the message; null = it could not be drawn. */
  readonly chart: string | null
  /** Key of its chart for a screen, with all that the other has no room for. */
  readonly wholeChart: string | null
  /** Version of the incident with which it arrived. */
  readonly edition: number
  readonly outcome: 'cause' | 'none' | 'inconclusive'
  readonly cause: string | null
  readonly place: Place
  readonly headline: string
}

export type ProposalState = 'open' | 'approved' | 'applied' | 'declined' | 'withdrawn' | 'superseded' | 'expired'

export interface Decision {
  readonly what: 'approve' | 'decline' | 'need_more' | 'applied' | 'withdraw' | 'taken_back'
  readonly by: Actor
  readonly atMs: number
  /** '' = none given. */
  readonly reason: string
  /** Number of its entry in the ledger, and the first digits of that entry's digest: shown in Slack, outside the store. */
  readonly ledger: number
  readonly anchor: string
  /** Of "need more": what was chosen, and the key of the evidence that the verdict rested on then; absent = none of these. */
  readonly more?: { readonly choice: More; readonly evidence: string | null }
}

export interface ProposalCard {
  readonly proposal: Proposal
  readonly hash: string
  readonly revision: number
  /** Key of the frozen evidence it was made from: what a recovery is judged against. */
  readonly bundle: string
  readonly state: ProposalState
  /** What the recovery check of it said; null = it was not applied, is being checked, or was taken back before it was judged. */
  readonly outcome: RecoveryOutcome | null
  readonly openedAtMs: number
  /** When a look last found what it rests on, epoch ms; absent = when it was opened. */
  readonly seenAtMs?: number
  /** The how many-th time it is that this text is put before its owners, from 1; absent = as many as stand before it say. */
  readonly opening?: number
  readonly expiresAtMs: number
  /** Everyone who had asked for this incident by then. */
  readonly requesters: readonly Actor[]
  readonly decisions: readonly Decision[]
}

export type RecoveryOutcome = 'recovered' | 'moved' | 'no_effect' | 'worse' | 'not_applied' | 'by_itself' | 'cannot_tell'

/** One of the planned looks, made. */
export interface RecoveryLook {
  readonly plannedMs: number
  readonly atMs: number
  /** Key of what it saw; null = it saw nothing. */
  readonly bundle: string | null
  readonly says: string
}

export interface RecoveryCheck {
  readonly hash: string
  readonly appliedAtMs: number
  /** Planned looks, epoch ms, ascending. */
  readonly planned: readonly number[]
  /** Those that were made before the outcome, in the order of their plan. */
  readonly looks: readonly RecoveryLook[]
  readonly outcome: RecoveryOutcome | null
  /** One line; '' = there is no outcome yet. */
  readonly says: string
  /** What the outcome rests on, line by line. */
  readonly reasons: readonly string[]
  /** Before and after in one picture, with its words; null = there is no outcome yet, or it could not be drawn. */
  readonly chart: { readonly blob: string; readonly alt: string } | null
}

export interface Incident {
  readonly v: typeof incidentVersion
  readonly id: string
  readonly pipeline: string
  readonly state: 'open' | 'closed'
  readonly openedAtMs: number
  readonly closedAtMs: number | null
  readonly closedBecause: 'recovered' | 'resolved' | 'quiet' | null
  /** The first, and the newest last, at most `mostTriggers`; `triggersBefore` counts those that were let go between. */
  readonly triggers: readonly Trigger[]
  readonly triggersBefore: number
  readonly lastTriggerMs: number
  /** Everyone who asked for it, each once; absent = it was stored before this was kept (see `requestersOf`). */
  readonly requesters?: readonly Actor[]
  /** Alerts by fingerprint that fire at present or fired, at most `mostAlerts`; newest state and how often it was delivered. */
  readonly alerts: Readonly<Record<string, { readonly status: 'firing' | 'resolved'; readonly atMs: number; readonly deliveries: number }>>
  /** Those that are not among them any more, or never were as there was no room, and how many of them fire; absent = none. */
  readonly alertsBeyond?: { readonly count: number; readonly firing: number }
  readonly tellings: readonly Telling[]
  /** Newest last, at most `mostRevisions` of those that are made. */
  readonly revisions: readonly Revision[]
  readonly verdict: VerdictNote | null
  /** The verdict before the newest one, where its conclusion was another. */
  readonly verdictBefore: VerdictNote | null
  readonly remedy: Remedy | null
  /** Newest last: at most one of them is open or approved. Of those that nobody decided on and that are void, the newest `mostVoid`. */
  readonly proposals: readonly ProposalCard[]
  /** Of those that were let go, by hash: the how many-th time that was, of the last of them; absent = none was. */
  readonly openingsBefore?: Readonly<Record<string, number>>
  readonly recovery: RecoveryCheck | null
  /** Changes that were applied in the incidents before this one, oldest first; absent = none. */
  readonly triedBefore?: readonly Tried[]
}

/** A change that was applied. */
export interface Tried {
  readonly knob: Knob
  readonly to: number
  readonly appliedAtMs: number
  /** null = its recovery check is under way, or was never made. */
  readonly outcome: RecoveryOutcome | null
  /** It is in force no longer; absent = as far as is known it is. */
  readonly takenBack?: true
}

export const mostTriggers = 50
export const mostAlerts = 500
export const mostRevisions = 20
export const mostVoid = 10
