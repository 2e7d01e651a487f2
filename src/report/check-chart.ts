/**
 * Before and after a change as one picture: the readings of which something was expected, where it should bring them, and the moment at
 * which it was applied. It answers with its eyes whether they came back, and whether they stayed.
 */
import { scaleLinear } from 'd3-scale'
import type { RecoveryOutcome } from '../incident/incident.ts'
import type { Proposal } from '../incident/proposal.ts'
import type { Look } from '../proposal/grounds.ts'
import { isTerm } from '../proposal/terms.ts'
import type { Measured } from '../recovery/verification.ts'
import { boxesOf } from './chart/boxes.ts'
import type { Box } from './chart/frame.ts'
import { messageLayout as layout, plotOf } from './chart/layout.ts'
import { ink } from './chart/look.ts'
import { sheet } from './chart/sheet.ts'
import type { ShownWindow } from './chart/shown-window.ts'
import { stacked } from './chart/stack.ts'
import { rect, segment, text } from './chart/svg.ts'
import { textWidth } from './chart/text-width.ts'
import { timeAxis, timeTicks } from './chart/time-axis.ts'
import type { ChartView } from './chart.ts'
import type { Shown } from './check-chart/measure-panel.ts'
import { measurePanel } from './check-chart/measure-panel.ts'
import { wallClock } from './wall-clock.ts'

export interface CheckStory {
  readonly proposal: Proposal
  /** Epoch ms. */
  readonly appliedAtMs: number
  /** From the look that proposed the change to the newest one. */
  readonly looks: readonly [Look, ...Look[]]
  readonly outcome: RecoveryOutcome
  readonly measured: readonly Measured[]
}

/** More are no longer readable on a phone. */
const mostPanels = 3
/** Shown of the time before the change, s: as much as of the time since, between these. */
const before = { least: 300, most: 1200 } as const

/** For a message in a chat: what it is about, what was changed and how that turned out stands above it in words. */
export function checkChart(story: CheckStory, view: Pick<ChartView, 'zone' | 'width'>): string {
  const { rows } = layout
  const clock = wallClock(view.zone)
  const { looks } = story
  const newest = looks.at(-1) as Look
  const zeroS = newest.timeline.zeroS
  const endS = zeroS + newest.timeline.now
  const appliedS = story.appliedAtMs / 1000
  const window = shownWindow(appliedS, endS, oldestSeen(looks))
  const x = scaleLinear([window.from, window.to], plotOf(layout))
  const panels = shownOf(story).map((one) => measurePanel(one, looks, { appliedS, window }))
  const tabTop = layout.top
  const boxes = boxesOf(panels, tabTop + rows.onset + 8, layout)
  const bottom = (boxes.at(-1) as Box).bottom
  const ticks = timeTicks({ from: window.from - zeroS, to: window.to - zeroS }, zeroS, clock, layout.mostTicks).map((tick) => ({
    ...tick,
    t: tick.t + zeroS,
  }))
  return sheet(Math.round(bottom + rows.axis), view.width ?? layout.width, layout, [
    stacked(panels, boxes, x, ticks, layout, { behind: '', before: appliedLine(x(appliedS), tabTop, bottom) }),
    appliedTab(x(appliedS), tabTop, `applied ${clock.time(appliedS)}`),
    timeAxis(ticks, x, bottom, endS, clock, layout),
  ])
}

/** An instant is not a window: a minute at least to each side. */
const leastS = 60

function shownWindow(appliedS: number, endS: number, oldestS: number | null): ShownWindow {
  const wanted = appliedS - Math.min(before.most, Math.max(before.least, endS - appliedS))
  return { from: Math.min(appliedS - leastS, Math.max(wanted, oldestS ?? wanted)), to: Math.max(endS, appliedS + leastS) }
}

/** Epoch seconds of the first batch, or of the first lag of a reader without batches; null = nothing was ever seen. */
function oldestSeen(looks: readonly Look[]): number | null {
  const firsts = looks.flatMap(({ timeline: { batches, lag, zeroS } }) => {
    const first = batches[0]?.start ?? lag.t[0]
    return first === undefined ? [] : [first + zeroS]
  })
  return firsts.length === 0 ? null : Math.min(...firsts)
}

/** What found the constraint, then the lag, then how long batches take: whether a setting was turned is said in words. */
function shownOf({ proposal: { expects }, measured }: CheckStory): Shown[] {
  const rank = (signal: string, located: boolean): number =>
    located ? 0 : signal.startsWith('reader.lag') ? 1 : signal === 'batch.duration_s' ? 2 : 3
  return expects
    .map((expectation, i): Shown => {
      const { signal } = expectation
      // Its growth jumps from commit to commit: an eye sees it in the lag itself.
      if (signal === 'reader.lag_growth' || !isTerm(signal)) return { name: 'reader.lag', expectation: null, measured: null }
      return { name: signal, expectation, measured: measured[i] ?? null }
    })
    .toSorted((a, b) => rank(a.name, a.expectation?.located ?? false) - rank(b.name, b.expectation?.located ?? false))
    .slice(0, mostPanels)
}

function appliedLine(at: number, top: number, bottom: number): string {
  return segment(at, top, at, bottom, { stroke: ink.limit, 'stroke-width': 4 })
}

/** A tab on top of the line, kept inside the drawing area. */
function appliedTab(at: number, top: number, words: string): string {
  const { label } = layout.type
  const [left, right] = plotOf(layout)
  const half = textWidth(words, label, 'semibold') / 2 + 12
  const middle = Math.min(right - half, Math.max(left + half, at))
  return (
    rect(middle - half, top, 2 * half, label + 10, { fill: ink.limit, rx: 6 }) +
    text(middle, top + label + 1, words, { size: label, weight: 'semibold', anchor: 'middle', color: ink.paper })
  )
}
