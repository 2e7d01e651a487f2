/**
 * More points than pixels draw a black block. Where they lie so close, a saw-tooth is drawn as the band it moves in with its
 * upper edge, and rates are averaged over steps that an eye can tell apart. Nothing is averaged across a hole.
 */
import { curveLinear, area as d3Area } from 'd3-shape'
import type { Line } from '../../timeline/timeline.ts'
import type { Point } from '../line.ts'
import { drawnLine, runsOf } from './drawn-line.ts'
import type { Area } from './frame.ts'
import type { Hole } from './holes.ts'
import type { ShownWindow } from './shown-window.ts'
import type { Attributes } from './svg.ts'
import { tag } from './svg.ts'

/** Pixels. */
const leastStep = 7
const leastTooth = 14
/** Turns a band is wide enough to show. */
const bandStep = 10

/** Rates placed at the end of their time, merged until each holds for a visible step. */
export function coarse(line: Line, window: ShownWindow, pixels: number): Line {
  const least = ((window.to - window.from) / pixels) * leastStep
  const t: number[] = []
  const v: (number | null)[] = []
  let begun: number | null = null
  let sum = 0
  const flush = (at: number, since: number): void => {
    if (at > since) {
      t.push(at)
      v.push(sum / (at - since))
    }
    begun = null
    sum = 0
  }
  line.t.forEach((at, i) => {
    const value = line.v[i] ?? null
    const before = i === 0 ? null : (line.v[i - 1] ?? null)
    const previous = line.t[i - 1]
    if (value === null || before === null || previous === undefined) {
      if (begun !== null && previous !== undefined) flush(previous, begun)
      t.push(at)
      v.push(value)
      return
    }
    begun ??= previous
    sum += value * (at - previous)
    if (at - begun >= least) flush(at, begun)
  })
  if (begun !== null) flush(line.t.at(-1) as number, begun)
  return { t, v }
}

/** A line that may be a saw-tooth: as it is where its teeth can be told apart, else the band they fill. */
export function drawnTeeth(line: Line, window: ShownWindow, holes: readonly Hole[], area: Area, style: Attributes, fill: string): string {
  const runs = runsOf(line, window, holes)
  return runs.map((run) => (isDense(run, area) ? drawnBandOf(run, area, style, fill) : drawnLine([run], area, style))).join('')
}

function isDense(run: readonly Point[], area: Area): boolean {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined || run.length < 20) return false
  const falls = run.filter((point, i) => i > 0 && point.v < (run[i - 1] as Point).v).length
  return falls > 0 && (area.x(last.t) - area.x(first.t)) / falls < leastTooth
}

function drawnBandOf(run: readonly Point[], area: Area, style: Attributes, fill: string): string {
  const bins = new Map<number, { readonly from: number; least: number; most: number }>()
  for (const { t, v } of run) {
    const at = Math.floor(area.x(t) / bandStep)
    const bin = bins.get(at)
    if (bin === undefined) bins.set(at, { from: (at + 0.5) * bandStep, least: v, most: v })
    else {
      bin.least = Math.min(bin.least, v)
      bin.most = Math.max(bin.most, v)
    }
  }
  const band = [...bins.values()]
  const path = d3Area<(typeof band)[number]>()
    .x((bin) => bin.from)
    .y0((bin) => area.y(bin.least))
    .y1((bin) => area.y(bin.most))
    .curve(curveLinear)
    .digits(1)
  const edge = drawnLine([band.map((bin) => ({ t: bin.from, v: bin.most }))], { ...area, x: (px) => px }, style)
  return tag('path', { d: path(band) ?? '', fill, 'fill-opacity': 0.7, 'clip-path': 'url(#plot)' }) + edge
}
