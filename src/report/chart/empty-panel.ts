/** A panel of which nothing was seen: why stands in it, and its place is hatched. An empty box would look like zero. */
import type { Box, Panel } from './frame.ts'
import type { Layout } from './layout.ts'
import { ink } from './look.ts'
import { rect, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'
import { title, titleRow, titleWidth } from './title-row.ts'

export function emptyPanel(panel: Panel, box: Box, layout: Layout): string {
  return layout.rows.empty === 0 ? emptyRow(panel, box, layout) : titleRow(panel, box, layout) + emptyBox(panel, box, layout)
}

const reasonOf = ({ notSeen }: Panel): string => `not seen: ${notSeen ?? ''}`

function emptyBox(panel: Panel, box: Box, { edge, left, rows, type, width }: Layout): string {
  const top = box.top + rows.title
  const words = fitted(reasonOf(panel), width - left - edge - 32, type.label)
  return (
    hatched(left, top, width - edge, box.bottom) +
    text(left + 16, (top + box.bottom) / 2 + 9, words, { size: type.label, color: ink.quiet, rim: true })
  )
}

/** So much of a row is hatched at least. */
const leastHatched = 60

function emptyRow(panel: Panel, box: Box, layout: Layout): string {
  const { edge, type, width } = layout
  const start = edge + titleWidth(panel.title, '', layout) + 20
  const words = fitted(reasonOf(panel), width - edge - leastHatched - 14 - start, type.label)
  const end = start + textWidth(words, type.label) + 14
  return (
    title(edge, box, panel.title, '', layout) +
    text(start, box.top + type.panel, words, { size: type.label, color: ink.quiet, rim: true }) +
    hatched(end, box.top + 2, width - edge, box.bottom)
  )
}

function hatched(left: number, top: number, right: number, bottom: number): string {
  return rect(left, top, right - left, bottom - top, { fill: 'url(#unseen)', stroke: ink.rule, 'stroke-width': 1.5 })
}
