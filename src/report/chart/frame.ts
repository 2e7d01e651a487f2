/** One panel: title, scale, grid, stretches not seen, and labels at the end of each line. What is inside, the panel draws. */
import { scaleLinear } from 'd3-scale'
import { count, duration, share } from '../../incident/format.ts'
import type { Hole } from './holes.ts'
import type { Layout } from './layout.ts'
import { plotOf } from './layout.ts'
import { ink } from './look.ts'
import { rect, rounded, segment, tag, text } from './svg.ts'
import { fitted, textWidth } from './text-width.ts'

export interface Area {
  readonly x: (t: number) => number
  readonly y: (v: number) => number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** Largest value on the scale. */
  readonly most: number
}

/** What a line is and where it stands, to the right of the panel at the height of the value, or above the panel. */
export interface EndLabel {
  readonly v: number
  readonly words: string
  /** The same for a narrow place. */
  readonly brief?: string
  /** Of the line it names. */
  readonly dash?: string | undefined
  readonly color: string
  readonly strong?: boolean
}

export interface Panel {
  readonly title: string
  readonly unit: string
  /** Both for a narrow place. */
  readonly brief?: { readonly title: string; readonly unit: string }
  /** Nothing changes in all of the window: where there is little room, its words say all. */
  readonly calm?: boolean
  /** Share of the height, relative to the others. */
  readonly weight: number
  /** Set when there is nothing to draw: why. */
  readonly notSeen: string | null
  readonly holes: readonly Hole[]
  /** Largest value to make room for. */
  readonly most: number
  readonly scale: 'count' | 'duration' | 'share'
  /** Values to name on the scale, where round numbers would miss what matters. */
  readonly ticks?: readonly number[]
  readonly draw: (area: Area) => string
  readonly ends: readonly EndLabel[]
}

export interface Box {
  readonly top: number
  readonly bottom: number
}

/** There is nothing to draw but words. */
export function isRow(panel: Panel, layout: Layout): boolean {
  return panel.notSeen !== null || (layout.labels === 'above' && panel.calm === true)
}

export function panelArea(panel: Panel, box: Box, x: (t: number) => number, layout: Layout): Area {
  const top = box.top + layout.rows.title
  const [left, right] = plotOf(layout)
  const most = niceTop(panel)
  const scale = scaleLinear([0, most], [box.bottom, top])
  return {
    x,
    y: (v) => scale(Math.min(most, Math.max(0, v))),
    left,
    right,
    top,
    bottom: box.bottom,
    most,
  }
}

/** Everything below the marks. */
export function backdrop(panel: Panel, area: Area, layout: Layout): string {
  const ticks = ticksOf(panel, area)
  const step = ticks[1] ?? 1
  const numbers = numbersOf(ticks, area, layout)
  const lines = ticks.map((v) => {
    const y = area.y(v)
    const at = numbers.get(v)
    const label =
      v === 0 ? '0' : panel.scale === 'count' ? count(v) : panel.scale === 'share' ? axisShare(v, layout) : axisDuration(v, step, layout)
    return (
      segment(area.left, y, area.right, y, { stroke: v === 0 ? ink.axis : ink.rule, 'stroke-width': v === 0 ? 2 : 1.5 }) +
      (at === undefined ? '' : text(area.left - layout.scaleGap, at, label, { size: layout.type.tick, color: ink.quiet, anchor: 'end' }))
    )
  })
  return holeBands(panel.holes, area) + lines.join('')
}

/** So many times the size of the type keeps two lines of it apart. */
const lineHeight = 1.15

/** Baselines of the numbers on a scale: below a title that stands over them, and where a panel is so low that they would touch, the outer ones first. */
function numbersOf(ticks: readonly number[], area: Area, { labels, rows, type }: Layout): Map<number, number> {
  const highest = labels === 'beside' ? 0 : area.top - rows.title + 1.2 * type.panel + 0.74 * type.tick
  const numbers = new Map<number, number>()
  for (const v of [...ticks.slice(-1), ...ticks.slice(0, -1)]) {
    const at = Math.max(area.y(v) + 8, highest)
    if ([...numbers.values()].every((other) => Math.abs(other - at) >= lineHeight * type.tick)) numbers.set(v, at)
  }
  return numbers
}

