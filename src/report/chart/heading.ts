/** The two lines above the chart: what it is, and where, how sure, or why not. */
import type { Attribution } from '../../attribution/attribution.ts'
import type { Place } from '../../incident/place.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { wordsFor } from '../cause-words.ts'
import { decides } from '../decides.ts'
import { placeInWords } from '../place-words.ts'
import { reasonInWords } from '../reason-words.ts'
import type { WallClock } from '../wall-clock.ts'
import type { Layout } from './layout.ts'
import { ink } from './look.ts'
import { text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

export function heading(
  timeline: Timeline,
  attribution: Attribution | null,
  title: string | null,
  clock: WallClock,
  layout: Layout,
): string {
  const asked = timeline.zeroS + timeline.now
  const stamp = `asked ${clock.day(asked)} ${clock.time(asked)}`
  const whole = title === null ? titleOf(timeline.pipeline.name, verdictOf(timeline, attribution), layout) : title
  return headingLines(whole, belowTitle(timeline, attribution, layout), stamp, layout)
}

const roomIn = ({ width, edge }: Layout): number => width - edge * 2

/** @param stamp stands at the right, below the title; what is below gives way to it */
function headingLines(title: string, below: string, stamp: string, layout: Layout): string {
  const { type, edge, top, width } = layout
  const room = roomIn(layout)
  const quiet = { size: type.subtitle, color: ink.quiet }
  const left = fitted(below, room - textWidth(stamp, type.subtitle) - 40, type.subtitle)
  return (
    text(edge, top + 40, fitted(title, room, type.title, 'semibold'), { size: type.title, weight: 'semibold' }) +
    text(edge, top + 84, left, quiet) +
    text(width - edge, top + 84, stamp, { ...quiet, anchor: 'end' })
  )
}

/** A long name gives way to what is said about it. */
function titleOf(name: string, what: string, layout: Layout): string {
  const { type } = layout
  return fitted(name, roomIn(layout) - textWidth(what, type.title, 'semibold'), type.title, 'semibold') + what
}

function verdictOf({ pipeline }: Timeline, attribution: Attribution | null): string {
  if (attribution === null) return ''
  if (attribution.outcome === 'inconclusive') return ': inconclusive'
  return `: ${wordsFor(attribution.cause ?? 'none', pipeline).phrase}`
}

function belowTitle(timeline: Timeline, attribution: Attribution | null, layout: Layout): string {
  if (attribution === null) return ''
  if (attribution.outcome === 'inconclusive') return reasonInWords(decides(attribution, timeline).reason)
  const sure = [wordsFor(attribution.cause ?? 'none').title, attribution.confidenceWords].filter((part) => part !== null).join(', ')
  const place = attribution.outcome === 'none' ? null : placeInWords(shortNames(attribution.place, layout))
  return place === null ? sure : `${sure}  ·  ${place}`
}

const longestName = 560

function shortNames(place: Place, { type }: Layout): Place {
  const short = (name: string | null): string | null => (name === null ? null : fitted(name, longestName, type.subtitle))
  return { ...place, topic: short(place.topic), executor: short(place.executor), host: short(place.host), broker: short(place.broker) }
}
