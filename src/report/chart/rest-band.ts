/** Many partitions as one band from the lowest to the highest, with the middle one as a line: a hundred lines show less. */
import { area as d3Area, curveStepAfter } from 'd3-shape'
import type { Line } from '../../timeline/timeline.ts'
import { median, seen } from '../line.ts'
import { drawnLine } from './drawn-line.ts'
import type { Area } from './frame.ts'
import { ink } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import { tag } from './svg.ts'

interface Spread {
  readonly t: number
  readonly least: number
  readonly middle: number
  readonly most: number
}

/** Lines of one poll share their times, so partitions are compared at the same instants. */
export function spreadOf(lines: readonly Line[], window: ShownWindow): Spread[] {
  const at = new Map<number, number[]>()
  for (const line of lines) {
    for (const { t, v } of seen(line, window.from - 120, window.to)) {
      const values = at.get(t)
      if (values === undefined) at.set(t, [v])
      else values.push(v)
    }
  }
  return [...at]
    .sort(([a], [b]) => a - b)
    .map(([t, values]) => ({ t, least: Math.min(...values), middle: median(values) as number, most: Math.max(...values) }))
}

/** A rate holds for the time before its point, hence a step back from each point. */
export function drawnBand(spread: readonly Spread[], area: Area, breaks: (from: number, to: number) => boolean): string {
  const runs: Spread[][] = []
  for (const point of spread) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run === undefined || last === undefined || breaks(last.t, point.t)) runs.push([point])
    else run.push(point)
  }
  // curveStepAfter on points moved to the start of their stretch is a step before on the points themselves.
  const path = d3Area<Spread>()
    .x((point) => area.x(point.t))
    .y0((point) => area.y(point.least))
    .y1((point) => area.y(point.most))
    .curve(curveStepAfter)
    .digits(1)
  const moved = runs.map((run) => run.map((point, i) => ({ ...(run[i + 1] ?? point), t: point.t })))
  const d = moved.map((run) => path(run) ?? '').join('')
  const middle = runs.map((run, i) => (moved[i] as Spread[]).map((point) => ({ t: point.t, v: point.middle })))
  const band = d === '' ? '' : tag('path', { d, fill: ink.restBand, 'clip-path': 'url(#plot)' })
  return band + drawnLine(middle, area, { stroke: ink.axis, 'stroke-width': 2.5 }, curveStepAfter)
}
