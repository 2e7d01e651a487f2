/** Records that wait: in total, and on the partitions the verdict points at. */
import type { Attribution } from '../../../attribution/attribution.ts'
import { count } from '../../../incident/format.ts'
import type { Line, Timeline } from '../../../timeline/timeline.ts'
import { highestOf, lagRead, seen } from '../../line.ts'
import { drawnTeeth } from '../dense.ts'
import { drawnLine, runsOf } from '../drawn-line.ts'
import type { EndLabel, Panel } from '../frame.ts'
import { briefFlowName, flowName, highlightedFlows } from '../highlighted.ts'
import { holesFromGaps, holesFromSources, lastSeenBefore, merged, readingsOf, reasonFor, unseenInMost } from '../holes.ts'
import { accents, dashes, ink } from '../look.ts'
import { missedCommits } from '../no-batch-seen.ts'
import type { ShownWindow } from '../shown-window.ts'

export function lagPanel(timeline: Timeline, attribution: Attribution | null, window: ShownWindow): Panel {
  const shown = { title: 'Lag', unit: 'records', weight: 1, scale: 'count' as const }
  const total = lagRead(timeline.lag, timeline.partitions, timeline.now)
  const isSeen = (line: Line): boolean => seen(line, window.from, window.to).length > 0
  const totalSeen = isSeen(total)
  const flows = timeline.partitions
    .map((flow) => ({ flow, line: lagRead(flow.lag, [flow], timeline.now) }))
    .filter(({ line }) => isSeen(line))
  const pointedAt = timeline.partitions.length < 2 && totalSeen ? [] : highlightedFlows(timeline, attribution)
  const hot = flows.filter(({ flow }) => pointedAt.includes(flow))
  // Without a total (one partition was not seen) each partition that was seen is shown for itself.
  const each = totalSeen ? [] : flows.filter(({ flow }) => !pointedAt.includes(flow))
  const lines = [...(totalSeen ? [total] : []), ...[...hot, ...each].map(({ line }) => line)]
  if (lines.length === 0) return { ...shown, notSeen: reasonFor('lag', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const main = totalSeen ? [total] : lines
  const sampled = timeline.batches.length === 0
  const holes = merged([
    ...unseenInMost(main, 0, window),
    ...holesFromGaps('lag', timeline, window),
    ...missedCommits(timeline, window),
    ...holesFromSources('lag', () => readingsOf(main), sampled, timeline, window),
  ])
  const stale = lastSeenBefore(holes, window)
  const last = (line: Line): number => seen(line, Number.NEGATIVE_INFINITY, stale ?? window.to).at(-1)?.v ?? 0
  const words = (line: Line): string => `${stale === null ? '' : 'was '}${count(last(line))}`
  const ends: EndLabel[] = hot.map(({ flow, line }, i) => ({
    v: last(line),
    words: `${flowName(flow, timeline)}: ${words(line)}`,
    brief: `${briefFlowName(flow, timeline)}: ${words(line)}`,
    dash: dashes[i],
    color: accents[i] as string,
    strong: true,
  }))
  if (totalSeen) {
    ends.push({ v: last(total), words: `all: ${words(total)}`, color: ink.text, strong: hot.length === 0 })
  } else {
    ends.push({ v: 0, words: 'total: not seen', color: ink.quiet })
  }
  return {
    ...shown,
    notSeen: null,
    holes,
    most: highestOf(lines, window.from, window.to, holes),
    ends,
    draw: (area) =>
      [
        ...each.map(({ line }) => drawnLine(runsOf(line, window, holes), area, { stroke: ink.rest, 'stroke-width': 2 })),
        ...(totalSeen ? [drawnTeeth(total, window, holes, area, { stroke: ink.total, 'stroke-width': 3 }, ink.restBand)] : []),
        ...hot.map(({ line }, i) =>
          drawnTeeth(
            line,
            window,
            holes,
            area,
            {
              stroke: accents[i] as string,
              'stroke-width': 4.5,
              'stroke-dasharray': dashes[i],
            },
            ink.accentBand,
          ),
        ),
      ].join(''),
  }
}
