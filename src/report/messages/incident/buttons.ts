/** What may be pressed now. The state of the proposal decides; who may press is checked when it is pressed, never by hiding a button. */
import type { Incident, ProposalCard } from '../../../incident/incident.ts'
import type { Block, Pressable } from '../../message.ts'
import { changeInWords } from './change-words.ts'
import { inForceInVain } from './outcome.ts'

export function buttons(incident: Incident): Block[] {
  const { proposals, state } = incident
  const vain = inForceInVain(proposals)
  const current = proposals.findLast((one) => one.state === 'open' || one.state === 'approved' || one.state === 'applied') ?? null
  const items = [
    ...(current === null || state === 'closed' ? [] : ofState(current, making(incident, current))),
    // What is in force and did not help can be said to be undone whatever else is proposed, and after the end.
    ...(vain === null || (vain === current && state !== 'closed') ? [] : applied(vain, making(incident, vain))),
  ]
  return items.length === 0 ? [] : [{ kind: 'buttons', items }]
}

function ofState(card: ProposalCard, make: Make): Pressable[] {
  return card.state === 'open' ? open(card, make) : card.state === 'approved' ? approved(card, make) : applied(card, make)
}

const making =
  ({ id }: Incident, { hash }: ProposalCard): Make =>
  (button, label, tone, confirm) => ({ button, label, tone, confirm, incident: id, hash })

type Make = (button: Pressable['button'], label: string, tone: Pressable['tone'], confirm: Pressable['confirm']) => Pressable

function open(card: ProposalCard, make: Make): Pressable[] {
  const text = `${changeInWords(card.proposal.action)}. You sign exactly this change; Headwater does not apply it.`
  return [
    make('approve', 'Approve', 'good', { title: 'Approve this change?', text }),
    make('decline', 'Decline…', 'bad', null),
    make('need_more', 'More…', 'plain', null),
  ]
}

function approved(card: ProposalCard, make: Make): Pressable[] {
  const text = `${changeInWords(card.proposal.action)} is in force now. Headwater then checks whether the same signals recover.`
  return [make('applied', 'Applied', 'good', { title: 'Has it been applied?', text }), make('withdraw', 'Withdraw…', 'plain', null)]
}

/** Whatever its check says, or before it says anything: a proposal tells when to stop. */
function applied(card: ProposalCard, make: Make): Pressable[] {
  const text = `${changeInWords(card.proposal.action)} is in force no longer. Headwater then looks again.`
  return [make('taken_back', 'Taken back', 'plain', { title: 'Has the change been undone?', text })]
}
