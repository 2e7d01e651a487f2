/** All messages of an incident as they should stand now: pure, so that before and after a move can be compared. */
import type { Incident, Telling, VerdictNote } from '../incident/incident.ts'
import { openingOf } from '../incident/openings.ts'
import { noPipeline } from '../incident/unmapped.ts'
import { altText } from '../report/chart/alt-text.ts'
import type { Judged, Said } from '../report/messages/incident/home.ts'
import { homeMessage } from '../report/messages/incident/home.ts'
import { moreAnswer } from '../report/messages/incident/more.ts'
import { checkChartNow } from '../report/messages/incident/outcome.ts'
import { remedyMessage } from '../report/messages/incident/remedy.ts'
import { decisionMessage, detailsMessage, proposalMessage, recoveryMessage, verdictReply } from '../report/messages/incident/thread.ts'
import { unmappedMessage } from '../report/messages/unmapped.ts'
import type { WallClock } from '../report/wall-clock.ts'
import type { Answer } from './attend.ts'
import type { Wanted } from './incident-ports.ts'

export interface Telled {
  readonly judged: Judged | null
  readonly clock: WallClock
  /** Version that the incident has with this state: the edition of what is written with it. */
  readonly edition: number
}

export function wantedMessages(incident: Incident, { judged, clock, edition }: Telled): Wanted[] {
  const { verdict } = incident
  const pictureOf = (blob: string | null | undefined): Wanted['picture'] =>
    judged === null || blob === null || blob === undefined ? null : { blob, alt: altText(judged.timeline, judged.attribution) }
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
  if (incident.pipeline === noPipeline) {
    const said = unmappedMessage(incident)
    return incident.tellings.map(({ channel, admittedAtMs }) => message('home', channel, said, { notBeforeMs: admittedAtMs ?? 0 }))
  }
  const home = incident.tellings.find(({ role }) => role === 'home') ?? null
  return incident.tellings.flatMap((telling) => {
    const { channel, role, admittedAtMs } = telling
    const root = rootOf(telling)
    const under = `${incident.id}/${root}`
    const said = homeMessage(incident, judged, clock, role === 'home' ? null : (home?.channel ?? null))
    // With a verdict there is nothing to wait for. A channel that let us in late is told everything anew, from then on.
    const notBeforeMs = Math.max(judged === null ? telling.notBeforeMs : telling.sinceMs, admittedAtMs ?? 0)
    return [
      message(root, channel, said, {
        picture: checkChartNow(incident) ?? pictureOf(verdict?.chart),
        notBeforeMs,
        ...(role === 'home' || home === null ? {} : { leadsTo: leadsTo(incident, home) }),
      }),
      ...replies(incident, role, judged, clock, pictureOf(verdict?.wholeChart), (name, reply, more) =>
        message(`${root}/${name}`, channel, reply, { under, notBeforeMs: admittedAtMs ?? 0, ...more }),
      ),
    ]
  })
}

/** The name of the message of a channel, in whose thread all else stands. */
const rootOf = ({ role, channel }: Telling): string => (role === 'home' ? 'home' : `companion/${channel}`)

/** Slots of the messages that lead to the one in a slot: from the other channels to the home. */
export function leadingTo(slot: string, { id, tellings }: Incident): string[] {
  return slot === `${id}/home` ? tellings.filter(({ role }) => role !== 'home').map((telling) => `${id}/${rootOf(telling)}`) : []
}

/** Where the home was refused and is let in later, what leads to it is sent anew. */
function leadsTo({ id }: Incident, { channel, admittedAtMs }: Telling): NonNullable<Wanted['leadsTo']> {
  return { slot: `${id}/home`, channel, sinceMs: admittedAtMs ?? 0 }
}

type Reply = (name: string, said: Said, more?: Partial<Wanted>) => Wanted

/** Details stand in the thread of the home alone; each turn is said in every channel that asked. In the order in which it happened. */
function replies(
  incident: Incident,
  role: Telling['role'],
  judged: Judged | null,
  clock: WallClock,
  picture: Wanted['picture'],
  reply: Reply,
): Wanted[] {
  const all: Happened[] = []
  const add = (atMs: number, ...what: Parameters<Reply>): void => {
    all.push({ atMs, wanted: reply(...what) })
  }
  const { verdict } = incident
  if (judged !== null && verdict !== null) {
    add(verdict.atMs, `verdict-${answered(incident, verdict)}`, verdictReply(incident, judged), { onlyAfterEdit: verdict.edition })
    // One message for all verdicts: it stands above what was proposed from the first of them.
    const firstMs = Math.min(verdict.atMs, ...incident.proposals.map(({ openedAtMs }) => openedAtMs))
    if (role === 'home') add(firstMs, 'details', detailsMessage(incident, judged, clock), { picture })
    // Edited while the conclusion is the same, so that there is one text to forward; what was said of another conclusion stays as it was.
    const remedy = role === 'home' ? remedyMessage(incident, judged, clock) : null
    if (remedy !== null) add(verdict.atMs, `remedy-${verdict.sameSince}`, remedy)
  }
  for (const card of incident.proposals) {
    const opening = openingOf(incident, card)
    const again = opening === 1 ? '' : `-${opening}`
    if (role === 'home') add(card.openedAtMs, `proposal-${card.hash.slice(0, 12)}${again}`, proposalMessage(card))
    for (const decision of card.decisions) {
      add(decision.atMs, `sign-off-${decision.ledger}`, decisionMessage(card, decision))
      // What was answered from an older verdict stays as it was said.
      if (verdict === null || decision.more?.evidence !== verdict.bundle) continue
      const answer = moreAnswer(decision.more.choice, judged, verdict.atMs, clock)
      if (answer !== null) add(decision.atMs, `sign-off-${decision.ledger}-answer`, answer)
    }
  }
  const { recovery } = incident
  const said = recoveryMessage(incident)
  if (said !== null && recovery !== null) {
    const judgedAtMs = recovery.looks.at(-1)?.atMs ?? recovery.appliedAtMs
    add(judgedAtMs, `recovery-${recovery.appliedAtMs}`, said, { picture: recovery.chart })
  }
  return oneAfterAnother(all)
}

interface Happened {
  readonly atMs: number
  readonly wanted: Wanted
}

/** Each comes after the one that happened before it. */
function oneAfterAnother(all: readonly Happened[]): Wanted[] {
  const inOrder = all.toSorted((a, b) => a.atMs - b.atMs).map(({ wanted }) => wanted)
  return inOrder.map((wanted, i) => (i === 0 ? wanted : { ...wanted, after: inOrder[i - 1]!.slot }))
}

/** Somebody who asked hears of every verdict; what an alert found again nobody has to hear twice. */
function answered({ revisions, triggers }: Incident, { revision, sameSince, byAlert }: VerdictNote): number {
  const by = revisions.find(({ number }) => number === revision)?.askedBy
  return (byAlert ?? triggers.some(({ key, kind }) => key === by && kind === 'alert')) ? sameSince : revision
}

/** An answer that only one person sees. */
export function answerMessage(answer: Answer, incident: string, edition: number): Wanted {
  const { key, to, channel, answerTo, text } = answer
  const alone = { actor: to, answerTo }
  return {
    slot: `${incident === '' ? '' : `${incident}/`}alone/${key}`,
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
