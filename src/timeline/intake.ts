/** How much came in before and now, per partition, and since when: from log end offsets alone. */
import type { LatePartition } from './lateness.ts'
import { between, known, rateBetween } from './line.ts'
import { median } from './robust.ts'
import type { Step } from './step.ts'
import { findStep } from './step.ts'
import type { Line, PartitionFlow, Timeline } from './timeline.ts'

export interface PartitionIntake {
  readonly topic: string
  readonly partition: number
  /** Records/s. */
  readonly before: number
  readonly now: number
}

export interface IntakeChange {
  /** The windows that are compared, seconds since window.from. */
  readonly beforeWindow: readonly [number, number]
  readonly nowWindow: readonly [number, number]
  /** Records/s over all partitions. */
  readonly before: number
  readonly now: number
  readonly partitions: readonly PartitionIntake[]
  /** When the total changed; null = no step found. */
  readonly step: Step | null
  /** Partitions whose intake could be read in both windows, of all. */
  readonly seen: number
  readonly of: number
}

/** A rate up to this share of the usual is a pause (engine.md: source_stall); so many rates tell what is usual. */
const QUIET = 0.2
const FEW_RATES = 3
/** Records that would usually have come in a silence which is a pause. */
const PAUSE_RECORDS = 50
/** Of less time than the rest no level can be read. */
const MOST_PAUSED = 0.8
/** More than usual, and a rise of at most this many seconds (or one batch) that is over is a burst. */
const MORE = 1.5
const BURST_SECONDS = 12
/** A change is looked for in this long before what is judged may have begun, s. */
const LOOKED_BACK = 300
/** Shorter windows say little about a rate. */
const SHORTEST_WINDOW = 8

/**
 * Rates before and now.
 * @param base when the reader was well: [from, to]
 * @param since earliest time at which what is judged may have begun; the change itself is looked for from there on
 * @param until right edge (now, or the end of an episode that is over)
 * @param anywhere it may have begun long before `since`: then the change counts wherever it lies since `base` began
 */
export function intakeChange(
  timeline: Timeline,
  base: readonly [number, number],
  since: number,
  until: number,
  anywhere = false,
): IntakeChange | null {
  const flows = timeline.partitions.filter((p) => p.logEnd.t.length > 1)
  if (flows.length === 0) return null
  const step = biggestStep(timeline, flows, anywhere ? base[0] : Math.max(base[0], since - LOOKED_BACK), until)
  // The new level is read after the change; what came before `since` and before the change is the old one.
  const earliest = anywhere ? base[0] + SHORTEST_WINDOW : since - SHORTEST_WINDOW
  const begun = step !== null && step.between[1] > earliest && step.between[1] < until - SHORTEST_WINDOW ? step.between[1] : since
  const nowWindow = [Math.min(begun, until - SHORTEST_WINDOW), until] as const
  const beforeWindow = [base[0], Math.min(base[1], nowWindow[0])] as const
  if (beforeWindow[1] - beforeWindow[0] < SHORTEST_WINDOW) return null
  const paused = pausedShare(timeline.intake, beforeWindow)
  const partitions: PartitionIntake[] = []
  for (const flow of flows) {
    const before = rateIn(flow, beforeWindow)
    const mean = rateIn(flow, nowWindow)
    if (before === null || mean === null) continue
    const usual = before / (1 - Math.max(paused, pausedShare(flow.intake, beforeWindow)))
    partitions.push({
      topic: flow.topic,
      partition: flow.partition,
      before: usual,
      now: withoutBurst(flow.logEnd, nowWindow[0], usual) ?? mean,
    })
  }
  if (partitions.length === 0) return null
  return {
    beforeWindow,
    nowWindow,
    before: partitions.reduce((a, p) => a + p.before, 0),
    now: partitions.reduce((a, p) => a + p.now, 0),
    partitions,
    step,
    seen: partitions.length,
    of: timeline.partitions.length,
  }
}

/**
 * Part of a window in which next to nothing came. The level before a change is that of the time in which records flowed: after a pause
 * the usual flow would else look like a surge. A short silence of a line with few records is no pause.
 */
function pausedShare(line: Line, [from, to]: readonly [number, number]): number {
  const rates = known(line, from, to)
  const flowing = rates.map(([, v]) => v).filter((v) => v > 0)
  if (flowing.length < FEW_RATES) return 0
  const usual = median(flowing)
  let paused = 0
  let quiet = 0
  for (let i = 1; i < rates.length; i++) {
    const [t, v] = rates[i] as readonly [number, number]
    quiet = v <= QUIET * usual ? quiet + t - (rates[i - 1] as readonly [number, number])[0] : 0
    const next = rates[i + 1]
    if (quiet * usual >= PAUSE_RECORDS && (next === undefined || next[1] > QUIET * usual)) paused += quiet
  }
  return Math.min(MOST_PAUSED, paused / (to - from))
}

/**
 * The rate since `from` where more than usual came only once and shortly: what a producer kept back for some seconds is no level.
 * null = nothing more came, or it came for longer, or it may still come.
 */
