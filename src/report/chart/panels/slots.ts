/** Who does the work: task slots, and the executors that bring them. */
import { curveStepAfter, area as d3Area } from 'd3-shape'
import type { Line, Timeline } from '../../../timeline/timeline.ts'
import type { Point } from '../../line.ts'
import { lastSeen, seen, valueAt } from '../../line.ts'
import { drawnLine, runsOf } from '../drawn-line.ts'
import type { Area, EndLabel, Panel } from '../frame.ts'
import type { Hole } from '../holes.ts'
import { holesFromGaps, holesFromSources, holesOf, merged, readingsOf, reasonFor } from '../holes.ts'
import { executorsDash, ink } from '../look.ts'
import type { ShownWindow } from '../shown-window.ts'
import { tag } from '../svg.ts'

/** Fewer points than this are a history of comings and goings, which holds between them; more are samples. */
const sampledFrom = 8

export function slotsPanel(timeline: Timeline, window: ShownWindow): Panel {
  const shown = { title: 'Executors', unit: 'task slots, executors', weight: 0.7, scale: 'count' as const }
  const slots = held(timeline.slots, window)
  const executors = held(timeline.executors, window)
  const any = slots ?? executors
  if (any === null) return { ...shown, notSeen: reasonFor('slots', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const readings = readingsOf([any])
  const holes = merged([
    ...holesOf(any, window, true),
    ...holesFromGaps('slots', timeline, window),
    ...(readings.length < sampledFrom ? [] : holesFromSources('slots', () => readings, true, timeline, window)),
  ])
  const ends: EndLabel[] = []
  const slotsNow = slots === null ? null : lastSeen(slots)
  if (slotsNow !== null)
    ends.push({ v: slotsNow.v, words: `${slotsNow.v} task ${slotsNow.v === 1 ? 'slot' : 'slots'}`, color: ink.text, strong: true })
  const executorsNow = executors === null ? null : lastSeen(executors)
  if (executorsNow !== null)
    ends.push({
      v: executorsNow.v,
      words: `${executorsNow.v} ${executorsNow.v === 1 ? 'executor' : 'executors'}`,
      dash: executorsDash,
      color: ink.limit,
    })
  const values = [slots, executors].map((line) => (line === null ? [] : visible(line, window)))
  const most = Math.max(1, ...values.flat())
  const calm = holes.length === 0 && values.every((some) => some.every((v) => v === some[0]))
  return {
    ...shown,
    brief: { title: shown.title, unit: calm ? 'unchanged' : '' },
    calm,
    notSeen: null,
    holes,
    most,
    ticks: most % 2 === 0 ? [0, most / 2, most] : [0, most],
    ends,
    draw: (area) =>
      (slots === null
        ? ''
        : filled(slots, window, holes, area) +
          drawnLine(runsOf(slots, window, holes), area, { stroke: ink.total, 'stroke-width': 3.5 }, curveStepAfter)) +
      (executors === null
        ? ''
        : drawnLine(
            runsOf(executors, window, holes),
            area,
            { stroke: ink.limit, 'stroke-width': 3, 'stroke-dasharray': executorsDash },
            curveStepAfter,
          )),
  }
}

/** Values in the window, and the one that holds as it begins. */
function visible(line: Line, window: ShownWindow): number[] {
  const before = valueAt(line, window.from)
  return [...(before === null ? [] : [before]), ...seen(line, window.from, window.to).map((point) => point.v)]
}

/** The steps, with the last one held until the end of the window; null when none was ever seen. */
function held(line: Line, window: ShownWindow): Line | null {
  const last = lastSeen(line)
  if (last === null || seen(line, Number.NEGATIVE_INFINITY, window.to).length === 0) return null
  const answered = line.v.at(-1) !== null
  return answered && last.t < window.to ? { t: [...line.t, window.to], v: [...line.v, last.v] } : line
}

function filled(line: Line, window: ShownWindow, holes: readonly Hole[], area: Area): string {
  const path = d3Area<Point>()
    .x((point) => area.x(point.t))
    .y0(area.bottom)
    .y1((point) => area.y(point.v))
    .curve(curveStepAfter)
    .digits(1)
  const d = runsOf(line, window, holes)
    .map((run) => path(run) ?? '')
    .join('')
  return d === '' ? '' : tag('path', { d, fill: ink.fill, 'fill-opacity': 0.6, 'clip-path': 'url(#plot)' })
}
