/** A look after a change moves its recovery check, and the incident with it where the look says how it turned out. Pure. */
import type { Incident, ProposalCard, RecoveryCheck, RecoveryLook, RecoveryOutcome } from './incident.ts'
import { askFor } from './join.ts'
import { newestOpening } from './openings.ts'
import { closed } from './pass-time.ts'

export function beginCheck(hash: string, appliedAtMs: number, planned: readonly number[]): RecoveryCheck {
  return { hash, appliedAtMs, planned, looks: [], outcome: null, says: '', reasons: [], chart: null }
}

/** A check under way, and the change that it is about. */
export interface Awaited {
  readonly check: RecoveryCheck
  readonly card: ProposalCard
}

/**
 * @param plannedMs the look that is to be made
 * @returns null = it was made, or is made for nobody any more: judged, closed, taken back, or applied anew
 */
export function awaited(incident: Incident, plannedMs: number): Awaited | null {
  const { state, recovery } = incident
  if (state === 'closed' || recovery === null || recovery.outcome !== null) return null
  if (!recovery.planned.includes(plannedMs) || recovery.looks.some((look) => look.plannedMs === plannedMs)) return null
  const card = newestOpening(incident, recovery.hash)
  return card?.state === 'applied' ? { check: recovery, card } : null
}

export interface LookNote {
  /** Of the application it was made for. */
  readonly appliedAtMs: number
  readonly look: RecoveryLook
  /** null = it cannot be said yet. */
  readonly outcome: RecoveryOutcome | null
  readonly reasons: readonly string[]
  readonly chart: RecoveryCheck['chart']
}

/** @returns the same incident where nobody waits for this look any more */
export function noteLook(incident: Incident, { appliedAtMs, look, outcome, reasons, chart }: LookNote, nowMs: number): Incident {
  const waiting = awaited(incident, look.plannedMs)
  if (waiting === null || waiting.check.appliedAtMs !== appliedAtMs) return incident
  const looks = [...waiting.check.looks, look].toSorted((a, b) => a.plannedMs - b.plannedMs)
  if (outcome === null) return { ...incident, recovery: { ...waiting.check, looks } }
  const recovery: RecoveryCheck = { ...waiting.check, looks, outcome, says: look.says, reasons, chart }
  const proposals = incident.proposals.map((card) => (card === waiting.card ? judged(card, outcome) : card))
  return follows({ ...incident, recovery, proposals }, recovery, outcome, nowMs)
}

/** What is not to be seen in the pipeline is approved still: its owner can apply it and say so again. */
function judged(card: ProposalCard, outcome: RecoveryOutcome): ProposalCard {
  return outcome === 'not_applied' ? { ...card, state: 'approved' } : { ...card, outcome }
}

function follows(incident: Incident, { appliedAtMs }: RecoveryCheck, outcome: RecoveryOutcome, nowMs: number): Incident {
  switch (outcome) {
    case 'recovered':
    case 'by_itself':
      return closed(incident, 'recovered', nowMs)
    case 'moved':
    case 'no_effect':
    case 'cannot_tell':
      return askFor(incident, `recovery-${appliedAtMs}`, null, nowMs)
    // Its owners have to act: take it back, or really apply it.
    case 'worse':
    case 'not_applied':
      return incident
  }
}
