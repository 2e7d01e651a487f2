/** Records that wait: in total, and on the partitions the verdict points at. */
import type { Attribution } from '../../../attribution/attribution.ts'
import { count } from '../../../incident/format.ts'
import type { Timeline } from '../../../timeline/timeline.ts'
import { lastSeen, seen } from '../../line.ts'
import { drawnTeeth } from '../dense.ts'
import { drawnLine, runsOf } from '../drawn-line.ts'
import type { EndLabel, Panel } from '../frame.ts'
import { flowName, highlightedFlows } from '../highlighted.ts'
import { holesFromGaps, holesOf, merged, reasonFor } from '../holes.ts'
import { accents, dashes, ink } from '../look.ts'
import type { ShownWindow } from '../shown-window.ts'

export function lagPanel(timeline: Timeline, attribution: Attribution | null, window: ShownWindow): Panel {
  const shown = { title: 'Lag', unit: 'records', weight: 1, scale: 'count' as const }
  const totalSeen = seen(timeline.lag, window.from, window.to).length > 0
  const hot =
    timeline.partitions.length < 2 && totalSeen
      ? []
      : highlightedFlows(timeline, attribution).filter((flow) => seen(flow.lag, window.from, window.to).length > 0)
  // Without a total (one partition was not seen) each partition that was seen is shown for itself.
  const each = totalSeen
    ? []
    : timeline.partitions.filter((flow) => !hot.includes(flow) && seen(flow.lag, window.from, window.to).length > 0)
  const lines = [...(totalSeen ? [timeline.lag] : []), ...hot.map((flow) => flow.lag), ...each.map((flow) => flow.lag)]
  if (lines.length === 0) return { ...shown, notSeen: reasonFor('lag', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const first = lines[0] as (typeof lines)[number]
  const holes = merged([...holesOf(first, window, false), ...holesFromGaps('lag', timeline, window)])
  const ends: EndLabel[] = hot.map((flow, i) => ({
    v: lastSeen(flow.lag)?.v ?? 0,
    words: `${flowName(flow, timeline)}: ${count(lastSeen(flow.lag)?.v ?? 0)}`,
    color: accents[i] as string,
    strong: true,
  }))
  if (totalSeen) {
    const now = lastSeen(timeline.lag)?.v ?? 0
    ends.push({ v: now, words: `all: ${count(now)}`, color: ink.text, strong: hot.length === 0 })
  } else {
    ends.push({ v: 0, words: 'total: not seen', color: ink.quiet })
  }
  return {
    ...shown,
    notSeen: null,
    holes,
    most: Math.max(...lines.flatMap((line) => seen(line, window.from, window.to).map((point) => point.v))),
    ends,
    draw: (area) =>
      [
        ...each.map((flow) => drawnLine(runsOf(flow.lag, window, holes), area, { stroke: ink.rest, 'stroke-width': 2 })),
        ...(totalSeen ? [drawnTeeth(timeline.lag, window, holes, area, { stroke: ink.total, 'stroke-width': 3 }, ink.restBand)] : []),
        ...hot.map((flow, i) =>
          drawnTeeth(
            flow.lag,
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
