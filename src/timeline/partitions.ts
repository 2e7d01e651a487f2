/** What each partition took in, how far the reader got, and what lies between. Offsets in, rates and lag out. */
import type { Batch, Evidence, Series } from '../incident/evidence.ts'
import { arrivalLines, usualLateness, usuallyLate } from './arrival.ts'
import { between, emptyLine, heldAt, joined, merged, rates, sharedAxes, walk } from './line.ts'
import { partitionsTold, plansOf, toldOf } from './plans.ts'
import { median } from './robust.ts'
import type { Line, PartitionFlow } from './timeline.ts'

export { plannedAt } from './plans.ts'

const LOG_END = 'partition.log_end_offset'
/** Log ends that the looks of one diagnosis read. */
const FEW_READINGS = 3

/** Readings of one partition, before they become one line. */
interface Seen {
  readonly topic: string
  readonly partition: number
  readonly series: Series[]
}

/** What is known of its log end by arrival, and by record time. */
interface Ends {
  readonly readings: Line
  readonly arrived: Line
  readonly made: Line
}

/**
 * @param batches in order of id
 * @param capped whether the reader takes less than there is in a batch: then its end offsets do not show the log end
 */
export function partitionFlows(evidence: Evidence, batches: readonly Batch[], now: number, capped: boolean): PartitionFlow[] {
  const { kind, trigger_s: triggerS } = evidence.pipeline.reader
  const isSpark = kind === 'spark-structured-streaming' || kind === 'spark-dstreams'
  const plans = plansOf(batches, isSpark ? triggerS : undefined)
  const seen = byPartition(evidence, isSpark)
  for (const [topic, partition] of partitionsTold(plans)) {
    const key = keyOf(topic, partition)
    if (!seen.has(key)) seen.set(key, { topic, partition, series: [] })
  }
  const axis = sharedAxes()
  const all = [...seen.values()].map((one) => {
    const [readings, made] = [joined(of(one, LOG_END, 'arrival')), joined(of(one, LOG_END, 'record'))]
    const told = capped ? emptyLine : toldOf(plans.arrivals, one.topic, one.partition)
    const arrived = onAxis(merged(told, readings), axis)
    return { one, ends: { readings, arrived, made }, late: usuallyLate(arrived, made) }
  })
  const lateInTopic = latenessByTopic(all)
  const byArrival = arrivalLines()
  const [positionAxis, lagAxis] = [sharedAxes(), sharedAxes()]
  const flows = all.map(({ one, ends, late }): PartitionFlow => {
    const { topic, partition } = one
    const logEnd = logEndOf(ends, late ?? lateInTopic.get(topic) ?? 0, byArrival)
    const committed = joined([...of(one, 'partition.committed_offset'), ...of(one, 'partition.position')])
    const done = toldOf(plans.commits, topic, partition)
    const begun = done.t.length === 0 && plans.open !== null ? toldOf([plans.open], topic, partition) : done
    const position = onAxis(begun.t.length > 0 ? begun : committed, positionAxis)
    return {
      topic,
      partition,
      logEnd,
      arrived: ends.arrived,
      made: ends.made,
      position,
      // Worked out when it is asked for: the rates of a wide topic are as large as its log ends, and few of them are looked at.
      get intake() {
        return rates(logEnd)
      },
      lag: onAxis(lagLine(logEnd, ends.arrived, position, now) ?? joined(of(one, 'partition.lag')), lagAxis),
      completeTo:
        of(one, 'partition.complete_to')
          .at(-1)
          ?.v.findLast((v) => v !== null) ?? null,
      ...unreadNow(of(one, 'partition.leader'), of(one, LOG_END)),
    }
  })
  return flows.sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.partition - b.partition))
}

function keyOf(topic: string, partition: number): string {
  return `${topic}\u0000${partition}`
}

function byPartition({ series, pipeline }: Evidence, isSpark: boolean): Map<string, Seen> {
  const { group } = pipeline.reader
  const seen = new Map<string, Seen>()
  for (const s of series) {
    if (!s.signal.startsWith('partition.') || s.entity.topic === undefined || s.entity.partition === undefined) continue
    // Another group's commits are a bystander's. A Spark reader commits to no group: where none is named, every group is somebody else's.
    if (s.entity.group !== undefined && s.entity.group !== group && (group !== undefined || isSpark)) continue
    const key = keyOf(s.entity.topic, s.entity.partition)
    const one = seen.get(key)
    if (one === undefined) seen.set(key, { topic: s.entity.topic, partition: s.entity.partition, series: [s] })
    else one.series.push(s)
  }
  return seen
}

