/**
 * What follows from a move of an incident: the messages that should stand now, the jobs it asks for, and its lines in the ledger.
 * Pure, and a function of before and after and the version alone, so that a step repeated after a crash asks for exactly the same.
 */
import type { Incident, ProposalCard } from '../incident/incident.ts'
import { openingOf } from '../incident/openings.ts'
import { nextDueMs } from '../incident/pass-time.ts'
import type { Draft, LedgerEvent } from '../signoff/ledger.ts'
import type { Job, Wanted } from './incident-ports.ts'

export interface Consequences {
  readonly messages: readonly Wanted[]
  readonly jobs: readonly Job[]
  /** Lines that Headwater itself writes; a decision of a person brings its own. */
  readonly drafts: readonly Draft[]
}

/**
 * @param wanted all messages of an incident as they should stand: those that differ from before are sent
 * @param edition the version that `after` will have in the store
 */
export function consequences(
  before: Incident | null,
  after: Incident,
  wanted: { readonly before: readonly Wanted[]; readonly after: readonly Wanted[] },
  edition: number,
  nowMs: number,
): Consequences {
  const messages = changed(wanted.before, wanted.after)
  const sends = sendJobs(messages, nowMs)
  return { messages, jobs: [...work(before, after, edition, nowMs), ...sends], drafts: drafts(before, after, nowMs) }
}

/** Each edition of a message asks for its own job: the one before may be done by then. */
export function sendJobs(messages: readonly Wanted[], nowMs: number): Job[] {
  return messages.map(({ slot, edition, notBeforeMs }) =>
    job('send', slot, `${slot}/send-${edition}`, Math.max(nowMs, notBeforeMs), { edition }),
  )
}

/** The edition is not content, nor is what a reply comes after: what reads the same is not sent again. What may be sent earlier is. */
function changed(before: readonly Wanted[], after: readonly Wanted[]): Wanted[] {
  const texts = new Map(before.map((one) => [one.slot, content(one)]))
  return after.filter((one) => texts.get(one.slot) !== content(one))
}

const content = (wanted: Wanted): string =>
  JSON.stringify({ ...wanted, edition: 0, after: null, onlyAfterEdit: wanted.onlyAfterEdit === null })

function work(before: Incident | null, after: Incident, edition: number, nowMs: number): Job[] {
  const known = new Set(before?.revisions.map((one) => one.number))
  const jobs = after.revisions
    .filter((one) => one.state === 'queued' && !known.has(one.number))
    .map((one) => job('diagnose', after.id, `${after.id}/diagnose-${one.number}`, nowMs, { revision: one.number }))
  const due = nextDueMs(after)
  if (due !== null && due !== (before === null ? null : nextDueMs(before))) {
    // The same time can come to be due again after its tick has run and found nothing: a job that is done is not run again by its key.
    jobs.push(job('tick', after.id, `${after.id}/tick-${due}-${edition}`, due, {}))
  }
  const planned = new Set(before?.recovery?.planned)
  for (const atMs of after.recovery?.planned ?? []) {
    if (!planned.has(atMs)) jobs.push(job('look', after.id, `${after.id}/look-${atMs}`, atMs, { planned: atMs }))
  }
  return jobs
}

function job(kind: Job['kind'], of: string, key: string, dueAtMs: number, more: Job['with']): Job {
  return { key, kind, of, dueAtMs, with: more }
}

function drafts(before: Incident | null, after: Incident, nowMs: number): Draft[] {
  const opening = (of: Incident, card: ProposalCard) => `${card.hash}/${openingOf(of, card)}`
  const states = new Map(before?.proposals.map((card) => [opening(before, card), card.state]))
  const lines = after.proposals.flatMap((card): Draft[] => {
    const was = states.get(opening(after, card))
    const what = was === undefined ? 'opened' : was === card.state ? null : byItself(card)
    return what === null ? [] : [draft(after, what, card.hash, details(card), nowMs)]
  })
  const outcome = after.recovery?.outcome ?? null
  if (after.recovery !== null && outcome !== null && before?.recovery?.outcome !== outcome) {
    const { hash, says, looks } = after.recovery
    const evidence = looks.at(-1)?.bundle ?? 'none'
    lines.push(draft(after, 'recovery', hash, { outcome, says, evidence }, nowMs))
  }
  return lines
}

/** Moves that no person makes. */
function byItself(card: ProposalCard): LedgerEvent | null {
  return card.state === 'superseded' || card.state === 'expired' ? card.state : null
}

function details({ proposal: { action, cause, place }, bundle }: ProposalCard): Draft['details'] {
  const { knob, from, to, scope } = action
  return { knob, from: String(from.value ?? 'not set'), to: String(to), scope, cause, place, evidence: bundle }
}

function draft(incident: Incident, what: LedgerEvent, proposal: string, more: Draft['details'], atMs: number): Draft {
  return { atMs, incident: incident.id, pipeline: incident.pipeline, what, who: '', proposal, details: more }
}
