/** The same change can be put before its owners again after it was declined or expired: one hash, and an opening for each time. */
import type { Incident, ProposalCard } from './incident.ts'

/** What a hash on a button means now: the newest opening. Whoever presses an older button has read the same text. */
export function newestOpening({ proposals }: Pick<Incident, 'proposals'>, hash: string): ProposalCard | undefined {
  return proposals.findLast((card) => card.hash === hash)
}

/** The how many-th time it is that this text is put before its owners, from 1. */
export function openingOf({ proposals }: Pick<Incident, 'proposals'>, card: ProposalCard): number {
  return proposals.slice(0, proposals.indexOf(card) + 1).filter(({ hash }) => hash === card.hash).length
}
