/** How the height of a picture is shared out. */
import type { Box, Panel } from './frame.ts'
import { emptyHeight, panelGap, titleHeight } from './frame.ts'

/** Height of the drawing area of a panel of weight 1, where the height is free. */
const usualHeight = 168
/** Room below the panels, for the time axis. */
export const axisHeight = 92

/**
 * Panels share the height by weight; an empty one is only as high as its words.
 * @param wantedHeight of the whole picture, in its own pixels; null = as high as it needs
 */
export function boxesOf(panels: readonly Panel[], top: number, wantedHeight: number | null): Box[] {
  const empty = panels.filter((panel) => panel.notSeen !== null).length
  const weight = panels.reduce((sum, panel) => sum + (panel.notSeen === null ? panel.weight : 0), 0)
  const fixed = panels.length * (titleHeight + panelGap) - panelGap + empty * emptyHeight
  const free = wantedHeight === null ? Number.POSITIVE_INFINITY : wantedHeight - top - axisHeight - fixed
  // Below 60 pixels a panel shows nothing: then the picture is higher than asked.
  const unit = weight === 0 ? 0 : wantedHeight === null ? usualHeight : Math.max(60, free / weight)
  const boxes: Box[] = []
  let at = top
  for (const panel of panels) {
    const bottom = at + titleHeight + (panel.notSeen === null ? panel.weight * unit : emptyHeight)
    boxes.push({ top: Math.round(at), bottom: Math.round(bottom) })
    at = bottom + panelGap
  }
  return boxes
}
