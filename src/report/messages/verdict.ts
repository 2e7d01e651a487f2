/** The verdict as a message: first what a person needs within five seconds, then what speaks for and against it. */
import type { Attribution, Evidence } from '../../attribution/attribution.ts'
import { relative, share, times } from '../../incident/format.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { Tone } from '../ansi.ts'
import { canBe, wordsFor } from '../cause-words.ts'
import { clean } from '../clean.ts'
import { completeInWords, deadlineInWords } from '../complete-words.ts'
import { costInWords } from '../cost-words.ts'
import { decides } from '../decides.ts'
import type { Block, Fact, Item, Message } from '../message.ts'
import { placeInWords } from '../place-words.ts'
import { pressureWord } from '../pressure-words.ts'
import { reasonInWords } from '../reason-words.ts'
import { signalWord } from '../signal-words.ts'
import { withTimes } from '../times-in-text.ts'
import type { WallClock } from '../wall-clock.ts'
import { wallClock } from '../wall-clock.ts'
import { shorten } from '../wrap.ts'
import type { Checks } from './checks.ts'
import { checksOf } from './checks.ts'
import { gapItems } from './gap-items.ts'
import { whatWasLookedAt } from './looked-at.ts'
import { notUsed } from './not-used.ts'

/** What fits on one screen; the rest is counted and shown with `verbose`. */
const most = { supporting: 6, opposing: 4, ruledOut: 6, commands: 4, gaps: 12, signals: 8 }

export function verdictMessage(
  attribution: Attribution,
  timeline: Timeline,
  view: { readonly zone: string; readonly verbose: boolean },
): Message {
  const clock = wallClock(view.zone)
  const limit = (usual: number): number => (view.verbose ? Number.POSITIVE_INFINITY : usual)
  const say = (text: string): string => withTimes(text, timeline, clock)
  const checks = checksOf(attribution, say, limit(most.commands))
  const items = (evidence: readonly Evidence[]): Item[] =>
    strongestFirst(evidence).map(({ says, check }) => alone(`${say(says)}${checks.mark(check)}`))
  const speaks = titlesOf(attribution)
  const blocks: Block[] = [
    headline(attribution, timeline, say),
    { kind: 'facts', rows: facts(attribution, timeline, clock, say) },
    ...pressureBars(attribution),
    ...(attribution.outcome === 'none' ? [list('Looked at', '·', 'plain', whatWasLookedAt(timeline).map(alone), most.ruledOut + 4)] : []),
    list('Best candidates', '?', 'unsure', bestCandidates(attribution, timeline), 2),
    list(speaks.for, '+', 'good', items(attribution.supporting), limit(most.supporting)),
    list(speaks.against, '−', 'unsure', items(attribution.opposing), limit(most.opposing)),
    list('Follows from another cause', '↳', 'dim', consequenceItems(attribution), Number.POSITIVE_INFINITY),
    list('Ruled out', '×', 'dim', ruledOutItems(attribution, timeline, say, checks), limit(most.ruledOut)),
    list('Not seen', '?', 'unsure', gapItems(attribution.gaps, timeline, clock, say, limit(most.signals)), limit(most.gaps)),
    list(
      'Not used',
      '·',
      'dim',
      notUsed(timeline, view.verbose || attribution.outcome === 'inconclusive', view.verbose),
      Number.POSITIVE_INFINITY,
    ),
    checks.block,
    ...(view.verbose
      ? [
          list('All candidates, best first', '·', 'dim', attribution.ranking.map(rankedItem), Number.POSITIVE_INFINITY),
          list('Checked', '·', 'dim', [alone(attribution.closure.says)], 1),
        ]
      : []),
  ]
  return blocks.filter((block) => !isEmpty(block))
}

/** A longer name would push what matters from the first line. */
const longestName = 48

const alone = (text: string): Item => ({ text, note: null })

