/** How a change turned out, as long as that is what there is to say of an incident. */
import type { Incident, ProposalCard, RecoveryCheck } from '../../../incident/incident.ts'

/** How a change turned out, until a newer verdict says what is wrong now. */
export function outcomeNow({ recovery, verdict }: Incident): RecoveryCheck['outcome'] {
  if (recovery === null) return null
  const lookedAtMs = recovery.looks.at(-1)?.atMs ?? recovery.appliedAtMs
  return verdict !== null && verdict.atMs > lookedAtMs ? null : recovery.outcome
}

export const isWell = (outcome: RecoveryCheck['outcome']): boolean => outcome === 'recovered' || outcome === 'by_itself'

/** The change did not help, and is in force: to be undone. */
export const isInVain = (outcome: RecoveryCheck['outcome']): boolean =>
  outcome === 'worse' || outcome === 'no_effect' || outcome === 'moved'

/** The newest change that did not help and is in force still: nobody took it back, and no later one has set the same setting anew. */
export function inForceInVain(proposals: readonly ProposalCard[]): ProposalCard | null {
  const applied = proposals.filter(({ state }) => state === 'applied')
  const standing = applied.filter(
    (card, place) => !applied.slice(place + 1).some((later) => later.proposal.action.knob === card.proposal.action.knob),
  )
  return standing.findLast(({ outcome }) => isInVain(outcome)) ?? null
}

/** Before and after a change, as long as how it turned out is what there is to say. */
export function checkChartNow(incident: Incident): RecoveryCheck['chart'] {
  return outcomeNow(incident) === null ? null : (incident.recovery?.chart ?? null)
}
