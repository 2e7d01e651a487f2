/**
 * A pipeline in motion, for tests: records arrive, batches are planned, tasks run on slots, the table is committed, and what the real
 * sources would have told of it comes out as evidence. Mechanics only: no formula is shared with the engine.
 */
import type { Batch, BatchJob, Commit, Evidence, EvidenceEvent, Gap, Series, Stage } from '../../src/incident/evidence.ts'

export interface Motion {
  partitions?: number
  /** Records/s of a partition at a time (seconds since window.from). */
  rate?: (partition: number, t: number) => number
  /** Seconds by which records made at t arrive late. */
  late?: (partition: number, t: number) => number
  triggerS?: number | null
  /** Records a batch may take (maxOffsetsPerTrigger), shared out by what lies in each partition. */
  cap?: number | ((t: number) => number)
  /** Tasks that the source makes at least (minPartitions); null = not set. */
  minPartitions?: (t: number) => number | null
  /** The query is stopped, and runs again: the batch that was under way begins anew. */
  restarts?: { at: number; back: number }[]
  /** Number of executors from a time on, beside those that are lost; 2 from the start. `slots` says what they can do. */
  executors?: [number, number][]
  slots?: (t: number) => number
  /** Milliseconds of task time a record costs, by the time at which the task starts. */
  perRecordMs?: (t: number) => number
  /** Part of it that is CPU. */
  cpuShare?: number
  /** Milliseconds a task needs besides. */
  perTaskMs?: (t: number) => number
  /** Seconds of the table's commit. */
  commitS?: (t: number) => number
  /** Executors lost: at, and when a new one came (null = never). */
  lost?: { at: number; back: number | null; reason?: string }[]
  /** Seconds since window.from at which it is asked. */
  askedAt?: number
  /** When the query started, seconds since window.from. */
  startedAt?: number
  without?: ('kafka' | 'checkpoint' | 'spark' | 'delta')[]
  /** Batches that the UI still lists beyond the 100 of the checkpoint (1,000 jobs, four a batch, are 150 more). */
  uiBatches?: number
}

/** Batches that a checkpoint keeps (spark.sql.streaming.minBatchesToRetain). */
const KEPT = 100
const ZERO = Date.parse('2026-11-30T13:00:00Z')

