/**
 * Which batches are ill, since when, and which before them were well: the two sides of every comparison.
 *
 * A batch is ill when it takes longer than the reader can afford: its trigger interval and clearly more than usual, or, for a reader
 * that runs back to back, clearly more than usual. That is physics, not statistics: below it the reader keeps up, above it lag grows.
 */
import { median, quantile } from './robust.ts'
import { slowSince } from './slow-since.ts'
import type { TimedBatch, Timeline } from './timeline.ts'

/** A batch within this share of its trigger leaves the reader time to spare. */
const WELL = 0.95
/** "Clearly more than usual": on a shared machine calm batches stray by a third (rig-spark.md §5: residual p90 1.3 s of 3 s). */
const CLEARLY = 1.35
/** For back-to-back readers, whose batches grow and shrink with the flow. */
const CLEARLY_BACK_TO_BACK = 1.6
/** An executor lost this long before a batch began is still missing in it, s. */
const LOST_BEFORE_SECONDS = 5
/** A single batch up to this many times its limit is a blip unless more follow (calm batches on a shared machine reach it: rig-spark.md §5). */
const BLIP = 1.5
/** An episode that ended longer ago than this is history: seconds, and triggers. */
const RECENT_SECONDS = 60
const RECENT_TRIGGERS = 6
/** A slow batch's successor, not heard of yet, may take this many times as long. */
const IN_FLIGHT = 3
/** Batches that count as "before": the level the reader came from, not one it left long ago. */
const BASELINE_BATCHES = 20
export const ENOUGH_BASELINE = 5

export interface Episode {
  /** Seconds a batch may take. */
  readonly limit: number
  /** Usual seconds of a batch before it. */
  readonly usual: number
  readonly base: readonly TimedBatch[]
  /** From the first ill batch on, in order. */
  readonly ill: readonly TimedBatch[]
  /** Start of the first ill batch; what made it ill happened between `since` (its predecessor's start) and its end. */
  readonly from: number
  readonly since: number
  /** End of the last ill batch when batches are well again; null = still ill. */
  readonly ended: number | null
  /** The oldest batch that is kept is ill already: it began before, and nothing is left to compare with. */
  readonly censored: boolean
  /** Then: when it began, where the commits of the table reach back to it; null = at any time before. */
  readonly began: readonly [number, number] | null
}

/** The newest batches that ended before `until` and are neither ill nor cold: what is normal when nothing is wrong. */
export function wellBatches(timeline: Timeline, until: number): TimedBatch[] {
  const { limit } = limits(timeline)
  return timeline.batches.filter((b) => !b.open && !b.warmUp && b.seconds <= limit && (b.end as number) <= until).slice(-BASELINE_BATCHES)
}

function limits(timeline: Timeline): { limit: number; usual: number } {
  const closed = timeline.batches.filter((b) => !b.open && !b.warmUp)
  const tau = timeline.triggerS
  const affordable = tau === null ? [] : closed.filter((b) => b.seconds <= tau * WELL)
  if (tau !== null && affordable.length >= ENOUGH_BASELINE) {
    const usual = median(affordable.slice(-BASELINE_BATCHES).map((b) => b.seconds))
    return { usual, limit: Math.max(tau, usual * CLEARLY) }
  }
  if (tau !== null)
    return {
      usual: Math.min(
        tau,
        quantile(
          closed.map((b) => b.seconds),
          0.25,
        ) || tau,
      ),
      limit: tau,
    }
  const usual = quantile(
    closed.map((b) => b.seconds),
    0.4,
  )
  return { usual, limit: usual * CLEARLY_BACK_TO_BACK }
}

/** Share of batches that wait before the next for the reader to have time to spare. */
const SOME_WAIT = 0.3
/** A wait shorter than this is the driver's own time between batches, s. */
const WAIT_SECONDS = 0.2

/**
 * Whether batches can be compared with what they may take: the trigger interval is known, the reader is told to run back to back, or it
 * waits between batches. Otherwise batches of any length look normal to themselves.
 */
export function limitIsKnown(timeline: Timeline): boolean {
  if (timeline.triggerS !== null || timeline.pipeline.reader.trigger_s === null) return true
  const closed = timeline.batches.filter((b) => !b.open && !b.warmUp).slice(-BASELINE_BATCHES)
  const waits = closed.filter((b, i) => i > 0 && b.start - ((closed[i - 1] as TimedBatch).end as number) > WAIT_SECONDS)
  return closed.length > 1 && waits.length >= SOME_WAIT * (closed.length - 1)
}

/** The newest batch where it alone is somewhat over its limit and no later one tells whether that was all; null otherwise. */
export function findBlip(timeline: Timeline): TimedBatch | null {
  const last = timeline.batches.at(-1)
  const { limit } = limits(timeline)
  return last !== undefined && !last.warmUp && last.seconds > limit ? last : null
}

/** The current episode, or one that ended a moment ago; null when batches are within their limit. */
export function findEpisode(timeline: Timeline): Episode | null {
  const { batches, now } = timeline
  const { limit, usual } = limits(timeline)
  if (!Number.isFinite(limit)) return null
  const isIll = (b: TimedBatch | undefined) => b !== undefined && !b.warmUp && b.seconds > limit
  const recent = Math.max(RECENT_SECONDS, RECENT_TRIGGERS * (timeline.triggerS ?? usual))
  for (let last = batches.length - 1; last >= 0; last--) {
    const lastIll = batches[last] as TimedBatch
    if (!isIll(lastIll)) continue
    // Nothing is known after it: the next one is in flight, and a batch reports nothing before it ends.
    const unfinished = last === batches.length - 1 ? IN_FLIGHT * lastIll.seconds : 0
    if (lastIll.end !== null && now - lastIll.end > Math.max(recent, unfinished)) return null
    let first = last
    // One well batch between two ill ones does not end an episode.
    while (first > 0 && (isIll(batches[first - 1]) || isIll(batches[first - 2]))) first--
    if (!isIll(batches[first])) first++
    // A blip hides nothing that came before it: the search goes on.
    if (first < last || lastIll.seconds > BLIP * limit || lostIn(timeline, lastIll)) return episodeFrom(timeline, first, last, limit, usual)
  }
  return null
}

/** An executor that was lost while a batch ran, or just before, makes even a short delay more than chance. */
function lostIn(timeline: Timeline, batch: TimedBatch): boolean {
  const until = batch.end ?? timeline.now
  return timeline.events.some((e) => e.kind === 'executor_removed' && e.at >= batch.start - LOST_BEFORE_SECONDS && e.at <= until)
}

function episodeFrom(timeline: Timeline, first: number, last: number, limit: number, usual: number): Episode {
  const { batches } = timeline
  const firstIll = batches[first] as TimedBatch
  const lastIll = batches[last] as TimedBatch
  const base = batches
    .slice(0, first)
    .filter((b) => !b.open && !b.warmUp && b.seconds <= limit)
    .slice(-BASELINE_BATCHES)
  const before = batches[first - 1]
  const censored = first === 0 || base.length === 0
  const ended = batches.slice(last + 1).some((b) => !b.open) && lastIll.end !== null ? lastIll.end : null
  return {
    limit,
    usual: base.length >= ENOUGH_BASELINE ? median(base.map((b) => b.seconds)) : usual,
    base,
    // What came after its end is another matter.
    ill: batches.slice(first, ended === null ? undefined : last + 1),
    from: firstIll.start,
    since: before?.start ?? firstIll.start,
    ended,
    censored,
    began: censored ? slowSince(timeline, limit) : null,
  }
}
