/**
 * The story of an incident as one picture: from what comes in, past lag, batches and executors, to the table, all on one time
 * axis with the onset through all of them. It answers with its eyes what the words claim: what moved first.
 */
import { scaleLinear } from 'd3-scale'
import type { Attribution } from '../attribution/attribution.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { altText } from './chart/alt-text.ts'
import { eventMarks, eventRowHeight, shownEvents } from './chart/event-marks.ts'
import type { Box, Panel } from './chart/frame.ts'
import { backdrop, emptyHeight, emptyPanel, endLabels, holeLabels, panelArea, panelGap, panelTitle, titleHeight } from './chart/frame.ts'
import { heading } from './chart/heading.ts'
import { ink, page, type } from './chart/look.ts'
import type { Onset } from './chart/onset-band.ts'
import { onsetBand, onsetLabel } from './chart/onset-band.ts'
import { batchesPanel } from './chart/panels/batches.ts'
import { freshnessPanel } from './chart/panels/freshness.ts'
import { intakePanel } from './chart/panels/intake.ts'
import { lagPanel } from './chart/panels/lag.ts'
import { slotsPanel } from './chart/panels/slots.ts'
import type { ShownWindow } from './chart/shown-window.ts'
import { shownWindow } from './chart/shown-window.ts'
import { rect, segment, tag, text } from './chart/svg.ts'
import { textWidth } from './chart/text-width.ts'
import { timeTicks } from './chart/time-axis.ts'
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

/** Height of the drawing area of a panel of weight 1, where the height is free. */
const usualHeight = 168
const axisHeight = 92

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

  const parts = [rect(0, 0, page.width, height, { fill: ink.paper }), heading(timeline, attribution, view.title ?? null, clock)]
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
  parts.push(timeAxis(ticks, x, bottom, timeline, clock))

  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: Math.round((height * width) / page.width),
      viewBox: `0 0 ${page.width} ${height}`,
      role: 'img',
    },
    definitions(height) + parts.join(''),
  )
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

/** Panels share the height by weight; an empty one is only as high as its words. */
function boxesOf(panels: readonly Panel[], top: number, wantedHeight: number | null): Box[] {
  const empty = panels.filter((panel) => panel.notSeen !== null).length
  const weight = panels.reduce((sum, panel) => sum + (panel.notSeen === null ? panel.weight : 0), 0)
  const fixed = panels.length * (titleHeight + panelGap) - panelGap + empty * emptyHeight
  const free = wantedHeight === null ? Number.POSITIVE_INFINITY : wantedHeight - top - axisHeight - fixed
  // Below 60 pixels a panel shows nothing: then the picture is higher than asked.
  const unit = weight === 0 ? 0 : wantedHeight === null ? usualHeight : Math.max(60, free / weight)
  const boxes: Box[] = []
  let at = top
  for (const panel of panels) {
    const bottom = at + titleHeight + (panel.notSeen === null ? panel.weight * unit : emptyHeight)
    boxes.push({ top: Math.round(at), bottom: Math.round(bottom) })
    at = bottom + panelGap
  }
  return boxes
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

function timeAxis(
  ticks: readonly { readonly t: number; readonly label: string }[],
  x: (t: number) => number,
  bottom: number,
  timeline: Timeline,
  clock: WallClock,
): string {
  const right = page.width - page.right
  const now = text(right + 22, bottom + 34, clock.time(timeline.zeroS + timeline.now), { size: type.tick, color: ink.text })
  const marks = ticks.map(({ t, label }) => {
    const half = textWidth(label, type.tick) / 2
    // A label that would reach into the time of asking gives way to it.
    const words = x(t) + half > right + 12 ? '' : text(x(t), bottom + 34, label, { size: type.tick, color: ink.quiet, anchor: 'middle' })
    return segment(x(t), bottom, x(t), bottom + 9, { stroke: ink.axis, 'stroke-width': 2 }) + words
  })
  const zone = text((page.left + right) / 2, bottom + 70, `time of day, ${clock.zone}`, {
    size: type.tick,
    color: ink.quiet,
    anchor: 'middle',
  })
  return marks.join('') + now + zone
}

function definitions(height: number): string {
  const hatch = (id: string, back: string, line: string, width: number): string =>
    tag(
      'pattern',
      { id, width: 12, height: 12, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      rect(0, 0, 12, 12, { fill: back }) + rect(0, 0, width, 12, { fill: line }),
    )
  return tag(
    'defs',
    {},
    hatch('unseen', '#f6f7f8', '#dcdfe3', 3) +
      hatch('open', ink.paper, ink.bar, 6) +
      hatch('open-over', '#fbe3d6', ink.accent, 5) +
      tag('clipPath', { id: 'plot' }, rect(page.left, 0, page.width - page.left - page.right, height, {})),
  )
}
