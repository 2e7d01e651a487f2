/** All messages of an incident as they should stand now: pure, so that before and after a move can be compared. */
import type { Incident, Telling } from '../incident/incident.ts'
import { noPipeline } from '../incident/unmapped.ts'
import { altText } from '../report/chart/alt-text.ts'
import type { Judged, Said } from '../report/messages/incident/home.ts'
import { homeMessage } from '../report/messages/incident/home.ts'
import { decisionMessage, detailsMessage, proposalMessage, recoveryMessage, verdictReply } from '../report/messages/incident/thread.ts'
import { unmappedMessage } from '../report/messages/unmapped.ts'
import type { WallClock } from '../report/wall-clock.ts'
import type { Answer } from './attend.ts'
import type { Wanted } from './incident-ports.ts'

export interface Telled {
  readonly judged: Judged | null
  /** Store key of the newest verdict's chart; null = none was drawn. */
  readonly chart: string | null
  readonly clock: WallClock
  /** Version that the incident has with this state: the edition of what is written with it. */
  readonly edition: number
}

export function wantedMessages(incident: Incident, { judged, chart, clock, edition }: Telled): Wanted[] {
  const picture = chart === null || judged === null ? null : { blob: chart, alt: altText(judged.timeline, judged.attribution) }
  const message = (slot: string, channel: string, said: Said, more: Partial<Wanted> = {}): Wanted => ({
    slot: `${incident.id}/${slot}`,
    channel,
    under: null,
    edition,
    notBeforeMs: 0,
    onlyAfterEdit: null,
    alone: null,
    picture: null,
    incident: incident.id,
    ...said,
    ...more,
  })
  if (incident.pipeline === noPipeline) return incident.tellings.map(({ channel }) => message('home', channel, unmappedMessage(incident)))
  const home = homeMessage(incident, judged, clock)
  return incident.tellings.flatMap((telling) => {
    const { channel, role } = telling
    const root = role === 'home' ? 'home' : `companion/${channel}`
    const notBeforeMs = judged === null ? telling.notBeforeMs : telling.sinceMs
    const under = `${incident.id}/${root}`
    const reply = (name: string, said: Said, more: Partial<Wanted> = {}): Wanted =>
      message(`${root}/${name}`, channel, said, { under, ...more })
    return [
      message(root, channel, home, { picture, notBeforeMs: readmitted(telling, notBeforeMs) }),
      ...replies(incident, role, judged, home, clock, reply),
    ]
  })
}

/** A channel that let the app in later is told from then on. */
const readmitted = (telling: Telling, notBeforeMs: number): number =>
  telling.notBeforeMs > telling.sinceMs + 60_000 ? telling.notBeforeMs : notBeforeMs

type Reply = (name: string, said: Said, more?: Partial<Wanted>) => Wanted

/** Details stand in the thread of the home alone; each turn is said in every channel that asked. */
function replies(incident: Incident, role: Telling['role'], judged: Judged | null, home: Said, clock: WallClock, reply: Reply): Wanted[] {
  const all: Wanted[] = []
  const { verdict } = incident
  if (judged !== null && verdict !== null) {
    all.push(reply(`verdict-${verdict.revision}`, verdictReply(home), { onlyAfterEdit: verdict.edition }))
    if (role === 'home') all.push(reply('details', detailsMessage(judged, clock)))
  }
  for (const card of incident.proposals) {
    if (role === 'home') all.push(reply(`proposal-${card.hash.slice(0, 12)}`, proposalMessage(card)))
    for (const decision of card.decisions) all.push(reply(`sign-off-${decision.ledger}`, decisionMessage(card, decision)))
  }
  const recovery = recoveryMessage(incident, home)
  if (recovery !== null && incident.recovery !== null) all.push(reply(`recovery-${incident.recovery.appliedAtMs}`, recovery))
  return all
}

/** An answer that only one person sees. */
export function answerMessage(answer: Answer, incident: string, edition: number): Wanted {
  const { key, to, channel, answerTo, text } = answer
  const alone = { actor: to, answerTo }
  return {
    slot: `alone/${key}`,
    channel,
    under: null,
    edition,
    notBeforeMs: 0,
    onlyAfterEdit: null,
    alone,
    picture: null,
    incident,
    text,
    body: [],
  }
}
