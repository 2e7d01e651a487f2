/** What the home message says is to be done: the change and how far its sign-off is, how it is undone, whom to ask, or why nothing is changed. */
import type { Decision, Incident, ProposalCard } from '../../../incident/incident.ts'
import { knobs } from '../../../incident/knob.ts'
import { isOvertaken } from '../../../incident/overtaken.ts'
import type { Referral, Refusal } from '../../../incident/proposal.ts'
import { settingInWords } from '../../../incident/setting-words.ts'
import type { Block, Text } from '../../message.ts'
import { changeInWords } from './change-words.ts'
import { inForceInVain, outcomeNow } from './outcome.ts'
import { sentence } from './sentence.ts'

type Row = { readonly label: string; readonly text: Text }

export function whatToDo(incident: Incident): Block[] {
  const card = currentCard(incident)
  const undo = undoRows(incident)
  // What is in force and did not help comes first; whatever else is to be done has one line beside it.
  if (card === null)
    return [{ kind: 'answers', rows: undo.length > 0 ? [...undo, ...otherRows(incident, true)] : otherRows(incident, false) }]
  return [{ kind: 'answers', rows: [...cardRows(incident, card), ...overtakenRows(incident, card), ...undo] }]
}

/** The proposal that a reader has to deal with: what is open or under way; else the newest that was decided. */
function currentCard(incident: Incident): ProposalCard | null {
  // What was applied and judged is done, once a newer verdict says what is wrong now.
  const done = outcomeNow(incident) === null ? incident.proposals.findLastIndex((card) => card.outcome !== null) : -1
  const cards = incident.proposals.slice(done + 1)
  const live = cards.findLast((card) => card.state === 'open' || card.state === 'approved' || card.state === 'applied')
  return live ?? cards.findLast((card) => card.state === 'declined' || card.state === 'withdrawn' || card.state === 'expired') ?? null
}

function cardRows(incident: Incident, card: ProposalCard): Row[] {
  const rows: Row[] = [{ label: labelOf(incident, card), text: changeInWords(card.proposal.action) }]
  const state = stateInWords(card)
  if (state !== null) rows.push({ label: 'Sign-off', text: state })
  return rows
}

/** Whoever reads "Do" does it: it stands where something is to be done, and nowhere else. */
function labelOf(incident: Incident, card: ProposalCard): string {
  if (card.state === 'open' || (card.state === 'approved' && !isOvertaken(incident, card))) return 'Do'
  return card.state === 'applied' || card.decisions.at(-1)?.what === 'taken_back' ? 'Was applied' : 'Proposed'
}

/** It was approved for what was found then: whoever is about to apply it has to know. */
function overtakenRows(incident: Incident, card: ProposalCard): Row[] {
  if (!isOvertaken(incident, card)) return []
  return [{ label: 'But', text: 'the newest look does not support this change any more; withdraw it, unless it is applied already' }]
}

/** Also after a newer verdict: the change is in force until somebody says that it was taken back, or another one takes its place. */
function undoRows({ proposals }: Incident): Row[] {
  const card = inForceInVain(proposals)
  if (card === null) return []
  const { knob, from } = card.proposal.action
  return [{ label: 'Undo', text: `${knobs[knob].title} back to ${settingInWords(knob, from.value)}` }]
}

function stateInWords({ state, decisions }: ProposalCard): Text | null {
  const approved = decisions.findLast(({ what }) => what === 'approve')
  if (state === 'expired')
    return approved === undefined
      ? 'expired: the evidence is too old'
      : ['expired: approved by ', { person: approved.by.user }, ', not applied in time, and the evidence is too old']
  // What is said to be applied and is not to be seen is approved still.
  const last = state === 'approved' ? approved : decisions.at(-1)
  if (last === undefined) return null
  // Why: in the thread, where every decision has its own reply.
  const open = state === 'open' && last.what === 'approve' ? ['; another owner is needed'] : []
  return [`${did[last.what]} by `, { person: last.by.user }, ...open]
}

const did: Readonly<Record<Decision['what'], string>> = {
  approve: 'approved',
  decline: 'declined',
  need_more: 'more wanted',
  applied: 'applied',
  withdraw: 'withdrawn',
  taken_back: 'taken back',
}

/** @param inBrief the thread has the rest */
function otherRows({ remedy, verdict }: Incident, inBrief: boolean): Row[] {
  if (remedy === null || remedy.kind === 'proposal') return []
  if (inBrief) return remedy.kind === 'referral' ? [{ label: 'Ask', text: owners[remedy.to] }] : []
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
