/** Each batch as a block: as wide as it lasted, as high as it lasted, against the time it may take. */

import { duration } from '../../../incident/format.ts'
import type { TimedBatch, Timeline } from '../../../timeline/timeline.ts'
import { onTimeS } from '../../scheduling-words.ts'
import type { Area, EndLabel, Panel } from '../frame.ts'
import type { Hole } from '../holes.ts'
import { holesFromGaps, holesFromSources, merged, reasonFor } from '../holes.ts'
import { ink, limitDash } from '../look.ts'
import { noBatchSeen } from '../no-batch-seen.ts'
import type { ShownWindow } from '../shown-window.ts'
import { rect, segment } from '../svg.ts'

/** Batches this much over their limit count as over: the clock of a trigger is not exact. */
const tolerance = 1.02

export function batchesPanel(timeline: Timeline, window: ShownWindow): Panel {
  const shown = {
    title: 'Batch duration',
    unit: 'start to commit',
    brief: { title: 'Batches', unit: '' },
    weight: 1.15,
    scale: 'duration' as const,
  }
  const batches = timeline.batches.filter((batch) => batch.start + batch.seconds >= window.from && batch.start <= window.to)
  if (batches.length === 0) return { ...shown, notSeen: reasonFor('batches', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const limit = timeline.triggerS
  const longest = Math.max(...batches.map((batch) => batch.seconds))
  return {
    ...shown,
    notSeen: null,
    holes: merged([
      ...noBatchSeen(timeline, batches, window),
      ...holesFromGaps('batches', timeline, window),
      ...holesFromSources('batches', () => stretchesOf(timeline), false, timeline, window),
    ]),
    most: Math.max(longest, (limit ?? 0) * 1.15),
    draw: (area) =>
      batches.map((batch) => block(batch, limit, area, window)).join('') +
      batches.map((batch) => wait(batch, area, window)).join('') +
      (limit === null ? '' : limitLine(limit, area)),
    ends: endsOf(timeline, batches, limit),
  }
}

/** A batch is seen as long as it runs. */
const stretchesOf = ({ batches }: Timeline): Hole[] => batches.map(({ start, seconds }) => ({ from: start, to: start + seconds }))

/** Up to its limit a batch is like any other; only what goes beyond is coloured. */
function block(batch: TimedBatch, limit: number | null, area: Area, window: ShownWindow): string {
  const left = Math.max(area.left, area.x(batch.start))
  const right = Math.min(area.right, area.x(Math.min(window.to, batch.start + batch.seconds)))
  const top = area.y(batch.seconds)
  const over = isOver(batch, limit)
  const middle = over ? area.y(limit as number) : top
  // A sliver stays visible; a white edge tells neighbours apart as long as it leaves something of them.
  const width = Math.max(2, right - left - (right - left > 5 ? 1.5 : 0))
  const look = batch.warmUp ? { 'fill-opacity': 0.5 } : {}
  const fills = batch.open ? ['url(#open)', 'url(#open-over)'] : [ink.bar, ink.accent]
  const blocks =
    rect(left, middle, width, area.bottom - middle, { fill: fills[0], ...look }) +
    (over ? rect(left, top, width, middle - top, { fill: fills[1], ...look }) : '')
  if (!batch.open) return blocks
  // Open to the right and upwards: it goes on, nobody knows how long.
  const edge = { stroke: over ? ink.accent : ink.quiet, 'stroke-width': 3 }
  return blocks + segment(left, area.bottom, left, top, edge) + segment(left, top, right, top, { ...edge, 'stroke-dasharray': '10 6' })
}

/** From its trigger to its start a late batch waits for the one before: a bar at the foot of that one. */
function wait({ start, scheduling_delay_ms: ms }: TimedBatch, area: Area, window: ShownWindow): string {
  if (typeof ms !== 'number' || ms < onTimeS * 1000 || start <= window.from) return ''
  const [from, to, y] = [area.x(Math.max(window.from, start - ms / 1000)), area.x(Math.min(window.to, start)), area.bottom - 5]
  const look = { stroke: ink.text, 'stroke-width': 4 }
  return segment(from, y, to, y, look) + segment(from, y - 7, from, y + 5, { ...look, 'stroke-width': 3 })
}

function isOver(batch: TimedBatch, limit: number | null): boolean {
  return limit !== null && batch.seconds > limit * tolerance
}

function limitLine(limit: number, area: Area): string {
  const y = area.y(limit)
  return (
    segment(area.left, y, area.right, y, { stroke: ink.paper, 'stroke-width': 6, 'stroke-opacity': 0.7 }) +
    segment(area.left, y, area.right, y, { stroke: ink.limit, 'stroke-width': 3, 'stroke-dasharray': limitDash })
  )
}

function endsOf(timeline: Timeline, batches: readonly TimedBatch[], limit: number | null): EndLabel[] {
  const ends: EndLabel[] = []
  const name = (batch: TimedBatch): void => {
    const over = isOver(batch, limit)
    const lasted = duration(batch.seconds)
    const [words, brief] = batch.open ? [`open for ${lasted}`, `open ${lasted}`] : [`last: ${lasted}`, `last: ${lasted}`]
    ends.push({ v: batch.seconds, words, brief, color: over ? ink.accent : ink.text, strong: over })
  }
  const last = batches.at(-1) as TimedBatch
  const done = batches.findLast((batch) => !batch.open)
  name(last)
  // A batch that has only begun says nothing yet about how long they take.
  if (done !== undefined && last.open && !isOver(last, limit)) name(done)
  const late = batches.findLast((batch) => typeof batch.scheduling_delay_ms === 'number')?.scheduling_delay_ms ?? 0
  if (late >= onTimeS * 1000)
    ends.push({ v: 0, words: `began ${duration(late / 1000)} late`, brief: `${duration(late / 1000)} late`, color: ink.text })
  if (limit !== null) {
    const inferred = timeline.triggerFrom === 'inferred'
    ends.push({
      v: limit,
      words: `trigger ${duration(limit)}${inferred ? ' (inferred)' : ''}`,
      brief: `trigger ${inferred ? '≈ ' : ''}${duration(limit)}`,
      dash: limitDash,
      color: ink.limit,
    })
  }
  return ends
}
