/** Panels below one another on one time axis. */
import { emptyPanel } from './empty-panel.ts'
import type { Box, Panel } from './frame.ts'
import { backdrop, endLabels, holeLabels, isRow, panelArea } from './frame.ts'
import type { Layout } from './layout.ts'
import { ink } from './look.ts'
import { segment } from './svg.ts'
import type { Tick } from './time-axis.ts'
import { titleRow } from './title-row.ts'

interface Through {
  /** Drawn through all panels behind their lines, and before them. */
  readonly behind: string
  readonly before: string
}

/** @param boxes one for each panel @param x from the seconds of the ticks to units of the layout */
export function stacked(
  panels: readonly Panel[],
  boxes: readonly Box[],
  x: (t: number) => number,
  ticks: readonly Tick[],
  layout: Layout,
  through: Through,
): string {
  const drawn = panels.map((panel, i) => ({ panel, box: boxes[i] as Box }))
  const full = drawn
    .filter(({ panel }) => !isRow(panel, layout))
    .map(({ panel, box }) => ({ panel, box, area: panelArea(panel, box, x, layout) }))
  const parts: string[] = []
  // From back to front: what was not seen and the scales, the marks, the words.
  for (const { panel, area } of full) parts.push(backdrop(panel, area, layout))
  for (const { area } of full)
    for (const tick of ticks) parts.push(segment(x(tick.t), area.top, x(tick.t), area.bottom, { stroke: ink.rule, 'stroke-width': 1.5 }))
  parts.push(through.behind)
  for (const { panel, area } of full) parts.push(panel.draw(area))
  parts.push(through.before)
  for (const { panel, box, area } of full)
    parts.push(
      titleRow(panel, box, layout),
      holeLabels(panel, area, layout),
      layout.labels === 'beside' ? endLabels(panel, area, layout) : '',
    )
  for (const { panel, box } of drawn)
    if (isRow(panel, layout)) parts.push(panel.notSeen === null ? titleRow(panel, box, layout) : emptyPanel(panel, box, layout))
  return parts.join('')
}
