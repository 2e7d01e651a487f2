/** The paper a picture is drawn on: its size, its patterns, and where lines may be. */
import type { Layout } from './layout.ts'
import { plotOf } from './layout.ts'
import { ink } from './look.ts'
import { rect, tag } from './svg.ts'

/** @param height in units of the layout @param width pixels of the finished picture */
export function sheet(height: number, width: number, layout: Layout, parts: readonly string[]): string {
  const size = { width, height: Math.round((height * width) / layout.width), viewBox: `0 0 ${layout.width} ${height}` }
  const paper = rect(0, 0, layout.width, height, { fill: ink.paper })
  return tag('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, role: 'img' }, definitions(height, layout) + paper + parts.join(''))
}

function definitions(height: number, layout: Layout): string {
  const hatch = (id: string, back: string, line: string, width: number): string =>
    tag(
      'pattern',
      { id, width: 12, height: 12, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      rect(0, 0, 12, 12, { fill: back }) + rect(0, 0, width, 12, { fill: line }),
    )
  const [left, right] = plotOf(layout)
  return tag(
    'defs',
    {},
    hatch('unseen', '#f6f7f8', '#dcdfe3', 3) +
      hatch('open', ink.paper, ink.bar, 6) +
      hatch('open-over', '#fbe3d6', ink.accent, 5) +
      tag('clipPath', { id: 'plot' }, rect(left, 0, right - left, height, {})),
  )
}
