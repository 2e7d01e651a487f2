/** Evidence in, timeline out: every reading on one axis, with what follows from it by arithmetic. */
import type { Batch, Evidence, Reader } from '../incident/evidence.ts'
import type { ClockName } from './clocks.ts'
import { clockOf, DRIVER, driverAhead, onOneClock } from './clocks.ts'
import { closureOf } from './closure.ts'
import { completeness } from './completeness.ts'
import { freshnessLine } from './freshness.ts'
import { heldGrid } from './held-grid.ts'
import { between, heldAt, joined, lineOf, rates, sum } from './line.ts'
import { standingExecutors } from './pace.ts'
import { arrivalsKnown, newestEnds, partitionFlows, plannedAt } from './partitions.ts'
import type { Scheduling } from './scheduling.ts'
import { schedulingOf, withDelays } from './scheduling.ts'
import { settledEnds } from './settled-ends.ts'
import type { Line, PartitionFlow, SchedulingDelay, TimedBatch, Timeline } from './timeline.ts'

/** Batches of a query's run that its cold JVMs make slow (measured: rig-spark.md T13). */
const WARM_UP_BATCHES = 5

/** Rows in neighbouring batches within this share of each other look pinned by a cap. */
const PINNED = 0.01
/** A cap leaves at least this share of a batch in the log. */
const LEFT_BEHIND = 0.25

/** Puts all evidence on one axis. Pure: the same evidence gives the same timeline. */
export function buildTimeline(collected: Evidence): Timeline {
  const evidence = onOneClock(collected)
  const zeroS = Date.parse(evidence.window.from) / 1000
  const now = Date.parse(evidence.asked_at) / 1000 - zeroS
  const ordered = [...settledEnds(evidence)].sort((a, b) => a.id - b.id || a.start - b.start)
  const driverZeroS = zeroS + driverAhead(evidence.clocks)
  const reader = withTrigger(evidence.pipeline.reader, ordered, driverZeroS)
  const triggers = schedulingOf(ordered, { reader, zeroS: driverZeroS })
  const batches = timed(withDelays(ordered, triggers), now)
  const capped = isCapped(evidence, batches, now)
  const partitions = partitionFlows(evidence, ordered, now, capped)
  const gauge = (signal: string) => joined(evidence.series.filter((s) => s.signal === signal))
  const trigger = reader.trigger_s
  const totalEnd = sum(
    partitions.map((p) => p.logEnd),
    (line, at) => between(line, at),
  )
  const reportedIntake = gauge('topic.intake_rate')
  const lines = {
    partitions,
    lag: totalLag(partitions.map((p) => p.lag)) ?? gauge('group.lag'),
    batches,
    slots: gauge('executor.slots'),
    executors: gauge('executor.count'),
    freshness: freshnessLine(evidence.commits, evidence.series, now),
  }
  return {
    ...lines,
    pipeline: { ...evidence.pipeline, reader },
    zeroS,
    now,
    recordClock: evidence.series.some((s) => s.signal === 'partition.log_end_offset' && s.clock === 'record'),
    clocks: evidence.clocks ?? [],
    clockOf: { intake: intakeClock(evidence, partitions), executors: executorClock(evidence) },
    arrivalsFrom: arrivalsFrom(partitions),
    intake: totalEnd.t.length > 1 ? rates(totalEnd) : reportedIntake,
    triggerS: typeof trigger === 'number' ? trigger : null,
    triggerFrom: typeof trigger === 'number' ? (reader.trigger_from ?? 'read') : 'unknown',
    scheduling: delays(batches, triggers, now),
    standing: standingExecutors(evidence, batches, now),
    commits: [...evidence.commits].sort((a, b) => a.at - b.at || a.version - b.version),
    events: [...evidence.events].sort((a, b) => a.at - b.at || (a.kind < b.kind ? -1 : 1)),
    gaps: evidence.gaps,
    complete: completeness(lines),
    signals: signalsRead(evidence),
    closure: closureOf(evidence, partitions),
  }
}

/** Where newer batches do not tell the interval, older ones of which less is known may. */
function withTrigger(reader: Reader, ordered: readonly Batch[], driverZeroS: number): Reader {
  if (reader.trigger_s !== undefined) return reader
  const held = heldGrid(ordered, driverZeroS)
  return held === null ? reader : { ...reader, trigger_s: held, trigger_from: 'inferred' }
}

/** Names of the signals of which at least one reading is there, in order. */
function signalsRead({ series }: Evidence): string[] {
  return [...new Set(series.filter((s) => s.v.some((v) => v !== null)).map((s) => s.signal))].sort()
}

