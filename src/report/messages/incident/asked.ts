/** Who asked for an incident: each person and each alert once, whoever came first before the others. */
import type { Incident } from '../../../incident/incident.ts'
import { countAlerts } from '../../../incident/note-alert.ts'
import type { Trigger } from '../../../incident/trigger.ts'
import { clean } from '../../clean.ts'
import type { Block, Part, Text } from '../../message.ts'
import { plain } from '../../plain.ts'
import type { WallClock } from '../../wall-clock.ts'
import { shorten } from '../../wrap.ts'
import { instant } from './instant.ts'

/** A name longer than this leaves no room for another one. */
const longestName = 40
/** Characters of one line of small print on a phone, of " and 3 more", and of a person's name, which is not known here. */
const room = { line: 44, more: 11, person: 13 } as const
/** Lines of the list in the thread. */
const mostLines = 12

/** One line: as many as there is room for, and how many more there are. null = nobody is known. */
export function askedInBrief(incident: Incident): Text | null {
  const all = distinct(incident.triggers)
  const [first, ...rest] = all
  if (first === undefined) return null
  const count = countOf(incident, all)
  const line: Part[] = [...(first.kind === 'command' ? ['by '] : []), named(first)]
  let used = widthOf(line)
  let shown = 1
  for (const one of rest) {
    const width = 2 + widthOf([named(one)])
    if (used + width + (shown + 1 < count ? room.more : 0) > room.line) break
    line.push(', ', named(one))
    used += width
    shown++
  }
  const more = count - shown
  return more > 0 ? [...line, ` and ${more} more`] : line
}

/** For the thread: all that are kept, with their times; an empty list where one line has told it. */
export function askedInFull(incident: Incident, clock: WallClock): Extract<Block, { kind: 'answers' }> {
  const all = distinct(incident.triggers)
  const more = countOf(incident, all) - Math.min(all.length, mostLines)
  const rows = all.slice(0, mostLines).map((one, place) => ({
    label: place === 0 ? 'Asked by' : '',
    text: [named(one), ' at ', instant(one.atMs / 1000, clock)],
  }))
  return { kind: 'answers', rows: all.length < 2 ? [] : [...rows, ...(more > 0 ? [{ label: '', text: `and ${more} more` }] : [])] }
}

function distinct(triggers: readonly Trigger[]): Trigger[] {
  const byName = new Map<string, Trigger>()
  for (const one of triggers) {
    const key = one.kind === 'command' ? `person ${one.by.team} ${one.by.user}` : `alert ${one.fingerprint}`
    if (!byName.has(key)) byName.set(key, one)
  }
  return [...byName.values()]
}

/** An alert that goes on firing is one, however often it comes; those whose triggers were let go are counted still. */
function countOf(incident: Incident, all: readonly Trigger[]): number {
  const people = all.filter(({ kind }) => kind === 'command').length
  return Math.max(all.length, people + countAlerts(incident))
}

function named(trigger: Trigger): Part {
  if (trigger.kind === 'command') return { person: trigger.by.user }
  const words = `alert ${shorten(clean(trigger.name), longestName)}`
  return trigger.url === null || trigger.url === '' ? words : { link: trigger.url, words }
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (typeof part !== 'string' && 'person' in part ? room.person : plain([part]).length), 0)
}
