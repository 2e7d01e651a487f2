/**
 * Do the readings add up? What the lag changed by must be what came in less what was consumed (engine.md §3.2):
 *     e = |change of lag - (intake - consumption)| / max(intake, consumption)        adds up at <= 5 %, broken above 15 %
 * A lag worked out from offsets adds up by itself, so only one that somebody else measured can test them. Readings seldom stand at the
 * same instant: a counter is known to lie between its readings before and after (a position between two commits), and that much of a
 * difference is resolution, no contradiction. Where it hides more than 15 % nothing was tested, and that is said.
 */
import type { Evidence, Series } from '../incident/evidence.ts'
import { duration, partitionsNamed, share } from '../incident/format.ts'
import { boundOf } from './clocks.ts'
import { heldAt, indexAt, joined } from './line.ts'
import type { Line, PartitionFlow } from './timeline.ts'

export interface Closure {
  readonly state: 'adds_up' | 'open' | 'broken' | 'untested'
  /** Share of what flowed that cannot be explained, beyond what the resolution may hide; null = not tested. */
  readonly error: number | null
  /** Share of what flowed that the times of the readings leave open; null = not tested. */
  readonly resolution: number | null
  /** Signals that contradict each other, and where; empty unless broken. */
  readonly signals: readonly string[]
  readonly partitions: readonly number[]
  /** One sentence. */
  readonly says: string
}

const ADDS_UP = 0.05
const BROKEN = 0.15
/** Fewer records flowing than this say nothing of shares. */
const FEW_RECORDS = 100
/** The newest stretch is tested, and a longer one only where the readings are too coarse for it, s. */
const STRETCHES = [60, 120, 240, 480, 960, 1920, 3840]
/** Clock difference between two sources that nobody bounded, s. */
const UNKNOWN_SKEW = 2

const LAG = 'partition.lag'
const GROUP_LAG = 'group.lag'
const END = 'partition.log_end_offset'

const COMPARED: ReadonlySet<string> = new Set([LAG, GROUP_LAG, END, 'partition.committed_offset', 'partition.position'])

type Range = readonly [number, number]

interface Test {
  readonly partitions: readonly number[]
  /** Range of change of lag - (intake - consumption), records. */
  readonly rest: Range
  /** Records that flowed. */
  readonly scale: number
}

export function closureOf(evidence: Evidence, flows: readonly PartitionFlow[]): Closure {
  return pastTheEnd(evidence, flows) ?? byLag(evidence, flows)
}

/** Nobody can have read further than the log reached at a later time. null = nobody has, as far as it was seen. */
function pastTheEnd(evidence: Evidence, flows: readonly PartitionFlow[]): Closure | null {
  const skew = 2 * Math.max(UNKNOWN_SKEW, ...(evidence.clocks ?? []).map((c) => boundOf(c) ?? 0))
  let [beyond, read] = [0, 0]
  const partitions: number[] = []
  for (const { arrived, position, partition } of flows) {
    const [at, end] = [arrived.t.at(-1), arrived.v.at(-1)]
    if (at === undefined || end === null || end === undefined) continue
    const reached = Math.max(heldAt(position, at - skew) ?? 0, heldAt(arrived, at - skew) ?? 0)
    read += Math.max(0, reached - (position.v[0] ?? reached))
    if (reached <= end) continue
    beyond += reached - end
    partitions.push(partition)
  }
  const error = beyond / Math.max(FEW_RECORDS, read)
  if (error <= BROKEN) return null
  const says = `The reader is further in ${partitionsNamed(partitions)} than the log reaches, by ${Math.round(beyond)} records: the two are not of the same topic or cluster, or the log was cut.`
  return { state: 'broken', error: rounded(error), resolution: 0, signals: ['partition.position', END], partitions, says }
}

function byLag(evidence: Evidence, flows: readonly PartitionFlow[]): Closure {
  const measured = measuredLags(evidence, flows)
  if (measured.length === 0) return untested('nobody but the offsets tells the lag')
  const slack = slackOf(evidence)
  // The commits of batches are known one by one, so between two of them the position stands still for sure.
  const doneBy = evidence.batches.some((b) => b.to_offset) ? stepped : within
  let coarsest: number | null = null
  for (const stretch of STRETCHES) {
    const tests = measured.flatMap((one) => testOf(one, stretch, slack, doneBy) ?? [])
    const scale = tests.reduce((a, t) => a + t.scale, 0)
    if (scale < FEW_RECORDS) continue
    const resolution = tests.reduce((a, t) => a + (t.rest[1] - t.rest[0]) / 2, 0) / scale
    const error = tests.reduce((a, t) => a + apart(t.rest), 0) / scale
    coarsest = resolution
    if (error > BROKEN || resolution <= BROKEN) return tested(tests, error, resolution, stretch)
  }
  return untested(
    coarsest === null
      ? 'too few records flowed between two readings of the lag'
      : 'lag and offsets were not read often enough at the same times',
  )
}

interface Measured {
  readonly lag: Line
  /** Whose lag it is: one partition's, or the whole group's. */
  readonly flows: readonly PartitionFlow[]
}

