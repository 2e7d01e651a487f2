/** How much came in before and now, per partition, and since when: from log end offsets alone. */
import type { LatePartition } from './lateness.ts'
import { pausedIn, pausedShare, QUIET, rateIn, SHORTEST_WINDOW, withoutBurst } from './level.ts'
import { known } from './line.ts'
import type { Step } from './step.ts'
import { findStep } from './step.ts'
import type { PartitionFlow, Timeline } from './timeline.ts'

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

/** A change is looked for in this long before what is judged may have begun, s. */
const LOOKED_BACK = 300
/** A change makes batches slow within this time, s, or within two batches (engine.md §3.4). One that is older did no harm. */
const HARM_WITHIN = 60
/** Such a change parts two levels where it explains this much of the scatter, and is this large against what came before. */
const CLEARLY = 0.5
const SOME = 0.25

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
  const from = anywhere ? base[0] : (levelBegan(timeline, flows, base[0], since) ?? base[0])
  const step = biggestStep(timeline, flows, anywhere ? from : Math.max(from, since - LOOKED_BACK), until)
  // The new level is read after the change; what came before `since` and before the change is the old one.
  const earliest = anywhere ? base[0] + SHORTEST_WINDOW : since - SHORTEST_WINDOW
  const begun = step !== null && step.between[1] > earliest && step.between[1] < until - SHORTEST_WINDOW ? step.between[1] : since
  const nowWindow = [Math.min(begun, until - SHORTEST_WINDOW), until] as const
  const beforeWindow = [from, Math.min(base[1], nowWindow[0])] as const
  if (beforeWindow[1] - beforeWindow[0] < SHORTEST_WINDOW) return null
  const paused = pausedShare(timeline.intake, beforeWindow)
  const partitions: PartitionIntake[] = []
  for (const flow of flows) {
    const [before, mean] = [rateIn(flow, beforeWindow), rateIn(flow, nowWindow)]
    if (before === null || mean === null) continue
    const usual = before / (1 - Math.max(paused, pausedIn(flow, beforeWindow)))
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

/** When the level began that batches bore well before `since`: a mean over an older change would be neither. null = it did not change. */
function levelBegan(timeline: Timeline, flows: readonly PartitionFlow[], from: number, since: number): number | null {
  const last = timeline.batches.findLast((b) => !b.open && b.start <= since)
  const step = biggestStep(timeline, flows, from, since - Math.max(HARM_WITHIN, 2 * (last?.seconds ?? 0)))
  if (step === null || step.gain < CLEARLY || Math.abs(step.after - step.before) < SOME * Math.max(step.before, step.after)) return null
  // A pause is no level.
  return step.after <= QUIET * step.before ? null : step.between[1]
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
    // What came at once may be no part of the level already: then nothing is taken away twice.
    return inside ? { ...p, now: Math.max(Math.min(p.now, p.before), p.now - upload.records / (to - from)) } : p
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
