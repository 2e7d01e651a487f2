/**
 * A timeline in three lines, for tests of what people see: a small model of topic, micro-batch reader and table plays the
 * incident second by second, so that lag, batches and freshness fit each other. Same options, same timeline.
 */
import type { Gap } from '../../src/incident/evidence.ts'
import type { Line, PartitionFlow, TimedBatch, Timeline } from '../../src/timeline/timeline.ts'

export type IncidentKind = 'quiet' | 'hot_partition' | 'intake_surge' | 'slow_sink' | 'executor_loss' | 'source_stall'

export type Unseen = 'intake' | 'lag' | 'batches' | 'slots' | 'freshness'

export interface TimelineOptions {
  readonly kind: IncidentKind
  readonly partitions?: number
  /** The partition that runs hot. */
  readonly hot?: number
  /** Seconds before "now" at which it began. */
  readonly agoS?: number
  /** Seconds of history. */
  readonly lengthS?: number
  readonly triggerS?: number
  /** Records/s of an ordinary partition. */
  readonly rate?: number
  readonly slots?: number
  readonly topic?: string
  readonly table?: string
  readonly freshnessObjectiveS?: number
  readonly recordClock?: boolean
  /** Series that nobody could read; each becomes a gap with a reason. */
  readonly unseen?: readonly Unseen[]
  /** Polls of the topic that were not answered, in seconds before now: [from, to]. */
  readonly hole?: readonly [number, number]
  /** 2026-11-30T13:06:00Z: 14:06 in Berlin. */
  readonly askedAtS?: number
}

const defaultAskedAtS = Date.UTC(2026, 10, 30, 13, 6, 0) / 1000

export function timelineOf(options: TimelineOptions): Timeline {
  const o = {
    partitions: 12,
    hot: 3,
    agoS: 240,
    lengthS: 3600,
    triggerS: 5,
    rate: 60,
    slots: 4,
    topic: 'orders',
    table: 'orders_bronze',
    freshnessObjectiveS: 120,
    ...options,
  }
  const length = o.lengthS
  const onset = length - o.agoS
  const unseen = new Set<Unseen>(o.unseen ?? [])
  const noise = noiseFrom(7)

  // What was produced: one cumulative count for every second and partition.
  const ended = Array.from({ length: o.partitions }, (_, partition) => {
    const usual = o.rate * (0.9 + 0.2 * noise())
    const produced = [1000 * (partition + 1)]
    for (let second = 1; second <= length; second++) {
      const factor = second <= onset ? 1 : intakeFactor(o.kind, partition === o.hot % o.partitions)
      produced.push((produced[second - 1] as number) + Math.round(usual * factor * (0.8 + 0.4 * noise())))
    }
    return produced
  })
  const endAt = (partition: number, second: number): number =>
    (ended[partition] as number[])[Math.min(length, Math.max(0, Math.floor(second)))] as number

  // What was read: batches on the trigger's grid, tasks dealt to the slots in turn.
  const slotsAt = (second: number): number =>
    o.kind === 'executor_loss' && second > onset ? Math.max(1, Math.floor(o.slots / 2)) : o.slots
  const capacity = o.rate * o.partitions * 1.7
  const costS = o.slots / capacity
  const batches: TimedBatch[] = []
  const positions: { t: number; at: number[] }[] = [{ t: 0, at: ended.map((produced) => produced[0] as number) }]
  let start = 0
  for (let id = 400; start < length; id++) {
    const planned = ended.map((_, partition) => endAt(partition, start))
    const before = (positions.at(-1) as { at: number[] }).at
    const tasks = planned.map((to, partition) => 0.05 + (to - (before[partition] as number)) * costS * (0.95 + 0.1 * noise()))
    const sinkS = 0.3 + 0.1 * noise() + (o.kind === 'slow_sink' && start > onset ? 6 + ((start - onset) / o.agoS) * 30 : 0)
    const seconds = 0.4 + makespan(tasks, slotsAt(start)) + sinkS
    const end = start + seconds
    const rows = planned.reduce((sum, to, partition) => sum + to - (before[partition] as number), 0)
    const open = end > length
    batches.push({
      id,
      start,
      end: open ? null : end,
      rows,
      seconds: open ? length - start : seconds,
      open,
      warmUp: false,
      ...(open ? { open: true, phase: 'addBatch' } : {}),
    } as TimedBatch)
    if (open) break
    positions.push({ t: end, at: planned })
    start = Math.ceil(end / o.triggerS) * o.triggerS
  }

  // What was seen of it: one poll a minute, every five seconds for the last five minutes.
  const polls: number[] = []
  for (let t = 0; t < length - 300; t += 60) polls.push(t)
  for (let t = Math.max(0, length - 300); t <= length; t += 5) polls.push(t)
  const hole = o.hole
  const answered = (t: number): boolean => hole === undefined || t < length - hole[0] || t > length - hole[1]
  const flows: PartitionFlow[] = ended.map((_, partition) => {
    const logEnd: Line = { t: polls, v: polls.map((t) => (answered(t) ? endAt(partition, t) : null)) }
    const position: Line = { t: positions.map((p) => p.t), v: positions.map((p) => p.at[partition] as number) }
    const lagT = [...position.t, length]
    const last = positions.at(-1) as { at: number[] }
    return {
      topic: o.topic,
      partition,
      logEnd: unseen.has('intake') ? none : logEnd,
      arrived: none,
      made: o.recordClock === true && !unseen.has('intake') ? logEnd : none,
      position,
      intake: unseen.has('intake') ? none : ratesOf(logEnd),
      lag: unseen.has('lag')
        ? none
        : {
            t: lagT,
            v: [
              ...positions.map((p) => endAt(partition, p.t) - (p.at[partition] as number)),
              endAt(partition, length) - (last.at[partition] as number),
            ],
          },
      completeTo: length - 6,
    }
  })
  const commits = positions.slice(1).map((p, i) => ({ version: i + 1, at: p.t, kind: 'data' as const, batch_id: 400 + i }))
  return {
    pipeline: {
      name: o.topic,
      topics: [{ name: o.topic, partitions: o.partitions }],
      reader: { kind: 'spark-structured-streaming', query: `${o.topic}-to-delta`, trigger_s: o.triggerS, slots: o.slots },
      sink: { kind: 'delta', table: o.table },
      objective: { freshness_s: o.freshnessObjectiveS },
    },
    zeroS: (o.askedAtS ?? defaultAskedAtS) - length,
    now: length,
    recordClock: o.recordClock ?? false,
    clocks: [],
    clockOf: { intake: 'kafka', executors: 'spark' },
    arrivalsFrom: o.recordClock === true ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    partitions: flows,
    intake: unseen.has('intake') ? none : sumOf(flows.map((flow) => flow.intake)),
    lag: unseen.has('lag') ? none : sumOf(flows.map((flow) => flow.lag)),
    batches: unseen.has('batches') ? [] : batches,
    triggerS: o.triggerS,
    triggerFrom: 'declared',
    // Here a batch waits for the next multiple of the interval after the one before has ended.
    scheduling: { line: { t: batches.map((batch) => batch.start), v: batches.map(() => 0) }, waitsSince: null, unknown: null },
    slots: unseen.has('slots') ? none : stepsOf(onset, length, o.slots, slotsAt(length)),
    standing: [],
    executors: unseen.has('slots') ? none : stepsOf(onset, length, 2, o.kind === 'executor_loss' ? 1 : 2),
    freshness: unseen.has('freshness')
      ? none
      : sawTooth(
          positions.map((p) => p.t),
          length,
        ),
    commits: unseen.has('freshness') ? [] : commits,
    events:
      o.kind === 'executor_loss'
        ? [{ at: onset, kind: 'executor_removed', entity: { executor: '1', host: 'worker-1' }, text: 'exit code 137', source: 'spark' }]
        : [],
    gaps: [...unseen]
      .map((name) => gapFor[name])
      .concat(
        hole === undefined
          ? []
          : [
              {
                source: 'kafka',
                signal: 'partition.log_end_offset',
                from: length - hole[0],
                to: length - hole[1],
                reason: 'broker 2 did not answer within 3 s',
              },
            ],
      ),
    complete: [{ series: 'intake', from: 0, to: length }],
    signals: ['partition.log_end_offset'],
    closure: { state: 'untested', error: null, resolution: null, signals: [], partitions: [], says: 'Nothing was tested.' },
  }
}

