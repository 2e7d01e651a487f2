/** What stands in the thread of an incident: all evidence, and one short reply for each turn that people must not miss. */

import type { Decision, Incident, ProposalCard } from '../../../incident/incident.ts'
import { knobs } from '../../../incident/knob.ts'
import { newestOpening } from '../../../incident/openings.ts'
import { settingInWords } from '../../../incident/setting-words.ts'
import type { ChartSize } from '../../chart/layout.ts'
import { pageLayout } from '../../chart/layout.ts'
import { clean } from '../../clean.ts'
import type { Block, Message, Text } from '../../message.ts'
import { recoveryWords } from '../../recovery-words.ts'
import type { WallClock } from '../../wall-clock.ts'
import { verdictMessage } from '../verdict.ts'
import { askedInFull } from './asked.ts'
import { changeInWords } from './change-words.ts'
import type { Judged, Said } from './home.ts'
import { conclusion, ofPipeline } from './home.ts'
import { moreInWords } from './more.ts'
import { isInVain } from './outcome.ts'

/** Lines of what an outcome rests on. */
const mostReasons = 16

/** The chart that has room for all, for who opens it on a screen. */
export const detailsChart: ChartSize = { layout: pageLayout, width: pageLayout.width }

/** All that the home message leaves out. */
export function detailsMessage(incident: Incident, judged: Judged, clock: WallClock): Said {
  const all = verdictMessage(judged.attribution, judged.timeline, { zone: clock.zone, verbose: false })
  const who = askedInFull(incident, clock)
  return {
    text: 'Evidence, what was ruled out, and commands to check it',
    body: [
      { kind: 'picture' },
      zoneOf(clock),
      ...all.filter((block) => block.kind !== 'headline'),
      ...(who.rows.length === 0 ? [] : [who]),
    ],
  }
}

/** Sentences and pictures have one zone for all readers; the home message has each reader's own. */
const zoneOf = ({ zone }: WallClock): Block => ({ kind: 'small', rows: [`Times of day here and in the pictures: ${clean(zone)}`] })

/** The proposal in full: what an owner signs. */
export function proposalMessage(card: ProposalCard): Said {
  const { proposal, hash } = card
  const { action } = proposal
  const text = `Proposal: ${changeInWords(action)}`
  const known = { read: 'read', inferred: 'inferred', declared: 'from the configuration' }[action.from.provenance]
  const body: Message = [
    {
      kind: 'headline',
      tone: 'strong',
      text,
      below: `For: ${clean(proposal.place)}. Now: ${settingInWords(action.knob, action.from.value)} (${known}: ${clean(action.from.how)}).`,
    },
    steps('How the number comes about', proposal.arithmetic),
    steps(
      'Expected',
      proposal.expects.map((one) => one.says),
    ),
    steps(knobs[action.knob].restarts ? 'To apply (restarts the query)' : 'To apply', proposal.apply),
    steps('To test', proposal.test),
    steps('To undo', proposal.undo),
    steps('Stop if', proposal.stopIf),
    steps('It will not fix', proposal.willNotFix),
    { kind: 'small', rows: [`An approval binds exactly this text, SHA-256 ${hash.slice(0, 12)}.`] },
  ]
  return { text, body: body.filter((block) => block.kind !== 'list' || block.items.length > 0) }
}

const steps = (title: string, lines: readonly string[]): Block => ({
  kind: 'list',
  title,
  mark: '·',
  tone: 'plain',
  items: lines.map((text) => ({ text, note: null })),
  left: 0,
})

const did: Readonly<Record<Decision['what'], string>> = {
  approve: 'Approved',
  decline: 'Declined',
  need_more: 'More wanted',
  applied: 'Applied',
  withdraw: 'Withdrawn',
  taken_back: 'Taken back',
}

/** With its number and the head of the ledger, so that Slack keeps an anchor outside the store. */
export function decisionMessage(card: ProposalCard, decision: Decision): Said {
  const line: Text = [`${did[decision.what]} by `, { person: decision.by.user }, `: ${changeInWords(card.proposal.action)}`]
  const reason = decision.reason === '' ? [] : [`Reason: “${clean(decision.reason)}”`]
  const wanted = decision.more === undefined ? [] : [`Wanted: ${moreInWords(decision.more.choice)}`]
  const rows: Text[] = [...wanted, ...reason, `Ledger entry ${decision.ledger}, ${decision.anchor}`]
  return {
    text: `${did[decision.what]}: ${changeInWords(card.proposal.action)}`,
    body: [
      { kind: 'answers', rows: [{ label: '', text: line }] },
      { kind: 'small', rows },
    ],
  }
}

/** A verdict that came by edit notifies nobody; this does. What becomes of the incident later does not change it. */
export function verdictReply(incident: Incident, judged: Judged): Said {
  const { text } = conclusion(incident, judged)
  return { text, body: [{ kind: 'answers', rows: [{ label: '', text: `${text}. See the message above.` }] }] }
}

/** How a change turned out, how it is undone where it did not help, what that rests on, and what the looks before could tell. */
export function recoveryMessage(incident: Incident): Said | null {
  const { pipeline, recovery } = incident
  if (recovery === null || recovery.outcome === null) return null
  const text = ofPipeline(pipeline, recoveryWords[recovery.outcome])
  const says = clean(recovery.says)
  const looks = [...new Set(recovery.looks.slice(0, -1).map((look) => clean(look.says)))]
  const body: Message = [
    { kind: 'answers', rows: [{ label: '', text: says === '' ? text : says }] },
    ...(recovery.chart === null ? [] : [{ kind: 'picture' } as const]),
    steps('To undo', undoAfter(incident)),
    steps('What this rests on', recovery.reasons.slice(0, mostReasons).map(clean)),
    { kind: 'small', rows: looks.slice(-3) },
  ]
  return {
    text,
    body: body.filter((block) => !('items' in block && block.items.length === 0) && !('rows' in block && block.rows.length === 0)),
  }
}

function undoAfter(incident: Incident): readonly string[] {
  const { recovery } = incident
  if (recovery === null || !isInVain(recovery.outcome)) return []
  return newestOpening(incident, recovery.hash)?.proposal.undo ?? []
}
