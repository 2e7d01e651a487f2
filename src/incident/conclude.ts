/** A verdict arrives: it takes the place of an older one, and the proposal that follows from it is put beside the open one. */

import type { Incident, ProposalCard, Revision, VerdictNote } from './incident.ts'
import { incidentRules } from './incident-rules.ts'
import { openingsOf, withoutOldest } from './openings.ts'
import type { Proposal, Remedy } from './proposal.ts'
import { changeKey, isIntact, proposalHash } from './proposal.ts'
import { requestersOf } from './requesters.ts'

const open = (card: ProposalCard) => card.state === 'open'

/** @returns the same incident where a newer verdict is there already, or it is closed */
export function conclude(incident: Incident, found: Omit<VerdictNote, 'sameSince'>, remedy: Remedy, nowMs: number): Incident {
  if (incident.state === 'closed') return incident
  if (incident.verdict !== null && incident.verdict.revision >= found.revision) return marked(incident, found.revision, 'done')
  return concluded({ ...incident, ...withoutOldest(incident) }, found, remedy, nowMs)
}

function concluded(incident: Incident, found: Omit<VerdictNote, 'sameSince'>, remedy: Remedy, nowMs: number): Incident {
  const before = incident.verdict
  const same = before !== null && sameConclusion(before, found)
  const verdict: VerdictNote = { ...found, ...asked(incident, found.revision), sameSince: same ? before.sameSince : found.revision }
  return {
    ...marked(incident, verdict.revision, 'done'),
    verdict,
    verdictBefore: before !== null && !same ? before : incident.verdictBefore,
    remedy,
    proposals: proposals(incident, verdict, remedy, nowMs),
  }
}

/** @returns the same incident where nobody waits for that revision any more */
export function failed(incident: Incident, revision: number): Incident {
  const waits = incident.revisions.some((one) => one.number === revision && one.state === 'queued')
  return waits ? marked(incident, revision, 'failed') : incident
}

/** Kept with the verdict: triggers and revisions are let go in a storm, and who asked must not change with that. */
function asked({ revisions }: Incident, number: number): Pick<VerdictNote, 'byAlert'> {
  const byAlert = revisions.find((one) => one.number === number)?.byAlert
  return byAlert === undefined ? {} : { byAlert }
}

type Conclusion = Pick<VerdictNote, 'outcome' | 'cause' | 'place'>

/** Whether two verdicts tell a reader the same. */
function sameConclusion(a: Conclusion, b: Conclusion): boolean {
  return a.outcome === b.outcome && a.cause === b.cause && JSON.stringify(a.place) === JSON.stringify(b.place)
}

function marked(incident: Incident, number: number, state: Revision['state']): Incident {
  return { ...incident, revisions: incident.revisions.map((one) => (one.number === number ? { ...one, state } : one)) }
}

/**
 * The same change stays as it is, hash and all: people may be reading it. Seen again it is as fresh as a new one. Another change, another cause, or no trouble any more
 * supersedes one that is still open. An inconclusive look proves nothing against it. One that was approved stays too: its owner may
 * be applying it at this moment. One that was applied stands alone until its recovery is judged. One that was changed in the store can
 * be decided on by nobody, so it makes room for the next.
 */
function proposals(incident: Incident, verdict: VerdictNote, remedy: Remedy, nowMs: number): readonly ProposalCard[] {
  if (verdict.outcome === 'inconclusive') return incident.proposals
  if (incident.proposals.some(isUnderWay)) return incident.proposals
  const standing = incident.proposals.find((card) => open(card) && isIntact(card))
  if (standing !== undefined && remedy.kind === 'proposal' && changeKey(standing.proposal) === changeKey(remedy)) {
    const expiresAtMs = nowMs + incidentRules.proposalExpiresMs
    return incident.proposals.map((card) => (card === standing ? { ...card, seenAtMs: nowMs, expiresAtMs } : card))
  }
  const before = incident.proposals.map((card) =>
    open(card) || (card.state === 'approved' && !isIntact(card)) ? { ...card, state: 'superseded' as const } : card,
  )
  return remedy.kind === 'proposal' ? [...before, card(incident, verdict, remedy, nowMs)] : before
}

/** Approved, or applied and not judged yet: its owner, or its effect, comes first. */
function isUnderWay(card: ProposalCard): boolean {
  return (card.state === 'approved' && isIntact(card)) || (card.state === 'applied' && card.outcome === null)
}

function card(incident: Incident, { revision, bundle }: VerdictNote, proposal: Proposal, nowMs: number): ProposalCard {
  const expiresAtMs = nowMs + incidentRules.proposalExpiresMs
  const hash = proposalHash(proposal)
  return {
    proposal,
    hash,
    revision,
    bundle,
    state: 'open',
    outcome: null,
    openedAtMs: nowMs,
    seenAtMs: nowMs,
    opening: openingsOf(incident, hash) + 1,
    expiresAtMs,
    requesters: requestersOf(incident),
    decisions: [],
  }
}
