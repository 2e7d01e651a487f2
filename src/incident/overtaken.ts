/** Whether the world has changed under an approval. */
import type { Incident, ProposalCard } from './incident.ts'
import { changeKey } from './proposal.ts'

/** A later look found something else, or wants another change. One that could not tell proves nothing against it. */
export function isOvertaken({ verdict, remedy }: Incident, { state, revision, proposal }: ProposalCard): boolean {
  if (state !== 'approved' || verdict === null || remedy === null) return false
  if (verdict.revision <= revision || verdict.outcome === 'inconclusive') return false
  return remedy.kind !== 'proposal' || changeKey(remedy) !== changeKey(proposal)
}
