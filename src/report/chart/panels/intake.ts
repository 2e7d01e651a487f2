/** What comes in, partition by partition: the first place where pressure can begin. */
import { curveStepBefore } from 'd3-shape'
import type { Attribution } from '../../../attribution/attribution.ts'
import { count } from '../../../incident/format.ts'
import { median } from '../../../timeline/robust.ts'
import type { Line, PartitionFlow, Timeline } from '../../../timeline/timeline.ts'
import { highestOf, levelNow, seen } from '../../line.ts'
import type { WallClock } from '../../wall-clock.ts'
import { coarse } from '../dense.ts'
import { drawnLine, runsOf } from '../drawn-line.ts'
import type { Area, EndLabel, Panel } from '../frame.ts'
import { briefFlowName, flowName, highlightedFlows } from '../highlighted.ts'
import type { Hole } from '../holes.ts'
import { holesFromGaps, holesFromSources, lastSeenBefore, merged, readingsOf, reasonFor, unseenInMost } from '../holes.ts'
import type { Layout } from '../layout.ts'
import { plotOf } from '../layout.ts'
import { accents, dashes, ink } from '../look.ts'
import { drawnBand, drawnMiddle, leastShareSeen, spreadOf } from '../rest-band.ts'
import type { ShownWindow } from '../shown-window.ts'

/** Above this, the partitions that nobody points at become one band. */
const mostLines = 24
/** Of those, the busiest keep a line of their own. */
const busiestShown = 3

interface Drawn {
  readonly flow: PartitionFlow
  readonly line: Line
  readonly level: number
}