/** The words over the bands come after the marks, or lines would cross them. */
export function holeLabels(panel: Panel, area: Area, { type }: Layout): string {
  return panel.holes
    .map(({ from, to, partly }) => {
      const words = partly === true ? 'partly seen' : 'not seen'
      const length = textWidth(words, type.tick) + 12
      const [middle, room] = [(area.x(from) + area.x(to)) / 2, area.x(to) - area.x(from)]
      const style = { size: type.tick, color: ink.quiet, anchor: 'middle', rim: true } as const
      if (length <= room) return text(middle, Math.min(area.top + 30, (area.top + area.bottom) / 2 + 9), words, style)
      // A narrow band is labelled along its length, a sliver not at all.
      if (room < 26 || length > area.bottom - area.top) return ''
      return tag(
        'g',
        { transform: `translate(${rounded(middle + 8)} ${rounded((area.top + area.bottom) / 2)}) rotate(-90)` },
        text(0, 0, words, style),
      )
    })
    .join('')
}

function holeBands(holes: readonly Hole[], area: Area): string {
  return holes
    .map(({ from, to }) => rect(area.x(from), area.top, area.x(to) - area.x(from), area.bottom - area.top, { fill: 'url(#unseen)' }))
    .join('')
}

const labelHeight = 30

/** Labels keep their order and their distance; a thin lead joins a label that had to move to its line. */
export function endLabels(panel: Panel, area: Area, { edge, right, type }: Layout): string {
  const room = right - edge - 22
  const wanted = panel.ends.map((end) => ({ end, y: area.y(end.v) })).sort((a, b) => a.y - b.y)
  const placed = spread(
    wanted.map((label) => label.y),
    area.top - 6,
    area.bottom - 6,
  )
  return wanted
    .map(({ end, y }, i) => {
      const at = placed[i] as number
      const weight = end.strong === true ? 'semibold' : 'regular'
      const words = fitted(end.words, room, type.label, weight)
      const lead = Math.abs(at - y) < 3 ? '' : segment(area.right + 2, y, area.right + 18, at, { stroke: end.color, 'stroke-width': 1.5 })
      return lead + text(area.right + 22, at + 9, words, { size: type.label, weight, color: end.color })
    })
    .join('')
}

/** Pushes apart what stands closer than a line of text, then back into the panel from below. */
function spread(wanted: readonly number[], top: number, bottom: number): number[] {
  const placed: number[] = []
  for (const y of wanted) placed.push(Math.max(y, top, (placed.at(-1) ?? Number.NEGATIVE_INFINITY) + labelHeight))
  let limit = bottom
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i] = Math.min(placed[i] as number, limit)
    limit = (placed[i] as number) - labelHeight
  }
  return placed
}

/** Durations have their own round numbers: 30 s, 2 min, not 20 s and 100 s. */
const durationSteps = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
] as const

function ticksOf(panel: Panel, area: Area): readonly number[] {
  if (panel.ticks !== undefined) return panel.ticks
  const tall = area.bottom - area.top
  const wanted = tall > 150 ? 3 : 2
  if (panel.scale !== 'duration')
    return scaleLinear([0, area.most], [0, 1])
      .ticks(wanted)
      .filter((v) => panel.scale === 'share' || area.most < 1 || Number.isInteger(v))
  const step = durationStep(area.most, wanted)
  return Array.from({ length: Math.floor(area.most / step + 1e-9) + 1 }, (_, i) => i * step)
}

function durationStep(most: number, wanted: number): number {
  return durationSteps.find((step) => most / step <= wanted + 0.6) ?? Math.ceil(most / wanted / 86_400) * 86_400
}

/** All labels of one axis in one unit, that of its step: 30 s, 60 s, 90 s, and not 1 min 30 s; but 1 s where 1,000 ms is too wide. */
function axisDuration(v: number, step: number, layout: Layout): string {
  const words = inUnitOf(step, v)
  return fitsScale(words, layout) ? words : duration(v)
}

/** 140 %, but 20 × where 2000 % is too wide. */
function axisShare(v: number, layout: Layout): string {
  return fitsScale(share(v), layout) ? share(v) : `${count(v)} ×`
}

const fitsScale = (words: string, { left, scaleGap, type }: Layout): boolean => textWidth(words, type.tick) <= left - scaleGap

function inUnitOf(step: number, v: number): string {
  if (step < 1) return `${count(v * 1000)} ms`
  if (step < 60) return `${count(v)} s`
  return step < 3600 ? `${count(v / 60)} min` : step < 86_400 ? `${count(v / 3600)} h` : `${count(v / 86_400)} d`
}

/** A little air above the largest value, and never a scale of nothing. */
function niceTop(panel: Panel): number {
  return panel.most > 0 ? panel.most * 1.08 : 1
}
