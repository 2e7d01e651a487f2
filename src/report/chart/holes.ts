/** Where a panel was not seen: stretches that get a hatched band, and across which no line is drawn. */
import type { Gap } from '../../incident/evidence.ts'
import type { Line, Timeline } from '../../timeline/timeline.ts'
import type { ShownWindow } from './shown-window.ts'

export interface Hole {
  readonly from: number
  readonly to: number
}

export type PanelName = 'intake' | 'lag' | 'batches' | 'slots' | 'freshness'

/** Which gaps concern which panel: by the beginning of the signal's name, or by the source, the most telling first, when it names none. */
const concerns: Readonly<Record<PanelName, { readonly signals: readonly string[]; readonly sources: readonly string[] }>> = {
  intake: { signals: ['partition.log_end', 'partition.arriv', 'topic.intake', 'intake'], sources: ['kafka'] },
  lag: {
    signals: ['partition.lag', 'partition.position', 'partition.committed', 'group.lag', 'position', 'lag'],
    sources: ['checkpoint', 'kafka-group', 'kafka'],
  },
  batches: { signals: ['batch', 'batches', 'spark.batch'], sources: ['spark-ui', 'spark', 'checkpoint'] },
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

export function merged(holes: readonly Hole[]): Hole[] {
  const out: Hole[] = []
  for (const hole of holes.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1)
    if (last !== undefined && hole.from <= last.to) out[out.length - 1] = { from: last.from, to: Math.max(last.to, hole.to) }
    else out.push(hole)
  }
  return out
}

const named = (panel: PanelName, gap: Gap): boolean =>
  gap.signal !== null && concerns[panel].signals.some((start) => (gap.signal as string).startsWith(start))

function within(holes: readonly Hole[], window: ShownWindow): Hole[] {
  const least = (window.to - window.from) * leastShare
  return holes
    .map((hole) => ({ from: Math.max(hole.from, window.from), to: Math.min(hole.to, window.to) }))
    .filter((hole) => hole.to - hole.from > least)
}

/** Three times the usual distance between samples. */
function patience(line: Line): number {
  const apart = line.t.slice(-12).map((t, i, all) => t - (all[i - 1] ?? t))
  return 3 * Math.max(5, ...apart)
}
