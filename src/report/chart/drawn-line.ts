/** A line of the timeline as an SVG path: broken at holes, cut at the window, never joined across what was not seen. */

import type { CurveFactory } from 'd3-shape'
import { curveLinear, line as d3Line } from 'd3-shape'
import type { Line } from '../../timeline/timeline.ts'
import type { Point } from '../line.ts'
import type { Area } from './frame.ts'
import type { Hole } from './holes.ts'
import type { ShownWindow } from './shown-window.ts'
import type { Attributes } from './svg.ts'
import { tag } from './svg.ts'

/** Runs of neighbouring points that may be joined. One point to each side of the window stays, so that lines reach its edge. */
export function runsOf(line: Line, window: ShownWindow, holes: readonly Hole[]): Point[][] {
  const runs: Point[][] = []
  let run: Point[] = []
  const close = (): void => {
    if (run.length > 0) runs.push(run)
    run = []
  }
  line.t.forEach((t, i) => {
    const v = line.v[i]
    if (v === null || v === undefined || !Number.isFinite(v)) {
      close()
      return
    }
    const next = line.t[i + 1]
    if (next !== undefined && next < window.from) return
    const last = run.at(-1)
    if (last !== undefined && (last.t >= window.to || holes.some((hole) => hole.from < t && hole.to > last.t && hole.to - hole.from > 0)))
      close()
    if (t <= window.to || run.length > 0) run.push({ t, v })
  })
  close()
  return runs
}

export function drawnLine(runs: readonly (readonly Point[])[], area: Area, style: Attributes, curve: CurveFactory = curveLinear): string {
  const path = d3Line<Point>(
    (point) => area.x(point.t),
    (point) => area.y(point.v),
  )
    .curve(curve)
    .digits(1)
  const d = runs.map((run) => path(run) ?? '').join('')
  return d === '' ? '' : tag('path', { d, fill: 'none', 'stroke-linejoin': 'round', 'clip-path': 'url(#plot)', ...style })
}
