/** When it began, as a band through all panels: an interval, because that is all that samples can tell. */
import type { Layout } from './layout.ts'
import { plotOf } from './layout.ts'
import { ink } from './look.ts'
import { rect, segment, text } from './svg.ts'
import { textWidth } from './text-width.ts'

export interface Onset {
  readonly left: number
  readonly right: number
  readonly words: string
}

/** So narrow a band would vanish at phone size. */
const leastWidth = 6

export function onsetBand(onset: Onset, top: number, bottom: number): string {
  const [left, width] = spanOf(onset)
  return (
    rect(left, top, width, bottom - top, { fill: ink.onset, 'fill-opacity': 0.28 }) +
    segment(left, top, left, bottom, { stroke: ink.onset, 'stroke-width': 2 }) +
    segment(left + width, top, left + width, bottom, { stroke: ink.onset, 'stroke-width': 2 })
  )
}

/** A tab on top of the band, kept inside the drawing area. */
export function onsetLabel(onset: Onset, top: number, layout: Layout): string {
  const { label } = layout.type
  const [left, right] = tabOf(onset, layout)
  return (
    rect(left, top, right - left, label + 10, { fill: ink.onset, rx: 6 }) +
    text((left + right) / 2, top + label + 1, onset.words, { size: label, weight: 'semibold', anchor: 'middle' })
  )
}

/** Left and right side of the tab. */
export function tabOf(onset: Onset, layout: Layout): [number, number] {
  const [left, width] = spanOf(onset)
  const [first, last] = plotOf(layout)
  const half = textWidth(onset.words, layout.type.label, 'semibold') / 2 + 12
  const middle = Math.min(last - half, Math.max(first + half, left + width / 2))
  return [middle - half, middle + half]
}

function spanOf(onset: Onset): [number, number] {
  const width = Math.max(leastWidth, onset.right - onset.left)
  return [(onset.left + onset.right) / 2 - width / 2, width]
}
