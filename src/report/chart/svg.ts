/** SVG as strings. Coordinates are rounded to a tenth of a pixel, so that the same timeline gives the same bytes. */
import { xml } from '../clean.ts'
import type { Weight } from './advance-widths.ts'
import { fontFamily, ink } from './look.ts'

export type Attributes = Readonly<Record<string, string | number | undefined>>

export function tag(name: string, attributes: Attributes, inside = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : value}"`)
    .join('')
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`
}

export interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
  readonly anchor?: 'start' | 'middle' | 'end'
  /** A white rim keeps a label readable where it crosses a line. */
  readonly rim?: boolean
}

/** Text with its baseline at y. */
export function text(x: number, y: number, words: string, style: TextStyle): string {
  const shared = {
    x,
    y,
    'font-family': fontFamily,
    'font-size': style.size,
    'font-weight': style.weight === 'semibold' ? 600 : 400,
    'text-anchor': style.anchor ?? 'start',
  }
  const drawn = tag('text', { ...shared, fill: style.color ?? ink.text }, xml(words))
  if (style.rim !== true) return drawn
  return tag('text', { ...shared, fill: ink.paper, stroke: ink.paper, 'stroke-width': 6, 'stroke-linejoin': 'round' }, xml(words)) + drawn
}

export function rect(x: number, y: number, width: number, height: number, attributes: Attributes): string {
  return tag('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), ...attributes })
}

export function segment(x1: number, y1: number, x2: number, y2: number, attributes: Attributes): string {
  return tag('line', { x1, y1, x2, y2, ...attributes })
}

export function rounded(value: number): string {
  const tenth = Math.round(value * 10) / 10
  return String(tenth === 0 ? 0 : tenth)
}
