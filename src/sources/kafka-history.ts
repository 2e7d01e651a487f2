/**
 * Intake of the last hour from a broker that nobody watched: ListOffsets answers "the first offset whose record is stamped at or
 * after t", exact to the record. Asked for many t this is the log end by record time. Pure: which times to ask, and what the
 * answers of one partition mean.
 */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** One point a minute for the last hour, one every five seconds for the last five minutes. */
export const HISTORY_MS = 60 * MINUTE_MS
export const FINE_MS = 5 * MINUTE_MS
const COARSE_STEP_MS = MINUTE_MS
export const FINE_STEP_MS = 5 * SECOND_MS
/** The newest points are read again at the second look: records stamped before them may still have been on their way. */
const OVERLAP_MS = 30 * SECOND_MS
/** Producers' clocks differ from ours by this much without anything being wrong. */
export const CLOCK_TOLERANCE_MS = 2 * SECOND_MS

/**
 * Times to ask for, epoch ms, the most telling first: minutes and five-second points in turn, each newest first, so that a look
 * that runs out of time has both the recent detail and some of the calm before. On a fixed grid, so that two looks ask alike.
 */
export function historyTimes(nowMs: number): number[] {
  const fine = grid(nowMs, FINE_STEP_MS, FINE_MS)
  const coarse = grid(nowMs, COARSE_STEP_MS, HISTORY_MS)
  const ordered = new Set<number>()
  for (let index = 0; index < Math.max(fine.length, coarse.length); index += 1) {
    for (const time of [fine[index], coarse[index]]) if (time !== undefined) ordered.add(time)
  }
  return [...ordered]
}

/** The few newest points, for the second look. */
export function overlapTimes(nowMs: number): number[] {
  return grid(nowMs, FINE_STEP_MS, OVERLAP_MS)
}

function grid(nowMs: number, stepMs: number, spanMs: number): number[] {
  const newest = Math.floor(nowMs / stepMs) * stepMs
  return Array.from({ length: Math.floor(spanMs / stepMs) + 1 }, (_, index) => newest - index * stepMs).filter(
    (time) => time >= nowMs - spanMs,
  )
}

export interface Answer {
  /** First offset stamped at or after the time asked; -1 = no such record. */
  readonly offset: number
  /** Stamp of that record, epoch ms. */
  readonly timestamp: number
}

export interface PartitionAnswers {
  /** Log start and log end offset as of the look. */
  readonly start: number
  readonly end: number
  /** The answer for a time just beyond now; -1 = no record from the future. null = not read. */
  readonly ahead: number | null
  /** Time asked (epoch ms) → answer. */
  readonly points: ReadonlyMap<number, Answer>
}

export interface PartitionHistory {
  /** Epoch seconds, rising; log end offset by record time, null = hidden by a record from the future. */
  readonly t: readonly number[]
  readonly v: readonly (number | null)[]
  /** Stamp of the oldest record kept, epoch seconds, where retention cuts into the hour; null = it does not. */
  readonly cutAt: number | null
  /** Nothing is left of the log, so nothing is known of what it took in. */
  readonly emptied: boolean
  /** From this time on (epoch seconds) a record stamped in the future hides what came after it; null = none does. */
  readonly hiddenFrom: number | null
}

/** Reads one partition's answers as its log end over record time. Everything is as of one log: records between `start` and `end`. */
export function historyOf({ start, end, ahead, points }: PartitionAnswers): PartitionHistory {
  const emptied = start > 0 && start >= end
  if (emptied) return { t: [], v: [], cutAt: null, emptied, hiddenFrom: null }
  const t: number[] = []
  const v: (number | null)[] = []
  let cutAt: number | null = null
  let hiddenFrom: number | null = null
  // A single record from the future as the last one hides nothing; with records after it, the times up to its stamp all answer with it.
  const hides = ahead !== null && ahead >= 0 && ahead + 1 < end ? ahead : null
  for (const [timeMs, { offset, timestamp }] of [...points].sort(([a], [b]) => a - b)) {
    const hidden = hides !== null && offset === hides
    if (hidden) hiddenFrom ??= timeMs / SECOND_MS
    // Older than all that is kept: how many records there were is not known, and certainly not "none".
    else if (start > 0 && offset >= 0 && offset <= start) {
      cutAt = timestamp / SECOND_MS
      continue
    }
    t.push(timeMs / SECOND_MS)
    v.push(hidden ? null : offset < 0 ? end : Math.min(offset, end))
  }
  const first = t[0]
  if (cutAt !== null && (first === undefined || cutAt < first)) {
    t.unshift(cutAt)
    v.unshift(start)
  }
  return { t, v, cutAt, emptied, hiddenFrom }
}