function measuredLags(evidence: Evidence, flows: readonly PartitionFlow[]): Measured[] {
  const { group } = evidence.pipeline.reader
  const own = evidence.series.filter((s) => (s.signal === LAG || s.signal === GROUP_LAG) && (s.entity.group ?? group) === group)
  const each = own.filter((s) => s.signal === LAG)
  if (each.length === 0) return own.length === 0 ? [] : [{ lag: joined(own), flows }]
  const byKey = new Map<string, Series[]>()
  const keyOf = (topic: string | undefined, partition: number | undefined) => `${topic}\u0000${partition}`
  for (const s of each) {
    const key = keyOf(s.entity.topic, s.entity.partition)
    byKey.set(key, [...(byKey.get(key) ?? []), s])
  }
  return flows.flatMap((flow) => {
    const series = byKey.get(keyOf(flow.topic, flow.partition))
    return series === undefined ? [] : [{ lag: joined(series), flows: [flow] }]
  })
}

/** Sources that stand at the same clock need no slack; others may differ by what bounds both. */
function slackOf(evidence: Evidence): number {
  const relevant = evidence.series.filter((s) => COMPARED.has(s.signal) && s.clock !== 'record')
  const sources = [...new Set(relevant.map((s) => s.source))]
  if (sources.length < 2) return 0
  const bound = (source: string) => boundOf(evidence.clocks?.find((c) => c.source === source)) ?? UNKNOWN_SKEW
  return sources.map(bound).reduce((a, b) => a + b, 0)
}

/** null where one of the three was not read on both sides of both ends of the stretch. */
function testOf({ lag, flows }: Measured, stretch: number, slack: number, doneBy: typeof within): Test | null {
  // Log ends by record time are no readings of an instant.
  const ends = flows.map(({ arrived, logEnd }) => (arrived.t.length > 0 ? arrived : logEnd))
  const read = (at: number) => {
    const value = heldAt(lag, at)
    const end = total(ends, at, slack, within)
    const done =
      end === null
        ? null
        : total(
            flows.map((flow) => flow.position),
            at,
            slack,
            doneBy,
          )
    return value === null || end === null || done === null ? null : { at, lag: value, end, done }
  }
  const b = firstOf(lag.t.toReversed(), read)
  const a = b === null ? null : firstOf(lag.t.filter((t) => t <= b.at - stretch).toReversed(), read)
  if (a === null || b === null) return null
  const change = b.lag - a.lag
  const least = b.end[0] - a.end[1] - (b.done[1] - a.done[0])
  const most = b.end[1] - a.end[0] - (b.done[0] - a.done[1])
  return {
    partitions: flows.length === 1 ? flows.map((flow) => flow.partition) : [],
    rest: [change - most, change - least],
    scale: Math.max(middle(b.end) - middle(a.end), middle(b.done) - middle(a.done)),
  }
}

function firstOf<T>(times: readonly number[], read: (at: number) => T | null): T | null {
  for (const at of times) {
    const value = read(at)
    if (value !== null) return value
  }
  return null
}

function total(lines: readonly Line[], at: number, slack: number, rangeOf: typeof within): Range | null {
  let [low, high] = [0, 0]
  for (const line of lines) {
    const range = rangeOf(line, at, slack)
    if (range === null) return null
    low += range[0]
    high += range[1]
  }
  return [low, high]
}

/** What a rising counter may have been at a time: from the reading before it to the one after. null beside an end, or where it fell. */
function within(line: Line, at: number, slack: number): Range | null {
  const i = indexAt(line.t, at - slack)
  const before = i < 0 ? null : (line.v[i] ?? null)
  if (slack === 0 && line.t[i] === at && before !== null) return [before, before]
  let j = i + 1
  while (j < line.t.length && ((line.t[j] as number) < at + slack || (line.v[j] ?? null) === null)) j++
  const after = line.v[j] ?? null
  return before === null || after === null || after < before ? null : [before, after]
}

/** What a counter that is known at every step was at a time. null before the first step, or where it fell. */
function stepped(line: Line, at: number, slack: number): Range | null {
  const [before, after] = [heldAt(line, at - slack), heldAt(line, at + slack)]
  return before === null || after === null || after < before ? null : [before, after]
}

function tested(tests: readonly Test[], error: number, resolution: number, stretch: number): Closure {
  const state = error > BROKEN ? 'broken' : error <= ADDS_UP ? 'adds_up' : 'open'
  const off = tests.filter((t) => apart(t.rest) > BROKEN * Math.max(FEW_RECORDS, t.scale)).flatMap((t) => t.partitions)
  const what = `intake, consumption and the measured lag of the last ${duration(stretch)}`
  const says =
    state === 'broken'
      ? `The measured lag contradicts the offsets: over the last ${duration(stretch)} ${share(error)} of what flowed is not in it${off.length > 0 ? ` (${partitionsNamed(off)})` : ''}.`
      : `${state === 'adds_up' ? `Within ${share(Math.max(0.01, error + resolution))}` : `But for ${share(error)}`} ${what} add up.`
  return {
    state,
    error: rounded(error),
    resolution: rounded(resolution),
    signals: state === 'broken' ? [LAG, END] : [],
    partitions: state === 'broken' ? off : [],
    says,
  }
}

function untested(why: string): Closure {
  return {
    state: 'untested',
    error: null,
    resolution: null,
    signals: [],
    partitions: [],
    says: `Whether intake, consumption and lag add up was not tested: ${why}.`,
  }
}

const middle = ([low, high]: Range) => (low + high) / 2
/** Distance of a range from 0. */
const apart = ([low, high]: Range) => Math.max(0, low, -high)
const rounded = (value: number) => Math.round(value * 1e6) / 1e6
