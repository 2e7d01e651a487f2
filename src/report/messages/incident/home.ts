/**
 * The one message of an incident in its channel, edited through its life. From it alone a reader at 3 a.m. can tell what, where, since
 * when, how sure, what it costs and what to do; everything else stands in its thread. Short enough for one screen of a phone.
 */
import type { Attribution } from '../../../attribution/attribution.ts'
import { duration, listed } from '../../../incident/format.ts'
import type { Incident } from '../../../incident/incident.ts'
import type { Timeline } from '../../../timeline/timeline.ts'
import type { Tone } from '../../ansi.ts'
import { wordsFor } from '../../cause-words.ts'
import type { ChartSize } from '../../chart/layout.ts'
import { messageLayout } from '../../chart/layout.ts'
import { clean } from '../../clean.ts'
import { costInBrief } from '../../cost-words.ts'
import { decides } from '../../decides.ts'
import type { Block, Message, Part, Text } from '../../message.ts'
import { placeInWords } from '../../place-words.ts'
import { plain } from '../../plain.ts'
import { reasonInWords } from '../../reason-words.ts'
import { recoveryWords } from '../../recovery-words.ts'
import { signalWord } from '../../signal-words.ts'
import { withTimes } from '../../times-in-text.ts'
import type { WallClock } from '../../wall-clock.ts'
import { shorten } from '../../wrap.ts'
import { askedInBrief } from './asked.ts'
import { buttons } from './buttons.ts'
import { instant } from './instant.ts'
import { checkChartNow, isWell, outcomeNow } from './outcome.ts'
import { sentence } from './sentence.ts'
import { unseenSources } from './unseen.ts'
import { whatToDo } from './what-to-do.ts'

/** The chart for this message; `width` in pixels: two for each unit, sharp on every screen. */
export const homeChart: ChartSize = { layout: messageLayout, width: 2 * messageLayout.width }

export interface Judged {
  readonly attribution: Attribution
  readonly timeline: Timeline
}

export interface Said {
  /** First line of the notification: the conclusion. */
  readonly text: string
  readonly body: Message
}

type Row = { readonly label: string; readonly text: Text }

/** A longer name pushes what matters off the screen of a phone. */
const longestName = 40

/**
 * @param judged the newest verdict, judged again from its frozen evidence; null = there is none yet, or it is kept no longer
 * @param threadIn channel of the message in whose thread everything else stands; null = it is this one
 */
export function homeMessage(incident: Incident, judged: Judged | null, clock: WallClock, threadIn: string | null = null): Said {
  const head = headline(incident, judged)
  const body: Message = [
    head,
    { kind: 'answers', rows: judged === null ? unjudgedRows(incident) : verdictRows(incident, judged, clock) },
    ...(judged === null && checkChartNow(incident) === null ? [] : [{ kind: 'picture' } as const]),
    ...whatToDo(incident),
    ...buttons(incident),
    { kind: 'small', rows: smallPrint(incident, judged, clock, threadIn) },
  ]
  return { text: head.text, body: body.filter((block) => !empty(block)) }
}

const empty = (block: Block): boolean => ('rows' in block ? block.rows.length === 0 : 'items' in block && block.items.length === 0)

type Headline = Extract<Block, { kind: 'headline' }>

function headline(incident: Incident, judged: Judged | null): Headline {
  const recovery = outcomeNow(incident)
  if (recovery === null) return conclusion(incident, judged)
  return saying(incident, isWell(recovery) ? 'good' : 'unsure', recoveryWords[recovery])
}

function saying({ pipeline }: Incident, tone: Tone, what: string): Headline {
  return { kind: 'headline', tone, text: ofPipeline(pipeline, what), below: null }
}

/** "orders: the change had no effect" */
export function ofPipeline(pipeline: string, what: string): string {
  return `${shorten(clean(pipeline), longestName)}: ${what}`
}

/** What the newest verdict says, whatever became of it since. */
export function conclusion(incident: Incident, judged: Judged | null): Headline {
  const say = (tone: Tone, what: string): Headline => saying(incident, tone, what)
  const concluded = judged?.attribution ?? incident.verdict
  if (concluded === null)
    return say('plain', incident.revisions.at(-1)?.state === 'failed' ? 'the diagnosis failed' : 'looking at the whole path…')
  const { outcome, cause } = concluded
  if (outcome === 'inconclusive')
    return say(
      'unsure',
      judged === null ? 'inconclusive' : `inconclusive, ${reasonInWords(decides(judged.attribution, judged.timeline).reason)}`,
    )
  return say(outcome === 'none' ? 'good' : 'bad', wordsFor(cause ?? 'none').phrase)
}

/** There is no verdict yet, or its evidence is kept no longer. */
function unjudgedRows(incident: Incident): Row[] {
  if (incident.verdict !== null) return [{ label: 'Found', text: sentence(incident.verdict.headline) }]
  const trigger = incident.triggers.at(-1)
  if (trigger === undefined) return []
  if (trigger.kind === 'command') return [{ label: 'Asked', text: ['by ', { person: trigger.by.user }] }]
  return [{ label: 'Alert', text: sentence(trigger.summary === '' ? trigger.name : trigger.summary) }]
}

