/**
 * The story of an incident as one picture: from what comes in, past lag, batches and executors, to the table, all on one time
 * axis with the onset through all of them. It answers with its eyes what the words claim: what moved first.
 */
import { scaleLinear } from 'd3-scale'
import type { Attribution } from '../attribution/attribution.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { altText } from './chart/alt-text.ts'
import { axisHeight, boxesOf } from './chart/boxes.ts'
import { eventMarks, eventRowHeight, shownEvents } from './chart/event-marks.ts'
import type { Box, Panel } from './chart/frame.ts'
import { backdrop, emptyPanel, endLabels, holeLabels, panelArea, panelTitle } from './chart/frame.ts'
import { heading } from './chart/heading.ts'
import { ink, page } from './chart/look.ts'
import type { Onset } from './chart/onset-band.ts'
import { onsetBand, onsetLabel } from './chart/onset-band.ts'
import { batchesPanel } from './chart/panels/batches.ts'
import { freshnessPanel } from './chart/panels/freshness.ts'
import { intakePanel } from './chart/panels/intake.ts'
import { lagPanel } from './chart/panels/lag.ts'
import { slotsPanel } from './chart/panels/slots.ts'
import { sheet } from './chart/sheet.ts'
import type { ShownWindow } from './chart/shown-window.ts'
import { shownWindow } from './chart/shown-window.ts'
import { segment } from './chart/svg.ts'
import { timeAxis, timeTicks } from './chart/time-axis.ts'
import type { WallClock } from './wall-clock.ts'
import { wallClock } from './wall-clock.ts'

export { altText }

export interface ChartView {
  /** IANA name, e.g. "Europe/Berlin". */
  readonly zone: string
  /** Pixels of the finished picture; everything scales with it. */
  readonly width?: number
  /** Pixels; absent = as high as the panels with data need. */
  readonly height?: number
  /** Absent = pipeline and cause. */
  readonly title?: string
}

export function storyChart(timeline: Timeline, attribution: Attribution | null, view: ChartView): string {
  const clock = wallClock(view.zone)
  const window = shownWindow(timeline, attribution)
  const x = scaleLinear([window.from, window.to], [page.left, page.width - page.right])
  const panels = panelsOf(timeline, attribution, window, clock)
  const onset = onsetOf(timeline, attribution, x, window, clock)
  const width = view.width ?? page.width
  const headTop = page.top + 100
  const events = shownEvents(timeline, window)
  const eventsTop = headTop + (onset === null ? 0 : 42)
  const panelsTop = eventsTop + (events.length === 0 ? 8 : eventRowHeight + 8)
  const wantedHeight = view.height === undefined ? null : (view.height * page.width) / width
  const boxes = boxesOf(panels, panelsTop, wantedHeight)
  const bottom = (boxes.at(-1) as Box).bottom
  const height = Math.round(bottom + axisHeight)
  const ticks = timeTicks(window, timeline.zeroS, clock, 8)

  const parts = [heading(timeline, attribution, view.title ?? null, clock)]
  const drawn = panels.map((panel, i) => ({ panel, box: boxes[i] as Box }))
  const full = drawn.filter(({ panel }) => panel.notSeen === null).map(({ panel, box }) => ({ panel, box, area: panelArea(panel, box, x) }))
  // From back to front: what was not seen and the scales, the onset, the marks, the words.
  for (const { panel, area } of full) parts.push(backdrop(panel, area))
  for (const { area } of full)
    for (const tick of ticks) parts.push(segment(x(tick.t), area.top, x(tick.t), area.bottom, { stroke: ink.rule, 'stroke-width': 1.5 }))
  if (onset !== null) parts.push(onsetBand(onset, headTop + 18, bottom))
  for (const { panel, area } of full) parts.push(panel.draw(area))
  parts.push(eventMarks(events, x, eventsTop, bottom))
  for (const { panel, box, area } of full) parts.push(panelTitle(panel, box), holeLabels(panel, area), endLabels(panel, area))
  for (const { panel, box } of drawn) if (panel.notSeen !== null) parts.push(emptyPanel(panel, box))
  if (onset !== null) parts.push(onsetLabel(onset, headTop))
  parts.push(timeAxis(ticks, x, bottom, timeline.zeroS + timeline.now, clock))
  return sheet(height, width, parts)
}

/** A plain consumer group has neither batches nor executors: there is nothing that could have been seen. */
function panelsOf(timeline: Timeline, attribution: Attribution | null, window: ShownWindow, clock: WallClock): Panel[] {
  const work = [batchesPanel(timeline, window), slotsPanel(timeline, window)]
  return [
    intakePanel(timeline, attribution, window, clock),
    lagPanel(timeline, attribution, window),
    ...work.filter((panel) => panel.notSeen === null || timeline.pipeline.reader.kind !== 'consumer-group'),
    freshnessPanel(timeline, window),
  ]
}

function onsetOf(
  timeline: Timeline,
  attribution: Attribution | null,
  x: (t: number) => number,
  window: ShownWindow,
  clock: WallClock,
): Onset | null {
  if (attribution === null || attribution.onset === null) return null
  const [from, to] = attribution.onset
  const [start, end] = [clock.time(timeline.zeroS + from), clock.time(timeline.zeroS + to)]
  const inside = (t: number): number => x(Math.min(window.to, Math.max(window.from, t)))
  return { left: inside(from), right: inside(to), words: start === end ? `began ${start}` : `began ${start} – ${end}` }
}
