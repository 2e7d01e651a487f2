/** What comes in, partition by partition: the first place where pressure can begin. */
import { curveStepBefore } from 'd3-shape'
import type { Attribution } from '../../../attribution/attribution.ts'
import type { PartitionFlow, Timeline } from '../../../timeline/timeline.ts'
import { count } from '../../format.ts'
import { median, seen } from '../../line.ts'
import { drawnLine, runsOf } from '../drawn-line.ts'
import type { Area, EndLabel, Panel } from '../frame.ts'
import { flowName, highlightedFlows } from '../highlighted.ts'
import { type Hole, holesFromGaps, holesOf, merged, reasonFor } from '../holes.ts'
import { accents, dashes, ink } from '../look.ts'
import { drawnBand, spreadOf } from '../rest-band.ts'
import type { ShownWindow } from '../shown-window.ts'

/** Above this, the partitions that nobody points at become one band. */
const mostLines = 24
/** Of those, the busiest keep a line of their own. */
const busiestShown = 3
/** A level is the median of the last minute, not the last jump of the line. */
const levelS = 60

export function intakePanel(timeline: Timeline, attribution: Attribution | null, window: ShownWindow): Panel {
  const flows = timeline.partitions.filter((flow) => seen(flow.intake, window.from, window.to).length > 0)
  const title = flows.length === 1 ? 'Intake' : 'Intake per partition'
  const unit = `records/s${timeline.recordClock ? ', by the time records were made' : ''}`
  if (flows.length === 0) return { title, unit, weight: 1.35, notSeen: reasonFor('intake', timeline), holes: [], most: 0, scale: 'count', draw: () => '', ends: [] }
  const hot = highlightedFlows(timeline, attribution).filter((flow) => flows.includes(flow))
  const rest = flows.filter((flow) => !hot.includes(flow))
  const banded = flows.length > mostLines
  const busiest = banded ? rest.toSorted((a, b) => levelOf(b, window) - levelOf(a, window)).slice(0, busiestShown) : []
  const holes = merged([...commonHoles(flows, window), ...holesFromGaps('intake', timeline, window)])
  const most = Math.max(...flows.flatMap((flow) => seen(flow.intake, window.from, window.to).map((point) => point.v)))
  return {
    title,
    unit,
    weight: 1.35,
    notSeen: null,
    holes,
    most,
    scale: 'count',
    draw: (area) => (banded ? bandOf(rest, window, holes, area) : '') + thin(banded ? busiest : rest, rest.length === 1 && hot.length === 0, window, area, holes) + hot.map((flow, i) => bold(flow, i, window, area, holes)).join(''),
    ends: [...hot.map((flow, i) => hotEnd(flow, i, timeline, window)), ...restEnd(rest, hot.length, timeline, window)],
  }
}

/** A stretch counts as not seen when no partition was seen in it. */
function commonHoles(flows: readonly PartitionFlow[], window: ShownWindow): Hole[] {
  const [first, ...others] = flows.map((flow) => holesOf(flow.intake, window, false))
  return (first ?? []).filter((hole) => others.every((holes) => holes.some((other) => other.from <= hole.from && other.to >= hole.to)))
}

function bandOf(rest: readonly PartitionFlow[], window: ShownWindow, holes: readonly Hole[], area: Area): string {
  const lines = rest.map((flow) => flow.intake)
  return drawnBand(spreadOf(lines, window), area, (from, to) => holes.some((hole) => hole.from < to && hole.to > from))
}

function thin(flows: readonly PartitionFlow[], alone: boolean, window: ShownWindow, area: Area, holes: readonly Hole[]): string {
  const style = alone ? { stroke: ink.total, 'stroke-width': 4 } : { stroke: ink.rest, 'stroke-width': 2 }
  return flows.map((flow) => drawnLine(runsOf(flow.intake, window, holes), area, style, curveStepBefore)).join('')
}

function bold(flow: PartitionFlow, i: number, window: ShownWindow, area: Area, holes: readonly Hole[]): string {
  const dash = dashes[i]
  return drawnLine(runsOf(flow.intake, window, holes), area, { stroke: accents[i] as string, 'stroke-width': 4.5, ...(dash === undefined ? {} : { 'stroke-dasharray': dash }) }, curveStepBefore)
}

function hotEnd(flow: PartitionFlow, i: number, timeline: Timeline, window: ShownWindow): EndLabel {
  const v = levelOf(flow, window)
  return { v, words: `${flowName(flow, timeline)}: ${count(v)}/s`, color: accents[i] as string, strong: true }
}

function restEnd(rest: readonly PartitionFlow[], hot: number, timeline: Timeline, window: ShownWindow): EndLabel[] {
  const v = median(rest.map((flow) => levelOf(flow, window)))
  if (v === null) return []
  if (rest.length === 1 && hot === 0) return [{ v, words: `${flowName(rest[0] as PartitionFlow, timeline)}: ${count(v)}/s`, color: ink.text }]
  const who = hot === 0 ? `${rest.length} partitions` : rest.length === 1 ? 'the other' : `${rest.length} others`
  return [{ v, words: `${who}: ${rest.length === 1 ? '' : 'each '}${count(v)}/s`, color: ink.quiet }]
}

function levelOf(flow: PartitionFlow, window: ShownWindow): number {
  const points = seen(flow.intake, window.from, window.to)
  const recent = points.filter((point) => point.t > window.to - levelS)
  return median((recent.length > 0 ? recent : points.slice(-1)).map((point) => point.v)) ?? 0
}
