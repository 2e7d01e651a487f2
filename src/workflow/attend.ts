/**
 * Deals with what came in for a pipeline: each input moves its incident, or is refused with a reason for whoever sent it. Pure: the
 * store's `commit` makes it true, all or nothing; after a conflict everything is read and decided anew.
 */
import { admit } from '../incident/admit.ts'
import type { Incident, ProposalCard } from '../incident/incident.ts'
import type { Input, Press } from '../incident/input.ts'
import type { Routing } from '../incident/join.ts'
import { askFor, join } from '../incident/join.ts'
import { joinUnmapped } from '../incident/join-unmapped.ts'
import { moreText } from '../incident/more.ts'
import { passTime } from '../incident/pass-time.ts'
import type { Actor } from '../incident/trigger.ts'
import { decide } from '../signoff/decide.ts'
import type { Draft, Head } from '../signoff/ledger.ts'
import type { SignoffPolicy } from '../signoff/policy.ts'
import { afterDecision } from './after-decision.ts'

export interface House {
  readonly routing: Routing
  readonly signoff: SignoffPolicy
  /** The same trigger gives the same id, so that a repeated step opens the same incident. */
  readonly idOf: (input: Input) => string
  /** What the ledger keeps of a person. */
  readonly who: (person: Actor) => string
  /** Whether the ledger says that this proposal was put before its owners. */
  readonly vouched: (card: ProposalCard) => boolean
}

/** A sentence that only one person sees. */
export interface Answer {
  readonly key: string
  readonly to: Actor
  readonly channel: string
  readonly answerTo: string | null
  readonly text: string
}

export interface Attending {
  readonly incident: Incident | null
  readonly drafts: readonly Draft[]
  readonly answers: readonly Answer[]
}

export interface Arrived {
  readonly input: Input
  readonly deliveries: number
}

/** @param inputs in the order in which they came */
export function attend(incident: Incident | null, inputs: readonly Arrived[], head: Head, nowMs: number, house: House): Attending {
  let at: Attending = { incident: incident === null ? null : passTime(incident, nowMs), drafts: [], answers: [] }
  for (const { input, deliveries } of inputs) at = one(at, input, deliveries, head, nowMs, house)
  return at
}

function one(at: Attending, input: Input, deliveries: number, head: Head, nowMs: number, house: House): Attending {
  switch (input.kind) {
    case 'command':
    case 'alert':
      return { ...at, incident: join(at.incident, input, deliveries, nowMs, house.idOf(input), house.routing) }
    case 'admitted':
      return at.incident === null ? at : { ...at, incident: admit(at.incident, input, nowMs) }
    case 'unmapped':
      return { ...at, incident: joinUnmapped(at.incident, input, deliveries, nowMs, house.idOf(input), house.routing) }
    case 'press':
      return press(at, input, head, nowMs, house)
  }
}

const notVouched =
  'The ledger does not say that this proposal was put before its owners, so nothing was decided. Ask for a new diagnosis, and tell whoever runs Headwater.'

function press(at: Attending, input: Press, head: Head, nowMs: number, house: House): Attending {
  const answer = (text: string): Attending => {
    const { key, by, channel, answerTo } = input
    return { ...at, answers: [...at.answers, { key, to: by, channel, answerTo, text }] }
  }
  if (at.incident === null || at.incident.id !== input.incident) return answer('This button belongs to an incident that is closed.')
  const number = head.number + at.drafts.length + 1
  const decided = decide(at.incident, input, house.signoff, nowMs, number)
  if (decided.kind === 'refused') {
    const after = answer(decided.why)
    const waits = at.incident.revisions.some((one) => one.state === 'queued')
    return decided.looksAgain && !waits ? { ...after, incident: askFor(at.incident, input.key, null, nowMs) } : after
  }
  const { card, event, approvalsLeft } = decided
  if (!house.vouched(card)) return answer(notVouched)
  const details: Record<string, string> = { knob: card.proposal.action.knob, to: String(card.proposal.action.to) }
  if (input.more !== null) details.more = moreText(input.more)
  if (input.reason !== '') details.reason = input.reason
  if (event === 'approved') details.approvals_left = String(approvalsLeft)
  const { id, pipeline } = at.incident
  const draft: Draft = { atMs: nowMs, incident: id, pipeline, what: event, who: house.who(input.by), proposal: card.hash, details }
  return { ...at, incident: afterDecision(decided.incident, input, nowMs), drafts: [...at.drafts, draft] }
}