/** A calm pipeline unless told otherwise: 8 partitions x 50 records/s, trigger 5 s, 4 slots, batches of 3 s. */
export function evidenceOf(motion: Motion = {}): Evidence {
  const {
    partitions = 8,
    rate = () => 50,
    late = () => 0,
    triggerS = 5,
    cap = Number.POSITIVE_INFINITY,
    minPartitions = () => null,
    restarts = [],
    executors = [],
    slots = () => 4,
    perRecordMs = () => 4,
    cpuShare = 0.1,
    perTaskMs = () => 50,
    commitS = () => 0.4,
    lost = [],
    askedAt = 3600,
    startedAt = 2600,
    without = [],
    uiBatches = 0,
  } = motion
  // Records by 100 ms: made at t, arriving at t + late.
  const step = 0.1
  const from = 0
  const ticks = Math.round((askedAt - from) / step) + 1
  const made = Array.from({ length: partitions }, () => new Float64Array(ticks))
  const arrived = Array.from({ length: partitions }, () => new Float64Array(ticks))
  for (let p = 0; p < partitions; p++) {
    for (let i = 0; i < ticks; i++) {
      const t = from + i * step
      const n = rate(p, t) * step
      ;(made[p] as Float64Array)[i] = ((made[p] as Float64Array)[i - 1] ?? 0) + n
      const at = Math.round((t + late(p, t) - from) / step)
      if (at < ticks) (arrived[p] as Float64Array)[at] = ((arrived[p] as Float64Array)[at] ?? 0) + n
    }
    for (let i = 1; i < ticks; i++)
      (arrived[p] as Float64Array)[i] = ((arrived[p] as Float64Array)[i] as number) + ((arrived[p] as Float64Array)[i - 1] as number)
  }
  const at = (curve: Float64Array, t: number) => {
    const x = Math.max(0, Math.min(ticks - 1, (t - from) / step))
    const i = Math.floor(x)
    const low = curve[i] as number
    // Sums of hundredths of a record stray by some billionths.
    return Math.floor(low + (x - i) * ((curve[i + 1] ?? low) - low) + 1e-6)
  }
  const end = (p: number, t: number) => at(arrived[p] as Float64Array, t)

  const capAt = typeof cap === 'number' ? () => cap : cap
  const batches: Batch[] = []
  let run = 1
  const commits: Commit[] = []
  let position = Array.from({ length: partitions }, (_, p) => end(p, startedAt))
  let free = startedAt
  let tick = triggerS === null ? startedAt : Math.ceil(startedAt / triggerS) * triggerS
  for (let id = 100; free < askedAt; id++) {
    // As Spark does: a trigger that was missed starts the next batch at once.
    const start = Math.max(free, tick)
    if (triggerS !== null) tick = Math.floor(start / triggerS) * triggerS + triggerS
    if (start >= askedAt) break
    const stop = restarts[run - 1]
    if (stop !== undefined && start >= stop.at) {
      run++
      free = Math.max(free, stop.back)
      id--
      continue
    }
    const planned = start + 0.01
    const there = Array.from({ length: partitions }, (_, p) => end(p, planned))
    const waiting = there.reduce((sum, e, p) => sum + e - (position[p] as number), 0)
    const ends = there.map(
      (e, p) => (position[p] as number) + Math.floor((e - (position[p] as number)) * Math.min(1, capAt(start) / Math.max(1, waiting))),
    )
    const rows = ends.map((e, p) => e - (position[p] as number))
    const total = rows.reduce((a, b) => a + b, 0)
    if (total === 0) {
      free = triggerS === null ? start + 1 : start + triggerS
      id--
      continue
    }
    const begin = start + 0.35
    const work = tasksOf(cutUp(rows, minPartitions(start)), begin, slots, perRecordMs, perTaskMs, lost)
    const jobsEnd = work.end
    const finish = jobsEnd + commitS(jobsEnd) + 0.02
    if (stop !== undefined && finish > stop.at && stop.at <= askedAt) {
      run++
      free = stop.back
      id--
      continue
    }
    const offsets = (list: number[]) => ({ orders: Object.fromEntries(list.map((v, p) => [String(p), v])) })
    const open = finish > askedAt
    const seen = open ? askedAt : finish
    const done = work.tasks.filter((t) => t.end <= askedAt)
    const stage: Stage = {
      id,
      name: 'source',
      tasks: work.tasks.length,
      rows: done.reduce((a, t) => a + t.rows, 0),
      run_ms: done.reduce((a, t) => a + t.ms, 0),
      cpu_ms: done.reduce((a, t) => a + t.rows * perRecordMs(t.start) * cpuShare, 0),
      gc_ms: 0,
      task_sample: done.map((t) => [t.rows, t.ms, t.rows * perRecordMs(t.start) * cpuShare] as const),
      ...(done.length > 0 ? { task_ms: spread(done.map((t) => t.ms)), task_rows: spread(done.map((t) => t.rows)) } : {}),
      by_executor: ['0', '1'].map((executor, k) => {
        const mine = done.filter((_, i) => i % 2 === k)
        return {
          executor,
          host: `10.0.0.${k + 1}`,
          tasks: mine.length,
          rows: mine.reduce((a, t) => a + t.rows, 0),
          run_ms: mine.reduce((a, t) => a + t.ms, 0),
        }
      }),
      ...(jobsEnd > askedAt
        ? {
            running: true,
            tasks_done: done.length,
            running_tasks: work.tasks
              .filter((t) => t.end > askedAt && t.start <= askedAt)
              .map((t) => ({ executor: '0', host: '10.0.0.1', ms: (askedAt - t.start) * 1000, rows: null })),
          }
        : { wall_ms: (jobsEnd - begin) * 1000 }),
    }
    const job: BatchJob = { start: begin, end: jobsEnd > askedAt ? null : jobsEnd, kind: 'query', tasks: work.tasks.length }
    batches.push({
      id,
      run: `run-${run}`,
      start,
      end: open ? null : finish,
      rows: total,
      ...(open ? { open: true, age_s: askedAt - start, phase: 'addBatch' } : {}),
      duration_ms: open
        ? { latestOffset: 10, walCommit: 10, queryPlanning: 20 }
        : {
            triggerExecution: (finish - start) * 1000,
            latestOffset: 10,
            walCommit: 10,
            queryPlanning: 20,
            addBatch: (finish - start) * 1000 - 60,
            commitOffsets: 20,
          },
      from_offset: offsets(position),
      to_offset: offsets(ends),
      ...(without.includes('spark') ? {} : { stages: [stage], jobs: [job] }),
    })
    if (!open) commits.push({ version: id, at: finish - 0.02, kind: 'data', rows: total, files_added: partitions, batch_id: id })
    position = ends
    free = seen
    if (open) break
  }
  // A broker knows of no record that has not arrived, whatever time it will bear.
  return {
    bundle: 1,
    pipeline: {
      name: 'orders',
      topics: [{ name: 'orders', partitions, timestamp_type: 'CreateTime', retention_ms: 604_800_000 }],
      reader: {
        kind: 'spark-structured-streaming',
        query: 'orders',
        slots: 4,
        ...(triggerS === null ? { trigger_s: null } : { trigger_s: triggerS }),
      },
      sink: { kind: 'delta', table: 'orders_bronze' },
    },
    asked_at: new Date(ZERO + askedAt * 1000).toISOString(),
    window: { from: new Date(ZERO).toISOString(), to: new Date(ZERO + askedAt * 1000).toISOString() },
    series: [
      ...(without.includes('kafka')
        ? []
        : kafkaSeries(partitions, askedAt, (p, t) => Math.min(at(made[p] as Float64Array, t), end(p, askedAt)), end)),
      ...(without.includes('spark') ? [] : executorSeries(askedAt, lost, executors)),
    ],
    batches: without.includes('checkpoint') ? [] : [...older(batches, uiBatches).map(uiOnly), ...batches.slice(-KEPT)],
    commits: without.includes('delta') ? [] : commits,
    events: without.includes('spark') ? [] : executorEvents(lost, askedAt),
    gaps: without.map((source): Gap => ({ source, signal: null, reason: 'not configured' })),
  }
}

