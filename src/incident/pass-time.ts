/** What only the clock does to an incident: proposals expire, incidents close. Pure: `nowMs` is an argument. */
import type { Incident } from './incident.ts'
import { incidentRules } from './incident-rules.ts'

/** @returns the same incident where nothing is due */
export function passTime(incident: Incident, nowMs: number): Incident {
  if (incident.state === 'closed') return incident
  const expired = incident.proposals.some((card) => card.state === 'open' && card.expiresAtMs <= nowMs)
    ? {
        ...incident,
        proposals: incident.proposals.map((card) =>
          card.state === 'open' && card.expiresAtMs <= nowMs ? { ...card, state: 'expired' as const } : card,
        ),
      }
    : incident
  const end = closing(expired)
  return end === null || end.atMs > nowMs ? expired : closed(expired, end.because, end.atMs)
}

/** When the clock will change something next, epoch ms; null = never. */
export function nextDueMs(incident: Incident): number | null {
  if (incident.state === 'closed') return null
  const times = incident.proposals.filter((card) => card.state === 'open').map((card) => card.expiresAtMs)
  const end = closing(incident)
  if (end !== null) times.push(end.atMs)
  return times.length === 0 ? null : Math.min(...times)
}

export function closed(incident: Incident, closedBecause: NonNullable<Incident['closedBecause']>, closedAtMs: number): Incident {
  const proposals = incident.proposals.map((card) => (card.state === 'open' ? { ...card, state: 'expired' as const } : card))
  return { ...incident, state: 'closed', closedAtMs, closedBecause, proposals }
}

/** An applied change keeps it open until its recovery is judged. */
function closing(incident: Incident): { atMs: number; because: NonNullable<Incident['closedBecause']> } | null {
  if (incident.recovery !== null && incident.recovery.outcome === null) return null
  const alerts = Object.values(incident.alerts)
  const quietSince = Math.max(incident.lastTriggerMs, ...alerts.map((one) => one.atMs))
  if (alerts.length > 0 && alerts.every((one) => one.status === 'resolved'))
    return { atMs: quietSince + incidentRules.quietMs, because: 'resolved' }
  return { atMs: quietSince + incidentRules.forgottenMs, because: 'quiet' }
}