function verdictRows(incident: Incident, { attribution, timeline }: Judged, clock: WallClock): Row[] {
  const rows: Row[] = []
  const add = (label: string, text: Text | null): void => {
    if (text !== null && plain(text) !== '') rows.push({ label, text: typeof text === 'string' ? sentence(text) : text })
  }
  const outcome = outcomeNow(incident)
  if (outcome !== null) add('It was', wordsFor(attribution.cause ?? 'none').phrase)
  const inconclusive = attribution.outcome === 'inconclusive'
  add(inconclusive ? 'Suspect' : 'Where', placeInWords(attribution.place))
  add('Since', since({ attribution, timeline }, clock))
  // What it cost before the change, and how sure that was, is no news after it.
  if (outcome !== null) return rows
  if (attribution.outcome === 'cause') add('How sure', attribution.confidenceWords ?? 'how sure is not known')
  add('Cost', costInBrief(attribution, timeline))
  for (const deadline of attribution.deadlines.slice(0, 1)) {
    const at = instant(timeline.zeroS + deadline.at, clock)
    const objective = objectiveOf(deadline)
    if (objective === null) add('Deadline', [`${clean(deadline.what)} at `, at])
    else if (deadline.kind === 'objective_breaks') add('Deadline', [at, `, objective ${objective}`])
    else add('Objective', [`${objective}, missed `, at])
  }
  const { signal, how, reason } = decides(attribution, timeline)
  // Where the headline names it already, it is not said again.
  const named = signal !== null && reasonInWords(reason).includes(signalWord(signal))
  if (inconclusive && !named) add('Would tell', signal === null ? null : signalWord(signal))
  if (inconclusive) add('To get it', how === null ? null : sentence(withTimes(how, timeline, clock), 'oneOfTwo'))
  return rows
}

/** "the table is older than its objective of 2 min" → "2 min": what is late stands beside it. */
function objectiveOf({ kind, what }: Attribution['deadlines'][number]): string | null {
  const objective = kind === 'data_loss' ? undefined : /\bobjective of ([^;.]+)$/.exec(what)?.[1]
  return objective === undefined ? null : clean(objective)
}

export function since({ attribution, timeline }: Judged, clock: WallClock): Text | null {
  if (attribution.onset === null) return null
  const [from, to] = attribution.onset.map((t) => timeline.zeroS + t) as [number, number]
  // A chat shows minutes.
  return clock.minute(from) === clock.minute(to) ? [instant(from, clock)] : ['between ', instant(from, clock), ' and ', instant(to, clock)]
}

const again = (revision: number): Part[] => (revision > 1 ? [`, revision ${revision}`] : [])

function smallPrint(incident: Incident, judged: Judged | null, clock: WallClock, threadIn: string | null): Text[] {
  const rows: Text[] = []
  const asked = askedInBrief(incident)
  if (asked !== null) rows.push(asked)
  const [seen, more] = [lookedAt(incident, clock), pointer(judged, threadIn)]
  if (seen.length + more.length > 0) rows.push([...seen, ...(seen.length > 0 && more.length > 0 ? [' · '] : []), ...more])
  const names = judged === null ? [] : unseenSources(judged.attribution.gaps, judged.timeline, judged.attribution.onset)
  if (names.length > 0) rows.push(`Not seen: ${listed(names, 4)}`)
  const newest = incident.revisions.at(-1)
  const closed = incident.state === 'closed' && newest?.state === 'queued'
  if (incident.verdict !== null && newest !== undefined && newest.number > incident.verdict.revision && !closed)
    rows.push(newest.state === 'failed' ? 'A newer look failed.' : 'Looking again…')
  const { recovery } = incident
  const next = recovery?.outcome === null ? recovery.planned.find((at) => at > (recovery.looks.at(-1)?.plannedMs ?? 0)) : undefined
  if (next !== undefined) rows.push(['Checked again at ', instant(next / 1000, clock)])
  const before = incident.verdictBefore
  if (before !== null)
    rows.push([`Before: ${before.cause === null ? before.outcome : wordsFor(before.cause).title}, at `, instant(before.atMs / 1000, clock)])
  if (incident.state === 'closed' && incident.closedAtMs !== null) {
    rows.push([
      `Closed after ${duration((incident.closedAtMs - incident.openedAtMs) / 1000)}: `,
      closedWords[incident.closedBecause ?? 'quiet'],
    ])
  }
  return rows
}

/** With the window that somebody asked for: a time read in another zone than it was meant in is noticed here. */
function lookedAt({ verdict, revisions }: Incident, clock: WallClock): Part[] {
  if (verdict === null) return []
  const sinceMs = revisions.find(({ number }) => number === verdict.revision)?.sinceMs ?? null
  const window: Part[] = sinceMs === null ? [] : [', asked since ', instant(sinceMs / 1000, clock)]
  return ['looked at ', instant(verdict.atMs / 1000, clock), ...again(verdict.revision), ...window]
}

/** Who looks for more finds it in the thread: this is never left out. In another channel it leads there, once both messages stand. */
function pointer(judged: Judged | null, threadIn: string | null): Part[] {
  if (threadIn !== null) return ['more in ', { link: '', words: 'the thread' }, ' in ', { channel: threadIn }]
  return judged === null ? [] : ['more in the thread']
}

const closedWords: Readonly<Record<NonNullable<Incident['closedBecause']>, string>> = {
  recovered: 'it recovered',
  resolved: 'the alerts are resolved and nothing new came for 15 min',
  quiet: 'nobody asked again for 24 h',
}