/**
 * As Spark's source cuts what it reads: no task for a partition without records; without a setting one for each of the others; with one,
 * partitions whose part of the tasks rounds to one stay whole, the rest of the tasks goes to the
 * others by their records.
 */
function cutUp(rows: readonly number[], tasks: number | null): number[] {
  const there = rows.filter((n) => n > 0)
  if (tasks === null || there.length >= tasks) return there
  const all = there.reduce((a, b) => a + b, 0)
  const large = there.filter((n) => Math.round((n / all) * tasks) > 1)
  const small = there.filter((n) => !large.includes(n))
  const inLarge = large.reduce((a, b) => a + b, 0)
  const pieces = large.flatMap((n) => {
    const parts = Math.max(1, Math.round((n / inLarge) * Math.max(1, tasks - small.length)))
    return Array.from({ length: parts }, (_, i) => Math.floor((n * (i + 1)) / parts) - Math.floor((n * i) / parts))
  })
  return [...small, ...pieces]
}

/** The newest of those that the checkpoint has forgotten. */
function older(batches: readonly Batch[], most: number): Batch[] {
  const forgotten = batches.slice(0, -KEPT)
  return forgotten.slice(Math.max(0, forgotten.length - most))
}

/** A batch of which the checkpoint has forgotten everything: its execution and jobs are left, and the rows of its stage. */
function uiOnly({ id, run, start, end, rows, stages, jobs }: Batch): Batch {
  const begun = start + 0.05
  return {
    id,
    ...(run === undefined ? {} : { run }),
    start: begun,
    end: end === null ? null : end - 0.02,
    rows: rows ?? null,
    duration_ms: { addBatch: end === null ? 0 : (end - 0.02 - begun) * 1000 },
    phases_missing: ['latestOffset', 'walCommit', 'queryPlanning', 'commitOffsets', 'triggerExecution'],
    from_offset: null,
    to_offset: null,
    ...(stages === undefined ? {} : { stages }),
    ...(jobs === undefined ? {} : { jobs }),
  }
}

