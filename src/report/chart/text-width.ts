/** How wide a text will be drawn, from the generated table: this room may not load a font to ask it. */
import { clean } from '../clean.ts'
import type { Weight } from './advance-widths.ts'
import { advanceWidths, unitsPerEm } from './advance-widths.ts'

const tables: Readonly<Record<Weight, ReadonlyMap<number, number>>> = { regular: tableOf('regular'), semibold: tableOf('semibold') }

/** Pixels at the given font size. What the font lacks is drawn as a box about as wide as the type is high. */
export function textWidth(text: string, size: number, weight: Weight = 'regular'): number {
  let units = 0
  for (const point of text) units += tables[weight].get(point.codePointAt(0) as number) || unitsPerEm
  return (units * size) / unitsPerEm
}

/** Cleaned, and shortened in the middle until it is no wider than `most` pixels. */
export function fitted(text: string, most: number, size: number, weight: Weight = 'regular'): string {
  const points = [...clean(text)]
  if (textWidth(points.join(''), size, weight) <= most) return points.join('')
  for (let kept = points.length - 1; kept > 1; kept--) {
    const tail = Math.floor(kept / 2.5)
    const shorter = `${points
      .slice(0, kept - tail)
      .join('')
      .trimEnd()}…${points
      .slice(points.length - tail)
      .join('')
      .trimStart()}`
    if (textWidth(shorter, size, weight) <= most) return shorter
  }
  return '…'
}

function tableOf(weight: Weight): Map<number, number> {
  return new Map(
    advanceWidths[weight].flatMap(([first, widths]) => widths.split(' ').map((width, i): [number, number] => [first + i, Number(width)])),
  )
}
