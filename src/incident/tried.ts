/** Changes of an incident and those before it that were applied, and what came of them: the same one is not proposed twice. */
import type { Incident, ProposalCard, Tried } from './incident.ts'
import { incidentRules } from './incident-rules.ts'

/** Changes that one incident tells the next of. */
const mostTold = 20

/** @returns oldest first; what was said to be applied and was not to be seen in the pipeline is not among them */
export function triedIn({ proposals, triedBefore = [] }: Pick<Incident, 'proposals' | 'triedBefore'>): Tried[] {
  const own = proposals
    .flatMap((card) => {
      const takenBack = card.decisions.at(-1)?.what === 'taken_back'
      const appliedAtMs = card.state === 'applied' || takenBack ? appliedAt(card) : null
      const { knob, to } = card.proposal.action
      return appliedAtMs === null ? [] : [{ knob, to, appliedAtMs, outcome: card.outcome, ...(takenBack ? { takenBack } : {}) }]
    })
    .toSorted((a, b) => a.appliedAtMs - b.appliedAtMs)
  return [...triedBefore, ...own]
}

/** What an incident that begins now is told by the one before it. */
export function toldToTheNext(before: Incident, nowMs: number): Pick<Incident, 'triedBefore'> {
  const recent = triedIn(before).filter(({ appliedAtMs }) => nowMs - appliedAtMs < incidentRules.triedForMs)
  return recent.length === 0 ? {} : { triedBefore: recent.slice(-mostTold) }
}

function appliedAt({ decisions }: ProposalCard): number | null {
  return decisions.findLast(({ what }) => what === 'applied')?.atMs ?? null
}
