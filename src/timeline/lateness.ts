/**
 * Records that were made long before they arrived.
 *
 * The topic knows two curves per partition: how many records bear a time before t (log end by record time), and how many had arrived
 * at t (where the log ended when a batch was planned). On-time records make them equal; a record made before t and not yet arrived at t
 * lifts the first above the second. So their difference is exactly the late records, and an upload of old records cannot be mistaken for
 * a surge in the past. It needs a topic by record time and a source of arrival; without one nothing is said.
 */
import { heldAt, known } from './line.ts'
import type { Line, PartitionFlow, Timeline } from './timeline.ts'

export interface LatePartition {
  readonly topic: string
  readonly partition: number
  /** Most records that were made but had not arrived at one time. */
  readonly records: number
  /** Seconds between making and arrival of the oldest of them. */
  readonly seconds: number
  /** They arrived after the first and not later than the second of these times. */
  readonly arrived: readonly [number, number]
}

export interface Lateness {
  readonly partitions: readonly LatePartition[]
  readonly records: number
  /** Longest lateness, s. */
  readonly seconds: number
  readonly arrived: readonly [number, number]
}

/** Clocks of producer and driver differ, and producers linger: less than this is on time. */
export const ON_TIME_SECONDS = 10
/** A handful of stragglers is not an upload. */
const FEW_RECORDS = 20

/** Late records that arrived after `since`; an empty list of partitions = looked, and all were on time; null = cannot be seen. */
export function findLateness(timeline: Timeline, since: number): Lateness | null {
  if (!timeline.recordClock) return null
  const flows = timeline.partitions.filter((p) => p.arrived.t.length > 3 && p.logEnd.t.length > 3)
  if (flows.length === 0) return null
  const partitions = flows.map((flow) => lateOf(flow, since)).filter((p) => p !== null)
  partitions.sort((a, b) => b.records - a.records || a.partition - b.partition)
  return {
    partitions,
    records: partitions.reduce((a, p) => a + p.records, 0),
    seconds: partitions.reduce((a, p) => Math.max(a, p.seconds), 0),
    arrived: [
      partitions.reduce((a, p) => Math.min(a, p.arrived[0]), Number.POSITIVE_INFINITY),
      partitions.reduce((a, p) => Math.max(a, p.arrived[1]), Number.NEGATIVE_INFINITY),
    ],
  }
}

function lateOf(flow: PartitionFlow, since: number): LatePartition | null {
  const arrivals = known(flow.arrived, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  let best: LatePartition | null = null
  for (let i = 0; i + 1 < arrivals.length; i++) {
    const [t, offset] = arrivals[i] as readonly [number, number]
    const [next, arrivedBy] = arrivals[i + 1] as readonly [number, number]
    if (next < since || arrivedBy <= offset) continue
    // Offsets below this bear a time before t - ON_TIME_SECONDS; those at or above `offset` had not arrived at t.
    const madeBefore = heldAt(flow.logEnd, t - ON_TIME_SECONDS)
    if (madeBefore === null) continue
    const late = Math.min(madeBefore, arrivedBy) - offset
    if (late < FEW_RECORDS) continue
    const oldest = firstAbove(flow.logEnd, offset)
    if (oldest === null) continue
    const candidate = {
      topic: flow.topic,
      partition: flow.partition,
      records: late,
      seconds: Math.max(0, t - oldest),
      arrived: [t, next] as const,
    }
    if (best === null || candidate.records > best.records) best = candidate
  }
  return best
}

/** Time of the last point at which the line had not yet passed `offset`: the record there was made after it. */
function firstAbove(line: Line, offset: number): number | null {
  for (let i = 0; i < line.t.length; i++) {
    const v = line.v[i] ?? null
    if (v !== null && v > offset) return line.t[Math.max(0, i - 1)] ?? null
  }
  return null
}