/** From when on all partitions are known by arrival. */
function arrivalsFrom(partitions: readonly PartitionFlow[]): number {
  return partitions.reduce((latest, { made, arrived }) => {
    if (made.t.length === 0) return latest
    return arrivalsKnown(arrived) ? Math.max(latest, arrived.t[0] as number) : Number.POSITIVE_INFINITY
  }, Number.NEGATIVE_INFINITY)
}

/** Whose times the log ends stand on: the driver's where its plans tell of arrivals, else those of who read them. */
function intakeClock({ series }: Evidence, partitions: readonly PartitionFlow[]): ClockName {
  const ends = series.filter((s) => s.signal === 'partition.log_end_offset' || s.signal === 'topic.intake_rate')
  const [byRecord, polled] = [ends.find((s) => s.clock === 'record'), ends.find((s) => s.clock !== 'record' && s.t.length > 2)]
  const planned = partitions.length > 0 && arrivalsFrom(partitions) < Number.POSITIVE_INFINITY
  const read = byRecord === undefined ? polled : planned ? undefined : byRecord
  return read === undefined ? DRIVER : clockOf(read.source)
}

function executorClock({ series }: Evidence): ClockName {
  return clockOf(series.find((s) => s.signal === 'executor.count' || s.signal === 'executor.slots')?.source ?? DRIVER)
}

/** Lag of all partitions at the times of the first; a partition without a lag makes the sum unknown there, never smaller. */
function totalLag(lags: readonly Line[]): Line | null {
  if (lags.length === 0 || lags.every((l) => l.t.length === 0)) return null
  return sum(lags, (line, at) => between(line, at) ?? heldAt(line, at))
}

/** A signal of its own: the delay of each batch at its start, and of the one that is due but cannot begin yet, now. */
function delays(batches: readonly TimedBatch[], { waitsSince, unknown }: Scheduling, now: number): SchedulingDelay {
  const points = batches.map(({ start, scheduling_delay_ms: ms }) => [start, typeof ms === 'number' ? ms / 1000 : null] as const)
  const waits = waitsSince !== null && waitsSince < now
  return {
    line: lineOf(waits ? [...points, [now, now - waitsSince]] : points),
    waitsSince: waits ? waitsSince : null,
    unknown,
  }
}

/** @param batches in order of id */
function timed(batches: readonly Batch[], now: number): TimedBatch[] {
  let run: string | undefined
  let since = Number.POSITIVE_INFINITY
  return batches.map((batch, i) => {
    if (batch.run !== undefined && batch.run !== run) {
      // The first run that is seen started before the window unless its first batch is its first ever.
      since = run === undefined && i === 0 && batch.id > 0 ? since : batch.id
      run = batch.run
    }
    if (batch.id === 0) since = 0
    const open = batch.end === null
    return {
      ...batch,
      open,
      seconds: open ? (batch.age_s ?? Math.max(0, now - batch.start)) : (batch.end as number) - batch.start,
      warmUp: batch.id >= since && batch.id < since + WARM_UP_BATCHES,
    }
  })
}

/**
 * A declared cap, or rows pinned at one number in 5 batches while the newest of them left records in the log. A steady intake pins rows
 * too, but leaves nothing; so do records whose own times lag behind: therefore the log end is taken as of now, when it counts arrivals,
 * less what has come since that batch was planned.
 */
function isCapped(evidence: Evidence, batches: readonly TimedBatch[], now: number): boolean {
  const { reader } = evidence.pipeline
  if (typeof reader.max_offsets_per_trigger === 'number' || typeof reader.rate_cap_per_partition_s === 'number') return true
  const last = batches.filter((b) => typeof b.rows === 'number' && b.rows > 0 && b.to_offset).slice(-5)
  const rows = last.map((b) => b.rows as number)
  const newest = last.at(-1)
  const oldest = last[0]
  if (!newest || !oldest || rows.length < 5 || Math.max(...rows) < 100) return false
  if (Math.max(...rows) - Math.min(...rows) > PINNED * Math.max(...rows)) return false
  const ends = newestEnds(evidence)
  const told = Object.values(newest.to_offset ?? {}).reduce((sum, of) => sum + Object.keys(of).length, 0)
  let left = 0
  for (const { topic, partition, end } of ends) {
    const taken = newest.to_offset?.[topic]?.[String(partition)]
    if (end === null || taken === undefined) return false
    left += Math.max(0, end - taken)
  }
  if (ends.length < told) return false
  const pace = (newest.rows as number) / Math.max(1, (plannedAt(newest) - plannedAt(oldest)) / 4)
  return left - pace * Math.max(0, now - plannedAt(newest)) > LEFT_BEHIND * (newest.rows as number)
}
