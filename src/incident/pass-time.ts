/** What only the clock does to an incident: proposals expire, diagnoses are given up for lost, incidents close. Pure: `nowMs` is an argument. */
import type { Incident, ProposalCard, Revision } from './incident.ts'
import { incidentRules } from './incident-rules.ts'

/** @returns the same incident where nothing is due */
export function passTime(incident: Incident, nowMs: number): Incident {
  if (incident.state === 'closed') return incident
  const passed = overdue(expired(incident, nowMs), nowMs)
  const end = closing(incident)
  return end === null || end.atMs > nowMs ? passed : closed(passed, end.because, end.atMs)
}

function expired(incident: Incident, nowMs: number): Incident {
  const isDue = (card: ProposalCard): boolean => (expiryMs(card) ?? Number.POSITIVE_INFINITY) <= nowMs
  if (!incident.proposals.some(isDue)) return incident
  return { ...incident, proposals: incident.proposals.map((card) => (isDue(card) ? { ...card, state: 'expired' as const } : card)) }
}

/** When a proposal is void, epoch ms: unanswered, or approved and not applied; null = never, or it is decided. */
function expiryMs({ state, expiresAtMs, decisions, openedAtMs }: ProposalCard): number | null {
  if (state === 'open') return expiresAtMs
  return state === 'approved' ? (decisions.at(-1)?.atMs ?? openedAtMs) + incidentRules.approvalHoldsMs : null
}

/** One that comes after all is welcome still. */
function overdue(incident: Incident, nowMs: number): Incident {
  const isDue = (one: Revision): boolean => one.state === 'queued' && overdueAtMs(one) <= nowMs
  if (!incident.revisions.some(isDue)) return incident
  return { ...incident, revisions: incident.revisions.map((one) => (isDue(one) ? { ...one, state: 'failed' as const } : one)) }
}

const overdueAtMs = ({ askedAtMs }: Revision): number => askedAtMs + incidentRules.overdueMs

/** When the clock will change something next, epoch ms; null = never. */
export function nextDueMs(incident: Incident): number | null {
  if (incident.state === 'closed') return null
  const times = [
    ...incident.proposals.map(expiryMs).filter((ms) => ms !== null),
    ...incident.revisions.filter((one) => one.state === 'queued').map(overdueAtMs),
  ]
  const end = closing(incident)
  if (end !== null) times.push(end.atMs)
  return times.length === 0 ? null : Math.min(...times)
}

export function closed(incident: Incident, closedBecause: NonNullable<Incident['closedBecause']>, closedAtMs: number): Incident {
  const proposals = incident.proposals.map((card) => (card.state === 'open' ? { ...card, state: 'expired' as const } : card))
  return { ...incident, state: 'closed', closedAtMs, closedBecause, proposals }
}

/**
 * An applied change keeps it open until its recovery is judged, an approved one until its approval holds no longer, a diagnosis that was
 * asked for until it is there or given up for lost: somebody was told to wait for it.
 */
function closing(incident: Incident): { atMs: number; because: NonNullable<Incident['closedBecause']> } | null {
  if (incident.recovery !== null && incident.recovery.outcome === null) return null
  const heldUntil = Math.max(
    0,
    ...incident.proposals.filter(({ state }) => state === 'approved').map((card) => expiryMs(card) ?? 0),
    ...incident.revisions.filter(({ state }) => state === 'queued').map(overdueAtMs),
  )
  const alerts = Object.values(incident.alerts)
  const quietSince = quietSinceMs(incident)
  const resolved = alerts.every((one) => one.status === 'resolved') && (incident.alertsBeyond?.firing ?? 0) === 0
  if (alerts.length > 0 && resolved) return { atMs: Math.max(heldUntil, quietSince + incidentRules.quietMs), because: 'resolved' }
  return { atMs: Math.max(heldUntil, quietSince + incidentRules.forgottenMs), because: 'quiet' }
}

/** When something last happened: an alert, a question, a diagnosis that was asked for, a decision, a look after a change. */
function quietSinceMs({ lastTriggerMs, alerts, revisions, proposals, recovery }: Incident): number {
  return Math.max(
    lastTriggerMs,
    ...Object.values(alerts).map(({ atMs }) => atMs),
    ...revisions.map(({ askedAtMs }) => askedAtMs),
    ...proposals.flatMap(({ decisions }) => decisions.map(({ atMs }) => atMs)),
    ...(recovery?.looks.map(({ atMs }) => atMs) ?? []),
  )
}
