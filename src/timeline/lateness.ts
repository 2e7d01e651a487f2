/**
 * Records that were made long before they arrived, and later than is usual for their topic.
 *
 * The topic knows two curves per partition: how many records bear a time before t (log end by record time), and how many had arrived
 * at t (where the log ended when a batch was planned). On-time records make them equal; a record made before t and not yet arrived at t
 * lifts the first above the second. So their difference is exactly the late records, and an upload of old records cannot be mistaken for
 * a surge in the past. Where clients are offline for minutes as a rule, records always come late: only what comes later than that is
 * told. It needs a topic by record time and a source of arrival; without one nothing is said.
 */
import { eachArrival, ON_TIME_SECONDS, usualLateness } from './arrival.ts'
import { between, heldAt } from './line.ts'
import { arrivalsKnown } from './partitions.ts'
import { quantile } from './robust.ts'
import type { PartitionFlow, Timeline } from './timeline.ts'

export interface LatePartition {
  readonly topic: string
  readonly partition: number
  /** Most records that were made, and due as such records usually come, but had not arrived at one time. */
  readonly records: number
  /** Seconds between making and arrival of the oldest of them, and how much of that is more than usual. */
  readonly seconds: number
  readonly beyondUsual: number
  /** They arrived after the first and not later than the second of these times. */
  readonly arrived: readonly [number, number]
}

export interface Lateness {
  readonly partitions: readonly LatePartition[]
  readonly records: number
  /** Longest lateness of theirs, s, and how much of it is more than usual. */
  readonly seconds: number
  readonly beyondUsual: number
  readonly arrived: readonly [number, number]
  /** Of all arrivals that were seen: the longest lateness, s, and for how long they were seen, s. */
  readonly longest: number
  readonly over: number
}

/** A handful of stragglers is not an upload. */
const FEW_RECORDS = 20
/** Arrivals that tell what is usual, and the share of them that is. */
const ENOUGH = 5
const USUAL_SHARE = 0.9

/** Records later than usual that arrived after `since`; an empty list of partitions = looked, and none was; null = cannot be seen. */
export function findLateness(timeline: Timeline, since: number): Lateness | null {
  if (!timeline.recordClock) return null
  const flows = timeline.partitions.filter((p) => arrivalsKnown(p.arrived) && p.made.t.length > 3)
  if (flows.length === 0) return null
  let longest = 0
  // What is on time for a topic that is never late is on time for any.
  const suspects = flows.filter((flow) => {
    let late = false
    eachArrival(flow.arrived, flow.made, (arrival) => {
      longest = Math.max(longest, arrival.late)
      late ||= arrival.by >= since && arrival.late > 0
    })
    return late && lateOf(flow, since, 0) !== null
  })
  const ofTopic = usualOfTopic(flows, since)
  const late = suspects
    .map((flow) => lateOf(flow, since, usualOf([flow], since) ?? ofTopic()))
    .filter((p) => p !== null)
    .sort((a, b) => b.records - a.records || a.partition - b.partition)
  return {
    partitions: late,
    records: late.reduce((a, p) => a + p.records, 0),
    seconds: late.reduce((a, p) => Math.max(a, p.seconds), 0),
    beyondUsual: late.reduce((a, p) => Math.max(a, p.beyondUsual), 0),
    arrived: [
      late.reduce((a, p) => Math.min(a, p.arrived[0]), Number.POSITIVE_INFINITY),
      late.reduce((a, p) => Math.max(a, p.arrived[1]), Number.NEGATIVE_INFINITY),
    ],
    longest,
    over: timeline.now - flows.reduce((first, flow) => Math.min(first, flow.arrived.t[0] as number), timeline.now),
  }
}

/** How late nine in ten arrivals before `since` were at most, s; null = too few to tell. */
function usualOf(flows: readonly PartitionFlow[], since: number): number | null {
  const before: number[] = []
  for (const { arrived, made } of flows) {
    eachArrival(arrived, made, ({ by, late }) => {
      if (by <= since) before.push(Math.max(0, late))
    })
  }
  return before.length < ENOUGH ? null : quantile(before, USUAL_SHARE)
}

/** The same over the topic, worked out once it is asked for; where nothing is older than `since`, of what was seen since. */
function usualOfTopic(flows: readonly PartitionFlow[], since: number): () => number {
  let usual: number | null = null
  return () => {
    usual ??= usualOf(flows, since) ?? Math.max(0, usualLateness(flows) ?? 0)
    return usual
  }
}

function lateOf(flow: PartitionFlow, since: number, usual: number): LatePartition | null {
  let best: LatePartition | null = null
  eachArrival(flow.arrived, flow.made, ({ after, by, offset, until, late }) => {
    if (by < since) return
    // Of the records that had not arrived at `after`: those that were due by then, and due so long that no clock explains it.
    const due = Math.min(between(flow.made, after - usual) ?? 0, until) - offset
    const surely = Math.min(heldAt(flow.made, after - usual - ON_TIME_SECONDS) ?? 0, until) - offset
    const records = Math.max(due, surely)
    if (surely < FEW_RECORDS || (best !== null && records <= best.records)) return
    best = {
      topic: flow.topic,
      partition: flow.partition,
      records,
      seconds: late,
      beyondUsual: Math.max(0, late - usual),
      arrived: [after, by],
    }
  })
  return best
}
