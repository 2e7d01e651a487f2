/** How the height of a picture is shared out. */
import type { Box, Panel } from './frame.ts'
import { isRow } from './frame.ts'
import type { Layout } from './layout.ts'

/** Panels share the height by weight; one with nothing to draw is only as high as its words. */
export function boxesOf(panels: readonly Panel[], top: number, layout: Layout): Box[] {
  const { height, plot, rows } = layout
  const own = (panel: Panel): number => (panel.notSeen !== null ? rows.empty : 0)
  const weight = panels.reduce((sum, panel) => sum + (isRow(panel, layout) ? 0 : panel.weight), 0)
  const fixed = panels.reduce((sum, panel) => sum + rows.title + own(panel) + rows.gap, -rows.gap)
  // A panel that would show nothing makes the picture higher instead.
  const unit =
    height === null || weight === 0 ? plot.usual : Math.min(plot.usual, Math.max(plot.least, (height - top - rows.axis - fixed) / weight))
  const boxes: Box[] = []
  let at = top
  for (const panel of panels) {
    const bottom = at + rows.title + (isRow(panel, layout) ? own(panel) : panel.weight * unit)
    boxes.push({ top: Math.round(at), bottom: Math.round(bottom) })
    at = bottom + rows.gap
  }
  return boxes
}
