/** What happened at an instant (an executor removed, a deployment), on a row above the panels and as a thin line through them. */
import type { EvidenceEvent } from '../../incident/evidence.ts'
import { listed } from '../../incident/format.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { clean } from '../clean.ts'
import type { Layout } from './layout.ts'
import { ink } from './look.ts'
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
/** The start and the end of that, where there is no more. */
const shortestLabel = 150

export function shownEvents(timeline: Timeline, window: ShownWindow): EvidenceEvent[] {
  return timeline.events
    .filter((event) => event.at >= window.from && event.at <= window.to && !notShown.includes(event.kind))
    .slice(0, mostMarks)
}

type Span = readonly [left: number, right: number]

/** @param tab what stands in the same row, which the words go round */
export function eventMarks(
  events: readonly EvidenceEvent[],
  x: (t: number) => number,
  top: number,
  bottom: number,
  layout: Layout,
  tab: Span | null,
): string {
  const tip = top + 32
  const marks = events.map((event) => {
    const at = x(event.at)
    const line = segment(at, tip, at, bottom, { stroke: ink.text, 'stroke-width': 1.5, 'stroke-dasharray': '3 6' })
    const hidden = tab !== null && at + 9 >= tab[0] && at - 9 <= tab[1]
    return hidden ? line : tag('path', { d: `M${rounded(at)} ${rounded(tip)}l-9 -14h18z`, fill: ink.text }) + line
  })
  return marks.join('') + eventLabels(grouped(events, x), tip - (layout.rows.events === 0 ? 7 : 1), layout, tab)
}

function eventLabels(groups: readonly Group[], y: number, layout: Layout, tab: Span | null): string {
  const { tick: size } = layout.type
  const taken = [...(tab === null ? [] : [tab]), ...groups.map(({ left, right }): Span => [left, right])]
  const labels: string[] = []
  for (const group of groups) {
    const places = [placeAfter(group, taken, layout), placeBefore(group, taken, layout)]
    const place = places.find(({ room }) => room >= narrowestLabel) ?? places.find(({ room }) => room >= shortestLabel)
    if (place === undefined) continue
    const words = groupInWords(group.events, Math.min(widestLabel, place.room), layout)
    const width = textWidth(words, size)
    taken.push(place.anchor === 'start' ? [place.at, place.at + width] : [place.at - width, place.at])
    labels.push(text(place.at, y, words, { size, rim: true, anchor: place.anchor }))
  }
  return labels.join('')
}

interface Place {
  readonly at: number
  readonly room: number
  readonly anchor: 'start' | 'end'
}

/** Between words, and between them and a mark. */
const apart = 16

/** To the right of its marks and of what stands there. */
function placeAfter({ right }: Group, taken: readonly Span[], { edge, width }: Layout): Place {
  let at = right + apart
  for (const span of taken.toSorted((a, b) => a[0] - b[0])) if (span[0] - apart < at && span[1] + apart > at) at = span[1] + apart
  const end = Math.min(width - edge, ...taken.filter((span) => span[0] > at).map((span) => span[0] - apart))
  return { at, room: end - at, anchor: 'start' }
}

function placeBefore({ left }: Group, taken: readonly Span[], { edge }: Layout): Place {
  let at = left - apart
  for (const span of taken.toSorted((a, b) => b[1] - a[1])) if (span[0] - apart < at && span[1] + apart > at) at = span[0] - apart
  const start = Math.max(edge, ...taken.filter((span) => span[1] < at).map((span) => span[1] + apart))
  return { at, room: at - start, anchor: 'end' }
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
function groupInWords(events: readonly EvidenceEvent[], room: number, { labels, type }: Layout): string {
  const kinds: EvidenceEvent[][] = []
  for (const event of events) {
    const last = kinds.at(-1)
    if (last?.[0]?.kind === event.kind && isOfExecutor(event) && isOfExecutor(last[0])) last.push(event)
    else kinds.push([event])
  }
  const narrow = labels === 'above'
  const first = (most: number): readonly [words: string, more: string] => {
    const shown = kinds.slice(0, most)
    const rest = events.length - shown.flat().length
    return [shown.map(kindInWords).join(', '), rest === 0 ? '' : narrow ? ` +${rest}` : ` and ${rest} more`]
  }
  const whole = first(kinds.length > mostKinds ? mostKinds - 1 : mostKinds)
  const [one, others] = first(1)
  const forms = narrow ? [whole, [one, others] as const, [one.replace(/^executor/, 'exec'), others] as const] : [whole]
  const fits = ([words, more]: readonly [string, string]): boolean => textWidth(clean(words) + more, type.tick) <= room
  const [words, more] = forms.find(fits) ?? (forms.at(-1) as typeof whole)
  return fitted(words, room - textWidth(more, type.tick), type.tick) + more
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