/** Greedy slots: each task takes the slot that is free first; a lost executor's running tasks start again. */
function tasksOf(
  rows: readonly number[],
  begin: number,
  slots: (t: number) => number,
  perRecordMs: (t: number) => number,
  perTaskMs: (t: number) => number,
  lost: readonly { at: number; back: number | null }[],
): { tasks: { rows: number; start: number; end: number; ms: number }[]; end: number } {
  const free = Array.from({ length: slots(begin) }, () => begin)
  const tasks = rows.map((n) => {
    free.sort((a, b) => a - b)
    const start = free[0] as number
    let ms = perTaskMs(start) + n * perRecordMs(start)
    let end = start + ms / 1000
    for (const loss of lost) {
      // Every second task ran on the lost executor: its work is repeated on what is left.
      if (loss.at > start && loss.at < end) {
        end += loss.at - start + (loss.back === null ? ms / 1000 : loss.back - loss.at)
        ms = (end - start) * 1000
      }
    }
    free[0] = end
    return { rows: n, start, end, ms }
  })
  return { tasks, end: Math.max(begin, ...tasks.map((t) => t.end)) }
}

function spread(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const pick = (q: number) => sorted[Math.round((sorted.length - 1) * q)] as number
  return { min: pick(0), median: pick(0.5), p75: pick(0.75), max: pick(1) }
}

function kafkaSeries(
  partitions: number,
  now: number,
  made: (p: number, t: number) => number,
  end: (p: number, t: number) => number,
): Series[] {
  const times = [...Array.from({ length: 55 }, (_, i) => now - 3600 + i * 60), ...Array.from({ length: 61 }, (_, i) => now - 300 + i * 5)]
  return Array.from({ length: partitions }, (_, partition) => partition).flatMap((partition): Series[] => [
    {
      signal: 'partition.log_end_offset',
      entity: { topic: 'orders', partition },
      source: 'kafka',
      clock: 'record',
      t: times,
      v: times.map((t) => made(partition, t)),
    },
    {
      signal: 'partition.log_end_offset',
      entity: { topic: 'orders', partition },
      source: 'kafka',
      clock: 'arrival',
      t: [now - 2, now],
      v: [end(partition, now - 2), end(partition, now)],
    },
  ])
}

function executorSeries(now: number, lost: readonly { at: number; back: number | null }[], grown: readonly [number, number][]): Series[] {
  const steps: [number, number][] = [[0, 2], ...grown.filter(([at]) => at <= now).map(([at, n]): [number, number] => [at, n])]
  for (const { at, back } of lost) {
    if (at <= now) steps.push([at, 1])
    if (back !== null && back <= now) steps.push([back, 2])
  }
  steps.sort(([a], [b]) => a - b)
  const t = [...steps.map(([s]) => s), now]
  const v = [...steps.map(([, n]) => n), (steps.at(-1) as [number, number])[1]]
  return [
    { signal: 'executor.count', entity: {}, source: 'spark', t, v },
    { signal: 'executor.slots', entity: {}, source: 'spark', t, v: v.map((n) => n * 2) },
  ]
}

function executorEvents(lost: readonly { at: number; back: number | null; reason?: string }[], now: number): EvidenceEvent[] {
  return lost.flatMap(({ at, back, reason }): EvidenceEvent[] => [
    ...(at <= now
      ? [
          {
            at,
            kind: 'executor_removed',
            entity: { executor: '1', host: '10.0.0.2' },
            text: reason ?? 'Command exited with code 137',
            source: 'spark',
          },
        ]
      : []),
    ...(back !== null && back <= now
      ? [{ at: back, kind: 'executor_added', entity: { executor: '2', host: '10.0.0.2' }, source: 'spark' }]
      : []),
  ])
}
