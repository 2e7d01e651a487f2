/** What the home message says is to be done: the change and how far its sign-off is, whom to ask, or why nothing is changed. */
import type { Incident, ProposalCard } from '../../../incident/incident.ts'
import { isOvertaken } from '../../../incident/overtaken.ts'
import type { Referral, Refusal } from '../../../incident/proposal.ts'
import type { Block, Text } from '../../message.ts'
import { changeInWords } from './change-words.ts'
import { outcomeNow } from './outcome.ts'
import { sentence } from './sentence.ts'

type Row = { readonly label: string; readonly text: Text }

export function whatToDo(incident: Incident): Block[] {
  const card = currentCard(incident)
  const rows = card === null ? otherRows(incident) : [...cardRows(card), ...overtakenRows(incident, card)]
  return [{ kind: 'answers', rows }]
}

/** The proposal that a reader has to deal with: what is open or under way; else the newest that was decided. */
function currentCard(incident: Incident): ProposalCard | null {
  // What was applied and judged is done, once a newer verdict says what is wrong now.
  const done = outcomeNow(incident) === null ? incident.proposals.findLastIndex((card) => card.outcome !== null) : -1
  const cards = incident.proposals.slice(done + 1)
  const live = cards.findLast((card) => card.state === 'open' || card.state === 'approved' || card.state === 'applied')
  return live ?? cards.findLast((card) => card.state === 'declined' || card.state === 'withdrawn' || card.state === 'expired') ?? null
}

function cardRows(card: ProposalCard): Row[] {
  const rows: Row[] = [{ label: 'Do', text: changeInWords(card.proposal.action) }]
  const state = stateInWords(card)
  if (state !== null) rows.push({ label: 'Sign-off', text: state })
  return rows
}

/** It was approved for what was found then: whoever is about to apply it has to know. */
function overtakenRows(incident: Incident, card: ProposalCard): Row[] {
  if (!isOvertaken(incident, card)) return []
  return [{ label: 'But', text: 'the newest look does not support this change any more; withdraw it, unless it is applied already' }]
}

function stateInWords(card: ProposalCard): Text | null {
  const last = card.decisions.at(-1)
  if (card.state === 'expired')
    return last?.what === 'approve' || last?.what === 'applied'
      ? ['expired: approved by ', { person: last.by.user }, ', not applied in time, and the evidence is too old']
      : 'expired: the evidence is too old'
  if (last === undefined) return null
  const word = { approve: 'approved', decline: 'declined', need_more: 'more wanted', applied: 'applied', withdraw: 'withdrawn' }[last.what]
  // Why: in the thread, where every decision has its own reply.
  const open = card.state === 'open' && last.what === 'approve' ? ['; another owner is needed'] : []
  return [`${word} by `, { person: last.by.user }, ...open]
}

function otherRows({ remedy, verdict }: Incident): Row[] {
  if (remedy === null || remedy.kind === 'proposal') return []
  return remedy.kind === 'referral' ? referralRows(remedy) : refusalRows(remedy, verdict?.outcome !== 'inconclusive')
}

export const owners: Readonly<Record<Referral['to'], string>> = {
  producer: 'the owner of the producer',
  sink: 'the owner of the sink',
  platform: 'the owner of the platform',
  reader: 'the owner of the reader',
}

function referralRows({ to, say }: Referral): Row[] {
  return [{ label: 'Ask', text: `${owners[to]}: ${sentence(say[0] ?? '')}` }]
}

/** @param known whether the cause is: where it is not, that is the reason, and the reading that would decide stands among the answers */
function refusalRows({ reason, needs }: Refusal, known: boolean): Row[] {
  if (!known) return [{ label: 'No change', text: 'before the cause is known' }]
  if (needs === null) return [{ label: 'No change', text: sentence(reason) }]
  return [
    // What cannot be weighed; why not follows from what is needed.
    { label: 'No change', text: sentence(reason.split(': ')[0]!, 'oneOfTwo') },
    { label: 'Needed', text: sentence(needs, 'oneOfTwo') },
  ]
}
