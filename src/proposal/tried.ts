/** Changes of an incident that were applied, and what came of them: the same one is not proposed twice. */
import type { Incident, ProposalCard } from '../incident/incident.ts'
import type { Tried } from './bounds.ts'

/** @returns oldest first; what was said to be applied and was not to be seen in the pipeline is not among them */
export function triedIn({ proposals }: Pick<Incident, 'proposals'>): Tried[] {
  return proposals
    .flatMap((card) => {
      const appliedAtMs = card.state === 'applied' ? appliedAt(card) : null
      const { knob, to } = card.proposal.action
      return appliedAtMs === null ? [] : [{ knob, to, appliedAtMs, outcome: card.outcome }]
    })
    .toSorted((a, b) => a.appliedAtMs - b.appliedAtMs)
}

function appliedAt({ decisions }: ProposalCard): number | null {
  return decisions.findLast(({ what }) => what === 'applied')?.atMs ?? null
}
