/**
 * A press of a button moves a proposal, or is refused with a reason that only its presser sees. Pure: what the incident says now
 * decides, never what the pressed message showed; two presses at once are two calls one after the other.
 */
import { duration } from '../incident/format.ts'
import type { Decision, Incident, ProposalCard, ProposalState } from '../incident/incident.ts'
import { incidentRules } from '../incident/incident-rules.ts'
import type { Button, Press } from '../incident/input.ts'
import { newestOpening } from '../incident/openings.ts'
import { isIntact } from '../incident/proposal.ts'
import { requestersOf } from '../incident/requesters.ts'
import type { LedgerEvent } from './ledger.ts'
import type { SignoffPolicy } from './policy.ts'
import { mayPress } from './policy.ts'

export type Decided =
  | {
      readonly kind: 'decided'
      readonly incident: Incident
      readonly card: ProposalCard
      readonly event: LedgerEvent
      /** Other owners who still have to approve; 0 = it is approved. */
      readonly approvalsLeft: number
    }
  /** looksAgain = what it rests on is too old to decide on, and is to be looked at anew. */
  | { readonly kind: 'refused'; readonly why: string; readonly looksAgain: boolean }

const events: Readonly<Record<Button, LedgerEvent>> = {
  approve: 'approved',
  decline: 'declined',
  need_more: 'more_wanted',
  applied: 'applied',
  withdraw: 'withdrawn',
  taken_back: 'taken_back',
}

/** States from which a button moves a proposal. */
const from: Readonly<Record<Button, readonly ProposalState[]>> = {
  approve: ['open'],
  decline: ['open'],
  need_more: ['open'],
  applied: ['approved'],
  withdraw: ['open', 'approved'],
  // While it is checked as well: a proposal says when to stop.
  taken_back: ['applied'],
}

/** @param ledger number that the entry of this decision will have */
export function decide(incident: Incident, press: Press, policy: SignoffPolicy, nowMs: number, ledger: number): Decided {
  const card = newestOpening(incident, press.hash)
  if (card === undefined) return refused('This button belongs to a proposal that is not known any more.')
  const permission = mayPress(press, policy, requestersOf(incident))
  if (!permission.may) return refused(permission.why)
  if (!isIntact(card)) return refused(changedInStore)
  const moved = whyNot(incident, card, press.button, nowMs)
  if (moved !== null) return refused(moved)
  if (press.button === 'approve') {
    const old = oldEvidence(incident, card, nowMs)
    if (old !== null) return old
  }
  if (press.button === 'decline' && press.reason.trim() === '')
    return refused('A decline needs a reason, so that the next proposal can be better.')
  if (press.button === 'approve' && approvers(card).has(person(press)))
    return refused('You have approved this already; another owner is needed.')
  if (press.button === 'need_more' && press.more === null) return refused('Please choose first what you need.')
  const more = press.more === null ? {} : { more: { choice: press.more, evidence: incident.verdict?.bundle ?? null } }
  const decision: Decision = { what: press.button, by: press.by, atMs: nowMs, reason: press.reason, ledger, anchor: '', ...more }
  const decided = { ...card, decisions: [...card.decisions, decision] }
  const approvalsLeft = Math.max(0, policy.approvals - approvers(decided).size)
  const after: ProposalCard = { ...decided, state: stateAfter(press.button, card.state, approvalsLeft) }
  const proposals = incident.proposals.map((one) => (one === card ? after : one))
  return { kind: 'decided', incident: { ...incident, proposals }, card: after, event: events[press.button], approvalsLeft }
}

function stateAfter(button: Button, state: ProposalState, approvalsLeft: number): ProposalState {
  if (button === 'approve') return approvalsLeft === 0 ? 'approved' : state
  if (button === 'need_more') return state
  return button === 'decline' ? 'declined' : button === 'applied' ? 'applied' : 'withdrawn'
}

const person = ({ by }: { by: { team: string; user: string } }) => `${by.team}/${by.user}`

function approvers(card: ProposalCard): ReadonlySet<string> {
  return new Set(card.decisions.filter((one) => one.what === 'approve').map(person))
}

/** What has changed since the pressed message was shown; null = nothing that stands in the way. */
function whyNot(incident: Incident, card: ProposalCard, button: Button, nowMs: number): string | null {
  // What people did is written down even after the end.
  if (incident.state === 'closed' && button !== 'applied' && button !== 'taken_back') return 'This incident is closed.'
  if (card.state === 'open' && card.expiresAtMs <= nowMs) {
    return `This proposal expired ${duration((nowMs - card.expiresAtMs) / 1000)} ago: the evidence is too old. Ask for a new diagnosis.`
  }
  if (from[button].includes(card.state)) return null
  const last = card.decisions.at(-1)
  const who = last === undefined ? '' : ` by <@${last.by.user}>`
  switch (card.state) {
    case 'superseded':
      return superseded(incident, card)
    case 'expired':
      return 'This proposal expired: the evidence is too old. Ask for a new diagnosis.'
    case 'approved':
      if (button === 'taken_back') return 'It is not known to be applied, so there is nothing to take back: withdraw the approval instead.'
      return `It was approved already${who}.`
    case 'declined':
      return `It was declined already${who}.`
    case 'withdrawn':
      return `It was ${last?.what === 'taken_back' ? 'taken back' : 'withdrawn'} already${who}.`
    case 'applied':
      return `It was applied already${who}; the recovery check ${card.outcome === null ? 'is under way' : 'is over'}.`
    case 'open':
      return 'It is not approved yet.'
  }
}

function superseded(incident: Incident, card: ProposalCard): string {
  const newer = incident.proposals.slice(incident.proposals.indexOf(card) + 1).findLast((one) => one.state !== 'superseded')
  const { action } = card.proposal
  if (newer === undefined) return 'A newer diagnosis no longer supports this proposal; see the message above.'
  const { action: now } = newer.proposal
  return now.knob === action.knob
    ? `A newer diagnosis proposes ${action.knob} ${now.from.value ?? 'not set'} → ${now.to} instead of ${action.from.value ?? 'not set'} → ${action.to}; see the message above.`
    : `A newer diagnosis proposes ${now.knob} instead of ${action.knob}; see the message above.`
}

const changedInStore =
  'What is stored as this proposal is not what was put before its owners, so nothing was decided. Ask for a new diagnosis, and tell whoever runs Headwater.'

/** What was seen long ago is looked at again first; a look that could not tell has not seen it. */
function oldEvidence({ verdict }: Incident, { seenAtMs, openedAtMs }: ProposalCard, nowMs: number): Decided | null {
  const ageMs = nowMs - (seenAtMs ?? openedAtMs)
  if (ageMs <= incidentRules.evidenceHoldsMs) return null
  const seen = `What this rests on was seen ${duration(ageMs / 1000)} ago`
  if (verdict !== null && nowMs - verdict.atMs <= incidentRules.evidenceHoldsMs) {
    return refused(
      `${seen}, and the newest look, ${duration((nowMs - verdict.atMs) / 1000)} ago, could not tell whether it still holds. Nothing was decided.`,
    )
  }
  const why = `${seen}. I am looking again: in some seconds the message says whether the proposal still holds. Then press once more.`
  return { kind: 'refused', why, looksAgain: true }
}

const refused = (why: string): Decided => ({ kind: 'refused', why, looksAgain: false })
