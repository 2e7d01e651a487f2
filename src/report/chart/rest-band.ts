/** Many partitions as one band from the lowest to the highest, with the middle one as a line: a hundred lines show less. */
import { curveStepBefore, area as d3Area } from 'd3-shape'
import { median } from '../../timeline/robust.ts'
import type { Line } from '../../timeline/timeline.ts'
import { drawnLine } from './drawn-line.ts'
import type { Area } from './frame.ts'
import { ink } from './look.ts'
import type { ShownWindow } from './shown-window.ts'
import type { Attributes } from './svg.ts'
import { tag } from './svg.ts'

interface Spread {
  readonly t: number
  readonly least: number
  readonly middle: number
  readonly most: number
  /** Between it and the one before, too few were seen. */
  readonly missed: boolean
}

/** A middle over a few of them would jump when others drop out. */
export const leastShareSeen = 0.8
/** More instants than pixels show nothing more. */
const mostInstants = 500

/** Least, middle and most at each instant at which nearly all of the partitions were seen. */
export function spreadOf(lines: readonly Line[], window: ShownWindow): Spread[] {
  const start = window.from - Math.max(120, window.to - window.from)
  const instants = [...new Set(lines.flatMap((line) => line.t.filter((t) => t >= start && t <= window.to)))].sort((a, b) => a - b)
  const step = Math.max(1, Math.ceil(instants.length / mostInstants))
  const next = lines.map(() => 0)
  const spread: Spread[] = []
  let missed = false
  for (const t of instants.filter((_, i) => i % step === 0)) {
    const values: number[] = []
    lines.forEach((line, i) => {
      let at = next[i] as number
      while (at < line.t.length && (line.t[at] as number) < t) at++
      next[i] = at
      // A rate is placed at the end of the time it was measured over: the next point holds.
      const value = line.v[at]
      if (value !== null && value !== undefined) values.push(value)
    })
    if (values.length < leastShareSeen * lines.length) {
      missed = true
      continue
    }
    spread.push({ t, least: Math.min(...values), middle: median(values), most: Math.max(...values), missed })
    missed = false
  }
  return spread
}

type Broken = (from: number, to: number) => boolean

export function drawnBand(spread: readonly Spread[], area: Area, broken: Broken): string {
  const path = d3Area<Spread>()
    .x((point) => area.x(point.t))
    .y0((point) => area.y(point.least))
    .y1((point) => area.y(point.most))
    .curve(curveStepBefore)
    .digits(1)
  const d = runs(spread, broken)
    .map((run) => path(run) ?? '')
    .join('')
  return d === '' ? '' : tag('path', { d, fill: ink.restBand, 'clip-path': 'url(#plot)' })
}

export function drawnMiddle(spread: readonly Spread[], area: Area, broken: Broken, style: Attributes): string {
  const middle = runs(spread, broken).map((run) => run.map((point) => ({ t: point.t, v: point.middle })))
  return drawnLine(middle, area, style, curveStepBefore)
}

function runs(spread: readonly Spread[], broken: Broken): Spread[][] {
  const all: Spread[][] = []
  for (const point of spread) {
    const run = all.at(-1)
    const last = run?.at(-1)
    if (run === undefined || last === undefined || point.missed || broken(last.t, point.t)) all.push([point])
    else run.push(point)
  }
  return all
}