export function intakePanel(
  timeline: Timeline,
  attribution: Attribution | null,
  window: ShownWindow,
  clock: WallClock,
  layout: Layout,
): Panel {
  const [left, right] = plotOf(layout)
  const since = attribution?.onset?.[1] ?? null
  const all: Drawn[] = timeline.partitions
    .map((flow) => ({
      flow,
      line: coarse(overItsTime(flow), window, right - left),
      level: levelNow(flow.intake, window.to, since) ?? 0,
    }))
    .filter(({ line }) => seen(line, window.from, window.to).length > 0)
  const shown = {
    title: all.length === 1 ? 'Intake' : 'Intake per partition',
    unit: `records/s${byRecordTime(timeline, window, clock)}`,
    brief: { title: 'Intake', unit: 'records/s' },
    weight: 1.35,
    scale: 'count' as const,
  }
  if (all.length === 0) return { ...shown, notSeen: reasonFor('intake', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const pointedAt = highlightedFlows(timeline, attribution)
  const hot = all.filter(({ flow }) => pointedAt.includes(flow))
  const rest = all.filter(({ flow }) => !pointedAt.includes(flow))
  const banded = all.length > mostLines
  const busiest = banded ? rest.toSorted((a, b) => b.level - a.level).slice(0, busiestShown) : []
  // Each line breaks where it was not seen itself; the panel is hatched where most were not, or one that is pointed at.
  const lines = (some: readonly Drawn[]): Line[] => some.map(({ line }) => line)
  const told = merged([
    ...holesFromGaps('intake', timeline, window),
    ...holesFromSources('intake', () => readingsOf(lines(all)), true, timeline, window),
  ])
  const unseenHot = unseenInMost(lines(hot), 0, window).map((hole) => (rest.length === 0 ? hole : { ...hole, partly: true }))
  const holes = merged([...told, ...unseenInMost(lines(all), 1 - leastShareSeen, window), ...unseenHot])
  const stale = lastSeenBefore(holes, window) !== null
  return {
    ...shown,
    notSeen: null,
    holes,
    most: highestOf(lines(all), window.from, window.to),
    ends: [...hot.map((one, i) => hotEnd(one, i, stale, timeline)), ...restEnd(rest, hot.length, stale, timeline)],
    draw: (area) =>
      backLines(rest, busiest, banded, hot.length === 0, window, told, holes, area) +
      hot.map((one, i) => bold(one.line, i, window, area, told)).join(''),
  }
}

/** A record that came late stands where it was made, wherever its arrival is not known. */
function byRecordTime({ arrivalsFrom, zeroS }: Timeline, window: ShownWindow, clock: WallClock): string {
  if (arrivalsFrom <= window.from) return ''
  return arrivalsFrom >= window.to
    ? ', by the time records were made'
    : `, before ${clock.minute(zeroS + arrivalsFrom)} by the time records were made`
}

/**
 * A rate is placed at the end of the stretch it was measured over. Where the rate before it is not known, the stretch's start
 * is added, so that what was measured is drawn and only what was not is hatched.
 */
function overItsTime({ intake, logEnd }: PartitionFlow): Line {
  const t: number[] = []
  const v: (number | null)[] = []
  intake.t.forEach((at, i) => {
    const value = intake.v[i] ?? null
    const before = i === 0 ? null : (intake.v[i - 1] ?? null)
    if (value !== null && before === null) {
      const start = seen(logEnd, Number.NEGATIVE_INFINITY, at).findLast((point) => point.t < at)?.t
      if (start !== undefined && start > (t.at(-1) ?? Number.NEGATIVE_INFINITY)) {
        t.push(start)
        v.push(value)
      }
    }
    t.push(at)
    v.push(value)
  })
  return { t, v }
}

function backLines(
  rest: readonly Drawn[],
  busiest: readonly Drawn[],
  banded: boolean,
  alone: boolean,
  window: ShownWindow,
  told: readonly Hole[],
  holes: readonly Hole[],
  area: Area,
): string {
  const only = rest[0]
  if (only === undefined) return ''
  if (alone && rest.length === 1)
    return drawnLine(runsOf(only.line, window, told), area, { stroke: ink.total, 'stroke-width': 4 }, curveStepBefore)
  const spread = spreadOf(
    rest.map(({ line }) => line),
    window,
  )
  const broken = (from: number, to: number): boolean => holes.some((hole) => hole.from < to && hole.to > from)
  const thin = (banded ? busiest : rest).map(({ line }) =>
    drawnLine(runsOf(line, window, told), area, { stroke: ink.rest, 'stroke-width': 2 }, curveStepBefore),
  )
  const middle = alone
    ? drawnMiddle(spread, area, broken, { stroke: ink.total, 'stroke-width': 3.5 })
    : banded
      ? drawnMiddle(spread, area, broken, { stroke: ink.axis, 'stroke-width': 2.5 })
      : ''
  return (banded ? drawnBand(spread, area, broken) : '') + thin.join('') + middle
}

function bold(line: Line, i: number, window: ShownWindow, area: Area, holes: readonly Hole[]): string {
  return drawnLine(
    runsOf(line, window, holes),
    area,
    { stroke: accents[i] as string, 'stroke-width': 4.5, 'stroke-dasharray': dashes[i] },
    curveStepBefore,
  )
}

/** What is not seen up to the end of the window is no "now". */
const rateSeen = (level: number, stale: boolean): string => `${stale ? 'was ' : ''}${count(level)}/s`

function hotEnd({ flow, level }: Drawn, i: number, stale: boolean, timeline: Timeline): EndLabel {
  const [words, brief] = [flowName(flow, timeline), briefFlowName(flow, timeline)].map((name) => `${name}: ${rateSeen(level, stale)}`)
  return { v: level, words: words as string, brief: brief as string, dash: dashes[i], color: accents[i] as string, strong: true }
}

function restEnd(rest: readonly Drawn[], hot: number, stale: boolean, timeline: Timeline): EndLabel[] {
  const first = rest[0]
  if (first === undefined) return []
  const v = median(rest.map(({ level }) => level))
  if (rest.length === 1)
    return [
      { v, words: `${flowName(first.flow, timeline)}: ${rateSeen(v, stale)}`, color: hot === 0 ? ink.text : ink.quiet, strong: hot === 0 },
    ]
  return [
    {
      v,
      words: `${hot === 0 ? `all ${rest.length}` : `${rest.length} others`}, each ${rateSeen(v, stale)}`,
      brief: `${hot === 0 ? `all ${rest.length}` : 'others'}: ${rateSeen(v, stale)}`,
      color: hot === 0 ? ink.text : ink.quiet,
      strong: hot === 0,
    },
  ]
}
