/** The paper a picture is drawn on: its size, its patterns, and where lines may be. */
import { ink, page } from './look.ts'
import { rect, tag } from './svg.ts'

/** @param height in the picture's own pixels, 1600 wide @param width of the finished picture */
export function sheet(height: number, width: number, parts: readonly string[]): string {
  const size = { width, height: Math.round((height * width) / page.width), viewBox: `0 0 ${page.width} ${height}` }
  const paper = rect(0, 0, page.width, height, { fill: ink.paper })
  return tag('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, role: 'img' }, definitions(height) + paper + parts.join(''))
}

function definitions(height: number): string {
  const hatch = (id: string, back: string, line: string, width: number): string =>
    tag(
      'pattern',
      { id, width: 12, height: 12, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      rect(0, 0, 12, 12, { fill: back }) + rect(0, 0, width, 12, { fill: line }),
    )
  return tag(
    'defs',
    {},
    hatch('unseen', '#f6f7f8', '#dcdfe3', 3) +
      hatch('open', ink.paper, ink.bar, 6) +
      hatch('open-over', '#fbe3d6', ink.accent, 5) +
      tag('clipPath', { id: 'plot' }, rect(page.left, 0, page.width - page.left - page.right, height, {})),
  )
}