function of({ series }: Seen, signal: string, clock?: 'record' | 'arrival'): Series[] {
  return series.filter((s) => s.signal === signal && (clock === undefined || (s.clock ?? 'arrival') === clock))
}

function onAxis(line: Line, axis: (t: readonly number[]) => readonly number[]): Line {
  const t = axis(line.t)
  return t === line.t ? line : { t, v: line.v }
}

/** How late the records of each topic usually arrive, s: for partitions that tell too little of their own. */
function latenessByTopic(all: readonly { readonly one: Seen; readonly ends: Ends; readonly late: number | null }[]): Map<string, number> {
  const late = new Map<string, number>()
  for (const [topic, some] of Map.groupBy(all, ({ one }) => one.topic)) {
    const told = some.map((each) => each.late).filter((seconds) => seconds !== null)
    if (told.length > 0) late.set(topic, median(told))
    else late.set(topic, usualLateness(some.map(({ ends }) => ends)) ?? 0)
  }
  return late
}

/** By arrival where arrivals are known; else by record time, moved by how late records of the topic come. */
function logEndOf({ readings, made, arrived }: Ends, late: number, byArrival: ReturnType<typeof arrivalLines>): Line {
  if (made.t.length === 0 && readings.t.length >= FEW_READINGS) return readings
  return byArrival(made.t.length === 0 || arrivalsKnown(arrived) ? arrived : emptyLine, made, late)
}

/** The newest log end that was read of each partition, by arrival or else by record time; null = asked and not answered. */
export function newestEnds({ series }: Evidence): { topic: string; partition: number; end: number | null }[] {
  const ends = new Map<string, { topic: string; partition: number; end: number | null; at: number }>()
  for (const { signal, entity, clock, t, v } of series) {
    const { topic, partition } = entity
    if (signal !== LOG_END || topic === undefined || partition === undefined || t.length === 0) continue
    // Whatever was read by arrival counts before record times.
    const at = (t.at(-1) as number) + (clock === 'record' ? 0 : 1e12)
    const key = keyOf(topic, partition)
    if (at > (ends.get(key)?.at ?? Number.NEGATIVE_INFINITY)) ends.set(key, { topic, partition, end: v.at(-1) ?? null, at })
  }
  return [...ends.values()]
}

/** The two looks alone tell what arrives now, not what arrived. */
export function arrivalsKnown(arrived: Line): boolean {
  return arrived.t.length > FEW_READINGS
}

/** The cluster names a leader of every partition; one whose log end is missing all the same was asked for and not read. */
function unreadNow(leaders: readonly Series[], ends: readonly Series[]): Pick<PartitionFlow, 'unread'> {
  const leader = leaders.at(-1)?.v.at(-1)
  if (typeof leader !== 'number') return {}
  if (leader < 0) return { unread: 'no leader' }
  return ends.length === 0 ? { unread: 'no answer' } : {}
}

/**
 * Lag just before and just after every commit, and now: between them it rises with intake alone, so these points are the whole saw-tooth.
 * null where offsets are missing: then a lag that somebody else measured is taken.
 */
function lagLine(logEnd: Line, arrived: Line, position: Line, now: number): Line | null {
  if (position.t.length === 0 || logEnd.t.length === 0) return null
  const [end, came] = [walk(logEnd), walk(arrived)]
  const t: number[] = []
  const v: (number | null)[] = []
  for (let i = 0; i < position.t.length; i++) {
    const at = position.t[i] as number
    const there = end(at) ?? came(at)
    if (there === null) continue
    const [before, after] = [i > 0 ? (position.v[i - 1] ?? null) : null, position.v[i] ?? null]
    if (before !== null && at - 0.001 > (t.at(-1) ?? Number.NEGATIVE_INFINITY)) {
      t.push(at - 0.001)
      v.push(Math.max(0, there - before))
    }
    t.push(at)
    v.push(after === null ? null : Math.max(0, there - after))
  }
  const last = between(arrived, now) ?? heldAt(arrived, now) ?? heldAt(logEnd, now)
  const done = heldAt(position, now)
  return last === null || done === null ? { t, v } : merged({ t, v }, { t: [now], v: [Math.max(0, last - done)] })
}
