/** Where a panel was not seen: stretches that get a hatched band, and across which no line is drawn. */
import type { Gap } from '../../incident/evidence.ts'
import { median } from '../../timeline/robust.ts'
import type { Line, Timeline } from '../../timeline/timeline.ts'
import { seen } from '../line.ts'
import type { ShownWindow } from './shown-window.ts'

export interface Hole {
  readonly from: number
  readonly to: number
  /** Some of the panel's lines were seen in it. */
  readonly partly?: boolean
}

export type PanelName = 'intake' | 'lag' | 'batches' | 'slots' | 'freshness'

interface Concern {
  readonly signals: readonly string[]
  /** Signals it is worked out from: without them it may still be known from others. */
  readonly from?: readonly string[]
  readonly sources: readonly string[]
}

/** Which gaps concern which panel: by the beginning of the signal's name, or by the source, the most telling first, when it names none. */
const concerns: Readonly<Record<PanelName, Concern>> = {
  intake: { signals: ['partition.log_end', 'partition.arriv', 'topic.intake', 'intake'], sources: ['kafka'] },
  lag: {
    signals: ['partition.lag', 'partition.position', 'partition.committed', 'group.lag', 'position', 'lag'],
    from: ['partition.log_end'],
    sources: ['checkpoint', 'kafka-group', 'kafka'],
  },
  batches: { signals: ['batch', 'batches', 'spark.batch'], sources: ['spark-ui', 'spark', 'checkpoint', 'event-log'] },
  slots: { signals: ['executor', 'slots'], sources: ['spark-ui', 'spark'] },
  freshness: { signals: ['table', 'commit', 'freshness'], sources: ['delta'] },
}

/** A stretch shorter than this share of the window is not worth a mark. */
const leastShare = 0.004

/** Stretches without an answer between `null` samples, before the first and after the last sample. */
export function holesOf(line: Line, window: ShownWindow, held: boolean): Hole[] {
  const holes: Hole[] = []
  let last: number | null = null
  let asking = false
  line.t.forEach((t, i) => {
    const v = line.v[i]
    if (v === null || v === undefined) {
      asking = true
      return
    }
    if (last === null || asking) holes.push({ from: last ?? Number.NEGATIVE_INFINITY, to: t })
    last = t
    asking = false
  })
  // Steps hold until something changes; a measured line ends where it was last measured.
  if (last !== null && (asking || (!held && window.to - last > patience(line)))) holes.push({ from: last, to: Number.POSITIVE_INFINITY })
  return within(holes, window)
}

/** Gaps that name a stretch inside the window. One that covers it all is no stretch: the panel then says so in words. */
export function holesFromGaps(panel: PanelName, timeline: Timeline, window: ShownWindow): Hole[] {
  return within(
    timeline.gaps
      .filter((gap) => gap.signal !== null && named(panel, gap) && gap.from !== undefined && gap.to !== undefined)
      .filter((gap) => (gap.from as number) > window.from || (gap.to as number) < window.to)
      .map((gap) => ({ from: gap.from as number, to: gap.to as number })),
    window,
  )
}

/** A stretch this many times as long as usual between two readings lacks at least one. */
const tooLong = 1.5
/** More than these no eye tells apart. */
const mostGaps = 100
/** From so many distances on there is a usual one. */
const enoughDistances = 4

/**
 * A source that failed names no signal. Where it should have fed the panel (or what the panel is worked out from) and the panel
 * has no reading, the time between the two neighbouring readings was not seen.
 * @param readings stretches in which the panel was read, in order; an instant begins where it ends. Asked for only where a source failed
 * @param anySource the panel is read at regular times, so that a source of any name may be the one that failed
 */
export function holesFromSources(
  panel: PanelName,
  readings: () => readonly Hole[],
  anySource: boolean,
  timeline: Timeline,
  window: ShownWindow,
): Hole[] {
  const failed = timeline.gaps
    .filter(
      (gap) =>
        gap.from !== undefined && (gap.signal === null ? feeds(panel, gap.source, anySource) : starts(gap.signal, concerns[panel].from)),
    )
    .slice(0, mostGaps)
  if (failed.length === 0) return []
  // What stands at the very end is worked out from older readings.
  const read = readings().filter((one) => one.from < window.to - instant)
  const long = tooLong * usualDistance(read)
  const empty = [...read, null].map((next, i) => ({ last: read[i - 1]?.to ?? null, next: next?.from ?? null }))
  return within(
    failed.flatMap(({ from = 0, to = Number.POSITIVE_INFINITY }) =>
      empty
        .filter(({ last, next }) => (last ?? from) < to && (next ?? to) > from)
        .map(({ last, next }) => ({ from: last ?? from, to: next ?? to }))
        .filter((hole) => hole.to - hole.from > long),
    ),
    window,
  )
}

