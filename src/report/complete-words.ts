/** Up to when the table is complete, and by when something breaks: the two lines nobody else gives. */
import type { CompleteTo, Deadline } from '../attribution/attribution.ts'
import { duration, partitionsNamed, relative } from '../incident/format.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { WallClock } from './wall-clock.ts'

/** Below this many seconds between the held-back partitions and the others, minutes alone would hide the difference. */
const secondsMatterBelow = 120

/** "orders_bronze is complete up to 14:02:10, held back by partition 3 (others 14:06)". */
export function completeInWords(complete: CompleteTo, timeline: Timeline, clock: WallClock): string {
  const nowS = timeline.zeroS + timeline.now
  const at = timeline.zeroS + complete.at
  let text = `${complete.table} is complete up to ${clock.moment(at, nowS)}`
  if (complete.heldBackBy.length > 0) {
    text += `, held back by ${partitionsNamed(complete.heldBackBy)}`
    if (complete.others !== null) {
      const others = timeline.zeroS + complete.others
      const apart = complete.others - complete.at
      text += ` (others ${apart < secondsMatterBelow ? clock.moment(others, nowS) : clock.minute(others)})`
    }
  } else {
    text += ', all partitions alike'
  }
  if (!complete.byRecordTime) return text
  if (complete.lateness === null) return `${text}. By record time: how late records arrive was not seen, so data from before can still come`
  const { longest, over } = complete.lateness
  const seen = `in the last ${duration(Math.round(over))}`
  if (longest < 1) return `${text}, by record time; no record came late ${seen}`
  return `${text}. By record time: records came up to ${duration(longest)} late ${seen}, so data from before can still come`
}

/** "the table is older than its objective of 2 min since 14:03:05 (3 min ago)", "partition 3 of orders starts losing unread data in 5 h 10 min (19:16:00)". */
export function deadlineInWords(deadline: Deadline, timeline: Timeline, clock: WallClock): string {
  const at = clock.moment(timeline.zeroS + deadline.at, timeline.zeroS + timeline.now)
  const away = relative(deadline.at - timeline.now)
  return deadline.kind === 'objective_broken' ? `${deadline.what} since ${at} (${away})` : `${deadline.what} ${away} (${at})`
}
