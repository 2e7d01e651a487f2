/** What can move an incident from outside: a trigger, a press of a button, a channel that let us in, an alert of nobody. Stored before it is acknowledged. */
import type { More } from './more.ts'
import type { Actor, Trigger } from './trigger.ts'
import type { Unmapped } from './unmapped.ts'

export type Button = 'approve' | 'decline' | 'need_more' | 'applied' | 'withdraw' | 'taken_back'

export interface Press {
  readonly kind: 'press'
  readonly key: string
  readonly atMs: number
  readonly pipeline: string
  readonly incident: string
  readonly button: Button
  readonly by: Actor
  /** What Slack says of the presser, and what the directory says of the groups: decided on by `signoff/policy.ts`. */
  readonly presser: { readonly bot: boolean; readonly guest: boolean; readonly foreign: boolean; readonly groups: readonly string[] }
  readonly channel: string
  /** Message that was pressed. */
  readonly message: string
  /** Hash of the proposal on the button; '' = the button has none. */
  readonly hash: string
  readonly reason: string
  readonly more: More | null
  /** Where an answer for the presser alone can go, e.g. a response_url; null = by id. */
  readonly answerTo: string | null
}

/** The app became a member of a channel that it had been refused before. */
export interface Admitted {
  readonly kind: 'admitted'
  readonly key: string
  readonly atMs: number
  readonly pipeline: string
  readonly channel: string
}

export type Input = Trigger | Press | Admitted | Unmapped
