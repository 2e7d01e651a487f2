/** What happened at an instant (an executor removed, a deployment), on a row above the panels and as a thin line through them. */
import type { EvidenceEvent } from '../../incident/evidence.ts'
import { listed } from '../../incident/format.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { ink, page, type } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import { rounded, segment, tag, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

/** Alerts and notes tell when somebody noticed, not what happened to the pipeline. */
const notShown: readonly string[] = ['alert', 'note', 'error']
/** In a storm of events the first ones say what kind of storm it is. */
const mostMarks = 40
const widestLabel = 600
/** Room for "executor 12 removed" and little more. */
const narrowestLabel = 230

export const eventRowHeight = 38

export function shownEvents(timeline: Timeline, window: ShownWindow): EvidenceEvent[] {
  return timeline.events
    .filter((event) => event.at >= window.from && event.at <= window.to && !notShown.includes(event.kind))
    .slice(0, mostMarks)
}

export function eventMarks(events: readonly EvidenceEvent[], x: (t: number) => number, top: number, bottom: number): string {
  const tip = top + eventRowHeight - 6
  const marks = events.map((event) => {
    const at = x(event.at)
    const line = segment(at, tip, at, bottom, { stroke: ink.text, 'stroke-width': 1.5, 'stroke-dasharray': '3 6' })
    return tag('path', { d: `M${rounded(at)} ${rounded(tip)}l-9 -14h18z`, fill: ink.text }) + line
  })
  const groups = grouped(events, x)
  const labels = groups.map((group, i) => {
    const start = group.right + 16
    const end = (groups[i + 1]?.left ?? page.width - page.edge + 16) - 16
    if (end - start < narrowestLabel) return ''
    const { words, more } = groupInWords(group.events)
    const room = Math.min(widestLabel, end - start - textWidth(more, type.tick))
    return text(start, tip - 1, fitted(words, room, type.tick) + more, { size: type.tick, rim: true })
  })
  return marks.join('') + labels.join('')
}

interface Group {
  readonly events: EvidenceEvent[]
  readonly left: number
  right: number
}

/** Events too close for a label each share one, which stands to the right of the last. */
function grouped(events: readonly EvidenceEvent[], x: (t: number) => number): Group[] {
  const groups: Group[] = []
  for (const event of events) {
    const at = x(event.at)
    const last = groups.at(-1)
    if (last !== undefined && at - last.right < narrowestLabel + 32) {
      last.events.push(event)
      last.right = at
    } else {
      groups.push({ events: [event], left: at, right: at })
    }
  }
  return groups
}

/** So many kinds of events fit on one label. */
const mostKinds = 2

/** "executors 1 and 2 removed, executor 3 added": what follows on one another of one kind is one thing; the rest is counted. */
function groupInWords(events: readonly EvidenceEvent[]): { readonly words: string; readonly more: string } {
  const kinds: EvidenceEvent[][] = []
  for (const event of events) {
    const last = kinds.at(-1)
    if (last?.[0]?.kind === event.kind && isOfExecutor(event) && isOfExecutor(last[0])) last.push(event)
    else kinds.push([event])
  }
  const shown = kinds.length > mostKinds ? kinds.slice(0, mostKinds - 1) : kinds
  const rest = events.length - shown.flat().length
  return { words: shown.map(kindInWords).join(', '), more: rest === 0 ? '' : ` and ${rest} more` }
}

const isOfExecutor = (event: EvidenceEvent): boolean => event.kind.startsWith('executor_') && event.entity?.executor !== undefined

function kindInWords(events: readonly EvidenceEvent[]): string {
  const first = events[0] as EvidenceEvent
  const executors = [...new Set(events.map((event) => event.entity?.executor ?? ''))].sort((a, b) => Number(a) - Number(b))
  return executors.length === 1 ? eventInWords(first) : `executors ${listed(executors)}${spoken(first.kind).slice('executor'.length)}`
}

const spoken = (kind: string): string => kind.replaceAll('_', ' ')

function eventInWords(event: EvidenceEvent): string {
  const { executor, broker, topic, partition, member, host } = event.entity ?? {}
  const what = spoken(event.kind)
  if (executor !== undefined && what.startsWith('executor ')) return `executor ${executor}${what.slice('executor'.length)}`
  if (broker !== undefined && what.startsWith('broker ')) return `broker ${broker}${what.slice('broker'.length)}`
  const whose =
    partition !== undefined ? `partition ${partition}` : (topic ?? member ?? (executor === undefined ? host : `executor ${executor}`))
  return whose === undefined ? what : `${what}, ${whose}`
}