const none: Line = { t: [], v: [] }

const gapFor: Readonly<Record<Unseen, Gap>> = {
  intake: {
    source: 'kafka',
    signal: 'partition.log_end_offset',
    reason: 'not authorised to describe topic orders',
    mend: 'kafka-acls --add --allow-principal User:headwater --operation Describe --topic orders',
  },
  lag: {
    source: 'checkpoint',
    signal: 'partition.position',
    reason: 'checkpoint path not configured',
    mend: 'add "checkpoint: /path/of/the/query" to the pipeline',
  },
  batches: { source: 'spark', signal: 'batch', reason: 'the driver UI did not answer within 4 s' },
  slots: { source: 'spark', signal: 'executor.slots', reason: 'the driver UI did not answer within 4 s' },
  freshness: {
    source: 'delta',
    signal: 'table.freshness_s',
    reason: 'table path not configured',
    mend: 'add "table: /path/of/the/table" to the pipeline',
  },
}

function intakeFactor(kind: IncidentKind, isHot: boolean): number {
  if (kind === 'hot_partition') return isHot ? 8 : 1
  if (kind === 'intake_surge') return 2.4
  return kind === 'source_stall' ? 0 : 1
}

/** Longest-waiting slot takes the next task, as a scheduler does. */
function makespan(tasks: readonly number[], slots: number): number {
  const busy = Array.from({ length: slots }, () => 0)
  for (const task of tasks) {
    const first = busy.indexOf(Math.min(...busy))
    busy[first] = (busy[first] as number) + task
  }
  return Math.max(...busy)
}

function ratesOf(line: Line): Line {
  const t: number[] = []
  const v: (number | null)[] = []
  for (let i = 1; i < line.t.length; i++) {
    const [a, b] = [line.v[i - 1], line.v[i]]
    const dt = (line.t[i] as number) - (line.t[i - 1] as number)
    t.push(line.t[i] as number)
    v.push(a === null || a === undefined || b === null || b === undefined ? null : (b - a) / dt)
  }
  return { t, v }
}

function sumOf(lines: readonly Line[]): Line {
  const t = lines[0]?.t ?? []
  return {
    t,
    v: t.map((_, i) =>
      lines.reduce<number | null>(
        (sum, line) => (sum === null || line.v[i] === null || line.v[i] === undefined ? null : sum + (line.v[i] as number)),
        0,
      ),
    ),
  }
}

function stepsOf(at: number, end: number, before: number, after: number): Line {
  return before === after ? { t: [0, end], v: [before, before] } : { t: [0, at, at, end], v: [before, before, after, after] }
}

/** Age of the newest commit: near zero at each, highest just before the next. */
function sawTooth(at: readonly number[], end: number): Line {
  const t: number[] = []
  const v: number[] = []
  at.forEach((commit, i) => {
    const next = at[i + 1] ?? end
    t.push(commit, next)
    v.push(0, next - commit)
  })
  return { t, v }
}

/** Deterministic numbers in [0, 1). */
function noiseFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
