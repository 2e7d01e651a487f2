/** What happened at an instant (an executor removed, a deployment), on a row above the panels and as a thin line through them. */
import type { EvidenceEvent } from '../../incident/evidence.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { ink, page, type } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import { segment, tag, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

/** Alerts and notes tell when somebody noticed, not what happened to the pipeline. */
const notShown: readonly string[] = ['alert', 'note', 'error']
/** In a storm of events the first ones say what kind of storm it is. */
const mostMarks = 40
const widestLabel = 420

export const eventRowHeight = 38

export function shownEvents(timeline: Timeline, window: ShownWindow): EvidenceEvent[] {
  return timeline.events
    .filter((event) => event.at >= window.from && event.at <= window.to && !notShown.includes(event.kind))
    .slice(0, mostMarks)
}

export function eventMarks(events: readonly EvidenceEvent[], x: (t: number) => number, top: number, bottom: number): string {
  let free = 0
  const row = events.map((event) => {
    const at = x(event.at)
    const tip = top + eventRowHeight - 6
    const mark =
      tag('path', { d: `M${at.toFixed(1)} ${tip}l-9 -14h18z`, fill: ink.text }) +
      segment(at, tip, at, bottom, { stroke: ink.text, 'stroke-width': 1.5, 'stroke-dasharray': '3 6' })
    const words = fitted(eventInWords(event), widestLabel, type.tick)
    const width = textWidth(words, type.tick)
    // To the right of its mark, or to the left where the page ends.
    const start = at + 16 + width <= page.width - page.edge ? at + 16 : at - 16 - width
    if (start < free) return mark
    free = start + width + 24
    return mark + text(start, tip - 1, words, { size: type.tick, rim: true })
  })
  return row.join('')
}

function eventInWords(event: EvidenceEvent): string {
  const { executor, broker, topic, partition, member, host } = event.entity ?? {}
  const what = event.kind.replaceAll('_', ' ')
  if (executor !== undefined && what.startsWith('executor ')) return `executor ${executor}${what.slice('executor'.length)}`
  if (broker !== undefined && what.startsWith('broker ')) return `broker ${broker}${what.slice('broker'.length)}`
  const whose =
    partition !== undefined ? `partition ${partition}` : (topic ?? member ?? (executor === undefined ? host : `executor ${executor}`))
  return whose === undefined ? what : `${what}, ${whose}`
}