/** Where the age of the newest data was not seen: between commits it grows by itself, but only where commits were read. */
export function freshnessHoles(timeline: Timeline, window: ShownWindow): Hole[] {
  const { freshness, commits } = timeline
  return merged([
    ...holesOf(freshness, window, false),
    ...holesFromGaps('freshness', timeline, window),
    ...holesFromSources('freshness', () => readingsOf([freshness]), commits.length === 0, timeline, window),
  ])
}

/** The instants of lines as readings, each once. */
export function readingsOf(lines: readonly Line[]): Hole[] {
  const times = new Set(lines.flatMap((line) => seen(line).map((point) => point.t)))
  return [...times].sort((a, b) => a - b).map((t) => ({ from: t, to: t }))
}

function feeds(panel: PanelName, source: string, anySource: boolean): boolean {
  if (concerns[panel].sources.includes(source)) return true
  return anySource && !Object.values(concerns).some((one) => one.sources.includes(source))
}

/** Median between the beginnings; 0 where there are too few to tell. Neighbours closer than a hundredth of a second are one reading. */
function usualDistance(readings: readonly Hole[]): number {
  const apart = readings.map(({ from }, i) => from - (readings[i - 1]?.from ?? from)).filter((distance) => distance > instant)
  return apart.length < enoughDistances ? 0 : median(apart)
}

/** Stretches that more than `share` of the lines were not seen in; `partly` where others were. */
export function unseenInMost(lines: readonly Line[], share: number, window: ShownWindow): Hole[] {
  const edges = lines
    .flatMap((line) => holesOf(line, window, false))
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by)
  const holes: Hole[] = []
  let unseen = 0
  let since: number | null = null
  for (const { at, by } of edges) {
    const [some, all] = [unseen > share * lines.length, unseen === lines.length]
    if (some && since !== null && at > since) holes.push({ from: since, to: at, ...(all ? {} : { partly: true }) })
    unseen += by
    since = at
  }
  return within(holes, window)
}

/** Where the window ends in a hole: when the panel was last seen; otherwise null, and what is last is now. */
export function lastSeenBefore(holes: readonly Hole[], window: ShownWindow): number | null {
  return holes.find((hole) => hole.to >= window.to)?.from ?? null
}

/** Why a panel is empty. */
export function reasonFor(panel: PanelName, timeline: Timeline): string {
  const bySource = concerns[panel].sources.flatMap((source) => timeline.gaps.filter((gap) => gap.signal === null && gap.source === source))
  const gap = mostTelling(timeline.gaps.filter((one) => named(panel, one))) ?? mostTelling(bySource)
  return gap?.reason ?? 'no source gave it'
}

/** What lacks only for a stretch is the last to explain why there is nothing at all. */
function mostTelling(gaps: readonly Gap[]): Gap | undefined {
  return gaps.find((gap) => gap.from === undefined) ?? gaps[0]
}

/** Nearer than this two holes have nothing between them, s: the lag just before a commit and just after it stand a thousandth apart. */
const instant = 0.01

export function merged(holes: readonly Hole[]): Hole[] {
  const out: Hole[] = []
  for (const hole of holes.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1)
    const apart = last !== undefined && hole.from >= last.to && hole.partly !== last.partly
    if (last === undefined || hole.from > last.to + instant || apart) out.push(hole)
    else {
      const partly = last.partly === true && hole.partly === true
      out[out.length - 1] = { from: last.from, to: Math.max(last.to, hole.to), ...(partly ? { partly } : {}) }
    }
  }
  return out
}

const named = (panel: PanelName, gap: Gap): boolean => gap.signal !== null && starts(gap.signal, concerns[panel].signals)

const starts = (signal: string, beginnings: readonly string[] = []): boolean => beginnings.some((one) => signal.startsWith(one))

function within(holes: readonly Hole[], window: ShownWindow): Hole[] {
  const least = (window.to - window.from) * leastShare
  return holes
    .map((hole) => ({ ...hole, from: Math.max(hole.from, window.from), to: Math.min(hole.to, window.to) }))
    .filter((hole) => hole.to - hole.from > least)
}

/** Three times the usual distance between samples. */
function patience(line: Line): number {
  const apart = line.t.slice(-12).map((t, i, all) => t - (all[i - 1] ?? t))
  return 3 * Math.max(5, ...apart)
}
