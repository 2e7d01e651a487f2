/** One expectation as a panel: what was read before the change and since, and where the change should bring it. */
import { curveLinear, line as d3Line } from 'd3-shape'
import type { Expectation } from '../../incident/expectation.ts'
import { count } from '../../incident/format.ts'
import type { Look } from '../../proposal/grounds.ts'
import type { Term, TermName } from '../../proposal/terms.ts'
import { terms } from '../../proposal/terms.ts'
import { written } from '../../recovery/measure.ts'
import type { Measured } from '../../recovery/verification.ts'
import type { Area, EndLabel, Panel } from '../chart/frame.ts'
import { ink, limitDash } from '../chart/look.ts'
import type { ShownWindow } from '../chart/shown-window.ts'
import { rect, segment, tag } from '../chart/svg.ts'
import type { DrawnReading, Readings } from './readings-of.ts'
import { readingsOf } from './readings-of.ts'

export interface Shown {
  readonly name: TermName
  /** null = nothing was expected of it; it is shown for what it tells besides. */
  readonly expectation: Expectation | null
  readonly measured: Measured | null
}

/** In the row of a panel on a phone, beside three values. */
const titles: Readonly<Record<TermName, string>> = {
  'stage.idle_slot_share': 'Idle slots',
  'reader.load': 'Load',
  'batch.duration_s': 'Batch duration',
  'reader.flow_ratio': 'Finished / arrived',
  'reader.lag': 'Lag',
  'reader.lag_growth': 'Growth of the lag',
  'executor.count': 'Executors',
  'group.members': 'Members',
  'executor.gc_share': 'Garbage collection',
}

interface Times {
  /** Of the application, epoch seconds. */
  readonly appliedS: number
  readonly window: ShownWindow
}

export function measurePanel({ name, expectation, measured }: Shown, looks: readonly Look[], { appliedS, window }: Times): Panel {
  const term: Term = terms[name]
  const scale = term.unit === 'share' ? 'share' : term.unit === 's' ? 'duration' : 'count'
  const title = titles[name]
  const isNamed = scale !== 'count' || title.toLowerCase() === term.unit
  const shown = { title, unit: isNamed ? '' : term.unit, weight: 1, scale } as const
  const readings = readingsOf(name, looks, window)
  if (readings.points.length === 0) return { ...shown, notSeen: whyNot(looks), holes: [], most: 0, draw: () => '', ends: [] }
  const bounds = expectation === null ? [] : [expectation.from, ...expectation.to]
  return {
    ...shown,
    notSeen: null,
    holes: readings.holes,
    most: Math.max(...readings.points.map(({ v }) => v), ...bounds),
    draw: (area) =>
      (expectation === null ? '' : expectedBand(expectation, term, area, { appliedS, window })) + drawnReadings(readings, appliedS, area),
    ends: endsOf(expectation, measured, term, readings),
  }
}

/** Better than expected is good too, so the band reaches to that end of the scale. */
function expectedBand({ to: [low, high], within }: Expectation, { better }: Term, area: Area, { appliedS, window }: Times): string {
  const settled = appliedS + within[0]
  const left = area.x(settled < window.to ? settled : appliedS)
  const [top, bottom] = better === 'lower' ? [area.y(high), area.bottom] : [area.top, area.y(low)]
  const edge = better === 'lower' ? top : bottom
  return (
    rect(left, top, area.right - left, bottom - top, { fill: ink.expectedBand }) +
    segment(left, edge, area.right, edge, { stroke: ink.expected, 'stroke-width': 3, 'stroke-dasharray': limitDash })
  )
}

/** What judges nothing is hollow; lines join only what follows on one another. */
function drawnReadings(readings: Readings, appliedS: number, area: Area): string {
  const path = d3Line<DrawnReading>(
    ({ t }) => area.x(t),
    ({ v }) => area.y(v),
  )
    .curve(curveLinear)
    .digits(1)
  const lines = runsOf(readings).map((run) => tag('path', { d: path(run) ?? '', fill: 'none', stroke: ink.rest, 'stroke-width': 2.5 }))
  const dots = readings.points.map(({ t, v, counts }) => {
    const color = t < appliedS ? ink.quiet : ink.total
    const look = counts ? { fill: color } : { fill: ink.paper, stroke: color, 'stroke-width': 2 }
    return tag('circle', { cx: area.x(t), cy: area.y(v), r: counts ? 4.5 : 4, ...look })
  })
  return lines.join('') + dots.join('')
}

function runsOf({ points, holes, apart }: Readings): DrawnReading[][] {
  const runs: DrawnReading[][] = []
  for (const point of points) {
    const last = runs.at(-1)?.at(-1)
    const across = last !== undefined && holes.some(({ from, to }) => from < point.t && to > last.t)
    if (last === undefined || across || point.t - last.t > apart) runs.push([point])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 1)
}

function endsOf(expectation: Expectation | null, measured: Measured | null, { better, unit }: Term, { points }: Readings): EndLabel[] {
  // A unit that stands beside the title is not said again.
  const said = (value: number): string => (unit === 'share' || unit === 's' ? written(value, unit) : count(value))
  const last = points.at(-1)?.v ?? 0
  if (expectation === null || measured === null) return [{ v: last, words: `now ${said(last)}`, color: ink.text, strong: true }]
  const { from, to } = expectation
  const edge = better === 'lower' ? to[1] : to[0]
  const bound = `${better === 'lower' ? '≤' : '≥'} ${said(edge)}`
  const is = measured.now
  return [
    { v: from, words: `${said(from)} before`, color: ink.quiet },
    { v: edge, words: `expected ${bound}`, brief: bound, dash: limitDash, color: ink.expected },
    is === null
      ? { v: 0, words: 'now: not seen', color: ink.accent, strong: true }
      : { v: is, words: `now ${said(is)}`, color: measured.back === false ? ink.accent : ink.text, strong: true },
  ]
}

function whyNot(looks: readonly Look[]): string {
  return looks.at(-1)?.evidence.gaps[0]?.reason ?? 'no source gave it'
}
