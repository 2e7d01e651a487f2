/**
 * Does the reader take all that is there? One without a cap does, however slow it is: its batch ends where the log ended when it was
 * planned. One that takes less falls behind although its batches are in time, and no batch will ever be too long to show it.
 */
import { between } from './line.ts'
import { plannedAt } from './partitions.ts'
import type { Line, PartitionFlow, TimedBatch, Timeline } from './timeline.ts'

export interface Behind {
  /** Records/s between two plans: that arrived, and that were taken. */
  readonly arrived: number
  readonly taken: number
  /** Records that were in the log when the newest batch was planned and that it did not take. */
  readonly left: number
}

/** Rates are read over at least this long, and so many batches (engine.md §3.2). */
const WINDOW_SECONDS = 30
const WINDOW_BATCHES = 4
/** Clocks of driver and broker differ, so a little of a batch may seem to be left. */
const TAKES_ALL = 0.9
const LEFT_OF_A_BATCH = 0.5
/** Batches over which rows are compared where offsets are not known. */
const ROW_BATCHES = 30

/** null = it takes what there is, or the log ends were seen through its own plans only, which cannot tell. */
export function findBehind(timeline: Timeline): Behind | null {
  return byOffsets(timeline) ?? byRows(timeline)
}

/** Without offsets of the reader (no checkpoint): rows that batches read against records that came in, over the newest minutes. */
function byRows(timeline: Timeline): Behind | null {
  const { batches } = timeline
  if (batches.some((b) => b.to_offset)) return null
  const closed = batches.filter((b) => !b.open && typeof b.rows === 'number').slice(-ROW_BATCHES)
  const [first] = closed
  const last = closed.at(-1)
  if (!first || !last || closed.length < WINDOW_BATCHES + 1 || last.start - first.start < 2 * WINDOW_SECONDS) return null
  const seconds = last.start - first.start
  // A batch reads what came before it began: the rows of all but the first were waiting by the start of the last.
  const taken = closed.slice(1).reduce((a, b) => a + (b.rows as number), 0) / seconds
  let came = 0
  for (const flow of timeline.partitions) {
    const end = seenBesides(flow)
    const [a, b] = [between(end, first.start), between(end, last.start)]
    if (a === null || b === null) return null
    came += b - a
  }
  const arrived = came / seconds
  const left = (arrived - taken) * seconds
  return timeline.partitions.length > 0 && taken < TAKES_ALL * arrived && left > (last.rows as number) ? { arrived, taken, left } : null
}

function byOffsets(timeline: Timeline): Behind | null {
  const planned = timeline.batches.filter((b) => b.to_offset)
  const last = planned.at(-1)
  if (last === undefined) return null
  const to = plannedAt(last)
  const first = planned.slice(0, 1 - WINDOW_BATCHES).findLast((b) => plannedAt(b) <= to - WINDOW_SECONDS)
  if (first === undefined) return null
  const seconds = to - plannedAt(first)
  const begin = logAt(timeline, first)
  const end = logAt(timeline, last)
  if (begin === null || end === null) return null
  const arrived = (end.log - begin.log) / seconds
  const taken = (end.read - begin.read) / seconds
  const left = end.log - end.read
  const batch = last.rows ?? taken * (seconds / WINDOW_BATCHES)
  return taken < TAKES_ALL * arrived && left > LEFT_OF_A_BATCH * batch ? { arrived, taken, left } : null
}

/** Log end and end of the batch over all partitions when it was planned; null where one of them is not known. */
function logAt({ partitions }: Timeline, batch: TimedBatch): { log: number; read: number } | null {
  let log = 0
  let read = 0
  for (const flow of partitions) {
    const end = between(seenBesides(flow), plannedAt(batch))
    const taken = batch.to_offset?.[flow.topic]?.[String(flow.partition)]
    if (end === null || taken === undefined) return null
    log += end
    read += taken
  }
  return partitions.length === 0 ? null : { log, read }
}

/** The log end as it was seen by others than the reader. */
function seenBesides({ made, logEnd }: PartitionFlow): Line {
  return made.t.length > 0 ? made : logEnd
}
