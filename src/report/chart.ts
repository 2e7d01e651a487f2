/**
 * The story of an incident as one picture: from what comes in, past lag, batches and executors, to the table, all on one time
 * axis with the onset through all of them. It answers with its eyes what the words claim: what moved first.
 */
import { scaleLinear } from 'd3-scale'
import type { Attribution } from '../attribution/attribution.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { altText } from './chart/alt-text.ts'
import { boxesOf } from './chart/boxes.ts'
import { eventMarks, shownEvents } from './chart/event-marks.ts'
import type { Box, Panel } from './chart/frame.ts'
import { heading } from './chart/heading.ts'
import type { Layout } from './chart/layout.ts'
import { pageLayout, plotOf } from './chart/layout.ts'
import type { Onset } from './chart/onset-band.ts'
import { onsetBand, onsetLabel, tabOf } from './chart/onset-band.ts'
import { batchesPanel } from './chart/panels/batches.ts'
import { freshnessPanel } from './chart/panels/freshness.ts'
import { intakePanel } from './chart/panels/intake.ts'
import { lagPanel } from './chart/panels/lag.ts'
import { slotsPanel } from './chart/panels/slots.ts'
import { sheet } from './chart/sheet.ts'
import type { ShownWindow } from './chart/shown-window.ts'
import { shownWindow } from './chart/shown-window.ts'
import { stacked } from './chart/stack.ts'
import { timeAxis, timeTicks } from './chart/time-axis.ts'
import type { WallClock } from './wall-clock.ts'
import { wallClock } from './wall-clock.ts'

export { altText }

export interface ChartView {
  /** IANA name, e.g. "Europe/Berlin". */
  readonly zone: string
  /** Where it is read; absent = on a page. */
  readonly layout?: Layout
  /** Pixels of the finished picture; everything scales with it. */
  readonly width?: number
  /** Absent = pipeline and cause. */
  readonly title?: string
}

export function storyChart(timeline: Timeline, attribution: Attribution | null, view: ChartView): string {
  const layout = view.layout ?? pageLayout
  const { rows } = layout
  const clock = wallClock(view.zone)
  const window = shownWindow(timeline, attribution)
  const x = scaleLinear([window.from, window.to], plotOf(layout))
  const panels = panelsOf(timeline, attribution, window, clock, layout)
  const onset = onsetOf(timeline, attribution, x, window, clock)
  const headTop = layout.top + rows.heading
  const events = shownEvents(timeline, window)
  // A narrow picture has one row for both.
  const oneRow = rows.events === 0
  const eventsTop = headTop + (onset === null || oneRow ? 0 : rows.onset)
  const eventsHeight = events.length === 0 && (onset === null || !oneRow) ? 0 : oneRow ? rows.onset : rows.events
  const panelsTop = eventsTop + eventsHeight + 8
  const boxes = boxesOf(panels, panelsTop, layout)
  const bottom = (boxes.at(-1) as Box).bottom
  const ticks = timeTicks(window, timeline.zeroS, clock, layout.mostTicks)
  const tab = onset === null || !oneRow ? null : tabOf(onset, layout)
  return sheet(Math.round(bottom + rows.axis), view.width ?? layout.width, layout, [
    rows.heading === 0 ? '' : heading(timeline, attribution, view.title ?? null, clock, layout),
    stacked(panels, boxes, x, ticks, layout, {
      behind: onset === null ? '' : onsetBand(onset, headTop + 18, bottom),
      before: eventMarks(events, x, eventsTop, bottom, layout, tab),
    }),
    onset === null ? '' : onsetLabel(onset, headTop, layout),
    timeAxis(ticks, x, bottom, timeline.zeroS + timeline.now, clock, layout),
  ])
}

/** A plain consumer group has neither batches nor executors: there is nothing that could have been seen. */
function panelsOf(timeline: Timeline, attribution: Attribution | null, window: ShownWindow, clock: WallClock, layout: Layout): Panel[] {
  const work = [batchesPanel(timeline, window), slotsPanel(timeline, window)]
  return [
    intakePanel(timeline, attribution, window, clock, layout),
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
