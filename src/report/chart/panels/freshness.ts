/** How old the newest data in the table is: falls to nothing at each commit, climbs in between. */

import { duration } from '../../../incident/format.ts'
import type { Timeline } from '../../../timeline/timeline.ts'
import { hasTable } from '../../cause-words.ts'
import { highestOf, lastSeen, seen } from '../../line.ts'
import { drawnTeeth } from '../dense.ts'
import type { EndLabel, Panel } from '../frame.ts'
import { freshnessHoles, lastSeenBefore, reasonFor } from '../holes.ts'
import { ink, limitDash } from '../look.ts'
import type { ShownWindow } from '../shown-window.ts'
import { segment } from '../svg.ts'

const ofTable = { title: 'Table freshness', unit: 'age of the newest commit', brief: { title: 'Freshness', unit: '' } }
/** Written to something else than a table: what freshness is there, only the bundle's writer knows. */
const ofSink = { title: 'Freshness', unit: 'age of the newest data in the sink', brief: { title: 'Freshness', unit: '' } }

export function freshnessPanel(timeline: Timeline, window: ShownWindow): Panel {
  const shown = { ...(hasTable(timeline.pipeline) ? ofTable : ofSink), weight: 1, scale: 'duration' as const }
  const points = seen(timeline.freshness, window.from, window.to)
  if (points.length === 0) return { ...shown, notSeen: reasonFor('freshness', timeline), holes: [], most: 0, draw: () => '', ends: [] }
  const holes = freshnessHoles(timeline, window)
  const objective = timeline.pipeline.objective?.freshness_s
  const highest = highestOf([timeline.freshness], window.from, window.to, holes)
  // An objective far above everything seen would press the saw-tooth flat: then it is only named.
  const inReach = objective !== undefined && objective <= highest * 4
  const stale = lastSeenBefore(holes, window) !== null
  const now = lastSeen(timeline.freshness)?.v ?? 0
  const broken = !stale && objective !== undefined && now > objective
  const ends: EndLabel[] = [
    {
      v: now,
      words: stale ? 'now: not seen' : `now: ${duration(Math.round(now))}`,
      color: stale ? ink.quiet : broken ? ink.accent : ink.text,
      strong: !stale,
    },
  ]
  if (objective !== undefined)
    ends.push({
      v: inReach ? objective : highest * 1.08,
      words: `objective ${duration(objective)}${inReach ? '' : ' ↑'}`,
      ...(inReach ? { dash: limitDash } : {}),
      color: ink.limit,
    })
  return {
    ...shown,
    notSeen: null,
    holes,
    most: inReach ? Math.max(highest, objective * 1.1) : highest,
    ends,
    draw: (area) =>
      drawnTeeth(timeline.freshness, window, holes, area, { stroke: ink.total, 'stroke-width': 3 }, ink.restBand) +
      (inReach
        ? segment(area.left, area.y(objective), area.right, area.y(objective), {
            stroke: ink.limit,
            'stroke-width': 3,
            'stroke-dasharray': limitDash,
          })
        : ''),
  }
}