function withoutBurst(logEnd: Line, from: number, usual: number): number | null {
  const points = known(logEnd, from, Number.POSITIVE_INFINITY)
  let burst: { readonly from: number; to: number; records: number; stretches: number } | null = null
  for (let i = 1; i < points.length; i++) {
    const [[t1, v1], [t2, v2]] = [points[i - 1] as readonly [number, number], points[i] as readonly [number, number]]
    if ((v2 - v1) / (t2 - t1) <= MORE * usual) continue
    if (burst !== null && burst.to !== t1) return null
    burst ??= { from: t1, to: t1, records: 0, stretches: 0 }
    burst.to = t2
    burst.records += v2 - v1
    burst.stretches++
  }
  const [first, last] = [points[0], points.at(-1)]
  if (burst === null || first === undefined || last === undefined || last[0] - burst.to < SHORTEST_WINDOW) return null
  const seconds = burst.to - burst.from
  if (burst.stretches > 1 && seconds > BURST_SECONDS) return null
  return Math.max(0, last[1] - first[1] - burst.records) / (last[0] - first[0] - seconds)
}

/** Rate over a window, clipped to what was seen of it (at least half). */
export function rateIn(flow: { readonly logEnd: Line; readonly arrived: Line }, [from, to]: readonly [number, number]): number | null {
  for (const line of [flow.logEnd, flow.arrived]) {
    const inside = known(line, from, to)
    const first = between(line, from) !== null ? from : inside[0]?.[0]
    const last = between(line, to) !== null ? to : inside.at(-1)?.[0]
    if (first === undefined || last === undefined || last - first < (to - from) / 2) continue
    const rate = rateBetween(line, first, last)
    if (rate !== null) return rate
  }
  return null
}

/** The step of the total, or of the one partition that gained most, whichever is clearer. */
function biggestStep(timeline: Timeline, flows: readonly PartitionFlow[], from: number, until: number): Step | null {
  const total = findStep(known(timeline.intake, from, until), 2)
  let best = total
  for (const flow of flows.length <= 200 ? flows : []) {
    const step = findStep(known(flow.intake, from, until), 2)
    if (step === null) continue
    const height = Math.abs(step.after - step.before)
    if (best === null || height * step.gain > Math.abs(best.after - best.before) * best.gain * 1.2) best = step
  }
  return best
}

/** The same change without records that arrived late: what an upload brings at once is no partition's share. */
export function withoutLate(change: IntakeChange, late: readonly LatePartition[]): IntakeChange {
  const [from, to] = change.nowWindow
  const partitions = change.partitions.map((p) => {
    const upload = late.find((one) => one.topic === p.topic && one.partition === p.partition)
    const inside = upload !== undefined && upload.arrived[1] >= from && upload.arrived[0] <= to
    return inside ? { ...p, now: Math.max(0, p.now - upload.records / (to - from)) } : p
  })
  return { ...change, partitions, now: partitions.reduce((sum, p) => sum + p.now, 0) }
}

/** Half the sum of the differences of the shares: 0 = spread as before, 1 = all moved elsewhere. */
export function shareShift(change: IntakeChange): number {
  if (change.before <= 0 || change.now <= 0) return 0
  return change.partitions.reduce((sum, p) => sum + Math.abs(p.now / change.now - p.before / change.before), 0) / 2
}

export interface Concentration {
  readonly partitions: readonly PartitionIntake[]
  /** Share of all intake that they take, before and now. */
  readonly shareBefore: number
  readonly shareNow: number
  /** Their intake over that of the median partition, now. */
  readonly timesMedian: number
}

/**
 * The few partitions that take more than before and much more than their peers.
 * A partition belongs to them when its share grew by half and it takes at least twice the median of the others;
 * more than a quarter of the partitions (or 3) are no longer "few".
 */
export function concentration(change: IntakeChange): Concentration | null {
  const n = change.partitions.length
  if (n < 2 || change.now <= 0) return null
  const rates = change.partitions.map((p) => p.now).sort((a, b) => a - b)
  const medianNow = rates[Math.floor((n - 1) / 2)] as number
  const hot = change.partitions
    .filter((p) => {
      const shareNow = p.now / change.now
      const shareBefore = change.before > 0 ? p.before / change.before : 1 / n
      return p.now >= 2 * medianNow && shareNow >= 1.5 * shareBefore && shareNow - shareBefore >= 0.5 / n
    })
    .sort((a, b) => b.now - a.now || a.partition - b.partition)
  if (hot.length === 0 || hot.length > Math.max(1, Math.min(3, Math.floor(n / 4)))) return null
  const now = hot.reduce((a, p) => a + p.now, 0)
  const before = hot.reduce((a, p) => a + p.before, 0)
  return {
    partitions: hot,
    shareNow: now / change.now,
    shareBefore: change.before > 0 ? before / change.before : 0,
    timesMedian: medianNow > 0 ? now / hot.length / medianNow : Number.POSITIVE_INFINITY,
  }
}

/** Rows of a batch per partition, from its offsets: known as soon as it is planned. */
export function batchRows(timeline: Timeline, id: number): { readonly partition: number; readonly topic: string; readonly rows: number }[] {
  const batch = timeline.batches.find((b) => b.id === id)
  const out: { partition: number; topic: string; rows: number }[] = []
  for (const [topic, ends] of Object.entries(batch?.to_offset ?? {})) {
    for (const [partition, end] of Object.entries(ends)) {
      const from = batch?.from_offset?.[topic]?.[partition]
      if (from !== undefined) out.push({ topic, partition: Number(partition), rows: Math.max(0, end - from) })
    }
  }
  return out.sort((a, b) => b.rows - a.rows || a.partition - b.partition)
}
