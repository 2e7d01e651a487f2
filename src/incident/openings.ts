/** The same change can be put before its owners again after it was declined or expired: one hash, and an opening for each time. */
import type { Incident, ProposalCard } from './incident.ts'
import { mostVoid } from './incident.ts'

/** What a hash on a button means now: the newest opening. Whoever presses an older button has read the same text. */
export function newestOpening({ proposals }: Pick<Incident, 'proposals'>, hash: string): ProposalCard | undefined {
  return proposals.findLast((card) => card.hash === hash)
}

/** The how many-th time it is that this text is put before its owners, from 1. */
export function openingOf({ proposals }: Pick<Incident, 'proposals'>, card: ProposalCard): number {
  return card.opening ?? proposals.slice(0, proposals.indexOf(card) + 1).filter(({ hash }) => hash === card.hash).length
}

/** How often a text has been put before its owners so far. */
export function openingsOf({ proposals, openingsBefore = {} }: Pick<Incident, 'proposals' | 'openingsBefore'>, hash: string): number {
  const here = proposals.filter((card) => card.hash === hash)
  return Math.max(openingsBefore[hash] ?? 0, here.length, ...here.map(({ opening = 0 }) => opening))
}

/** A long incident whose proposal changes with every look must not grow for ever: the oldest that are void and undecided are let go. */
export function withoutOldest({ proposals, openingsBefore = {} }: Incident): Pick<Incident, 'proposals' | 'openingsBefore'> {
  const idle = proposals.filter(({ state, decisions }) => (state === 'superseded' || state === 'expired') && decisions.length === 0)
  const gone = new Set(idle.slice(0, Math.max(0, idle.length - mostVoid)))
  if (gone.size === 0) return { proposals }
  const openings = { ...openingsBefore }
  for (const card of gone) openings[card.hash] = Math.max(openings[card.hash] ?? 0, openingOf({ proposals }, card))
  return { proposals: proposals.filter((card) => !gone.has(card)), openingsBefore: openings }
}