function headline(attribution: Attribution, timeline: Timeline, say: (text: string) => string): Block {
  const { outcome, cause } = attribution
  const tone = ({ cause: 'bad', none: 'good', inconclusive: 'unsure' } as const)[outcome]
  const what =
    outcome === 'inconclusive'
      ? `inconclusive, ${reasonInWords(decides(attribution, timeline).reason)}`
      : wordsFor(cause ?? 'none', timeline.pipeline).phrase
  // The engine's sentence has the numbers of this incident; where it has none it says the same again.
  const below = attribution.headline === '' || attribution.headline === what ? null : sentence(say(attribution.headline))
  return { kind: 'headline', tone, text: `${shorten(clean(timeline.pipeline.name), longestName)}: ${what}`, below }
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

function facts(attribution: Attribution, timeline: Timeline, clock: WallClock, say: (text: string) => string): Fact[] {
  const rows: Fact[] = []
  const add = (label: string, text: string | null, tone: Tone = 'plain'): void => {
    if (text !== null && text !== '') rows.push({ label, text, tone })
  }
  if (attribution.outcome === 'cause' && attribution.cause !== null) {
    const sure = attribution.confidenceWords ?? 'how sure is not known'
    add('Cause', `${wordsFor(attribution.cause).title}, ${sure}`, 'strong')
    if (attribution.also.length > 0) add('Also', `${attribution.also.map((cause) => wordsFor(cause).title).join(', ')}, at the same time`)
  }
  if (attribution.outcome !== 'inconclusive') add('Where', placeInWords(attribution.place))
  else if (isSuspected(attribution)) add('Suspect', placeInWords(attribution.place))
  add('Since', onsetInWords(attribution, timeline, clock))
  for (const line of costInWords(attribution, timeline)) add('Cost', line)
  if (attribution.completeTo !== null) add('Complete', completeInWords(attribution.completeTo, timeline, clock))
  for (const deadline of attribution.deadlines) add('Deadline', deadlineInWords(deadline, timeline, clock), 'bad')
  if (attribution.closure.state === 'broken' || attribution.closure.state === 'open') add('Data', attribution.closure.says, 'bad')
  if (attribution.outcome === 'inconclusive') {
    for (const one of disagreeing(attribution)) add('Disagree', say(one.says))
    const { signal, how } = decides(attribution, timeline)
    add('Decides', signal === null ? null : signalWord(signal), 'strong')
    add('Get it', how === null ? null : say(how), 'strong')
  } else {
    add('Next', wordsFor(attribution.cause ?? 'none', timeline.pipeline).next, attribution.outcome === 'cause' ? 'strong' : 'plain')
  }
  return rows
}

/** An onset is an interval: what was still normal at its start was not any more at its end. */
function onsetInWords(attribution: Attribution, timeline: Timeline, clock: WallClock): string | null {
  if (attribution.onset === null) return null
  const [from, to] = attribution.onset
  const nowS = timeline.zeroS + timeline.now
  const start = clock.moment(timeline.zeroS + from, nowS)
  const end = clock.moment(timeline.zeroS + to, nowS)
  const ago = relative((from + to) / 2 - timeline.now)
  return start === end ? `${start} (${ago})` : `between ${start} and ${end} (${ago})`
}

function pressureBars(attribution: Attribution): Block[] {
  const rows = Object.entries(attribution.pressure)
    .filter(([, part]) => Math.abs(part) >= 0.005)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name, part]) => ({ label: pressureWord(name), share: part }))
  if (rows.length === 0) return []
  const now = attribution.pressureNow
  const before = attribution.pressureBefore
  const was = before === null ? '' : `, ${times(Math.exp(before))} before`
  return [{ kind: 'bars', title: 'Pressure', note: now === null ? null : `demand is ${times(Math.exp(now))} capacity${was}`, rows }]
}

/** The engine tells nothing for a candidate that is no suspect. */
function isSuspected({ ranking, supporting }: Attribution): boolean {
  return supporting.length > 0 && ranking.find(([cause]) => cause !== 'unknown')?.[0] !== 'none'
}

/** Less likely than this counts as ruled out by the engine. */
const leastLikely = 0.05

function bestCandidates(attribution: Attribution, { pipeline }: Timeline): Item[] {
  if (attribution.outcome !== 'inconclusive' || !isSuspected(attribution)) return []
  const { ranking, suspect } = attribution
  // What stands before the suspect is spoken against by what was seen.
  const from = Math.max(
    0,
    ranking.findIndex(([cause]) => cause === suspect),
  )
  return ranking
    .slice(from)
    .filter(([cause, p]) => cause !== 'unknown' && cause !== 'none' && (p >= leastLikely || cause === suspect) && canBe(cause, pipeline))
    .map(([cause]) => wordsFor(cause, pipeline))
    .map(({ title, phrase }) => alone(`${title}: ${phrase}`))
}

/** "For" and "against" what: without a suspect, what was seen speaks for calm or against it. */
function titlesOf(attribution: Attribution): { readonly for: string; readonly against: string } {
  if (attribution.outcome !== 'inconclusive') return { for: attribution.outcome === 'cause' ? 'Why' : 'For it', against: 'Against' }
  return isSuspected(attribution)
    ? { for: 'For the first of them', against: 'Against it' }
    : { for: 'Looks normal', against: 'Looks wrong' }
}

const rankedItem = ([cause, weight]: readonly [string, number]): Item => ({
  text: `${wordsFor(cause).title} (${cause}) ${weight.toFixed(2)}`,
  note: null,
})

function strongestFirst(evidence: readonly Evidence[]): Evidence[] {
  return evidence.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
}

/** The two readings of a verdict that is inconclusive because they disagree. */
function disagreeing({ reason, supporting, opposing }: Attribution): Evidence[] {
  const [, ids = ''] = /^disagree:(.*)$/.exec(reason ?? '') ?? []
  return ids.split('/').flatMap((id) => [...supporting, ...opposing].find((one) => one.id === id) ?? [])
}

function consequenceItems({ consequences }: Attribution): Item[] {
  return consequences.map(({ cause, of, share: left }) =>
    alone(`${wordsFor(cause).title}: a consequence of "${wordsFor(of).title}"; without that ${share(left)} of the extra time is left`),
  )
}

/** One number often rules out several causes: said once. */
function ruledOutItems(attribution: Attribution, { pipeline }: Timeline, say: (text: string) => string, checks: Checks): Item[] {
  const byNumber = new Map<string, string[]>()
  for (const { cause, by, check } of attribution.ruledOut.filter((one) => canBe(one.cause, pipeline))) {
    const number = `${say(by)}${checks.mark(check)}`
    byNumber.set(number, [...(byNumber.get(number) ?? []), wordsFor(cause).title])
  }
  return [...byNumber].map(([number, titles]) => alone(`${titles.join(', ')}: ${number}`))
}

function list(title: string, mark: string, tone: Tone, all: readonly Item[], limit: number): Block {
  return { kind: 'list', title, mark, tone, items: all.slice(0, limit), left: Math.max(0, all.length - limit) }
}

function isEmpty(block: Block): boolean {
  switch (block.kind) {
    case 'headline':
    case 'picture':
      return false
    case 'facts':
    case 'bars':
    case 'answers':
    case 'small':
      return block.rows.length === 0
    case 'buttons':
    case 'list':
    case 'commands':
      return block.items.length === 0
  }
}
