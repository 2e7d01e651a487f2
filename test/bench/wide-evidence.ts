/** Evidence of an hour over any number of partitions, one of them hot for the last four minutes: what the engine has to carry, by size. */
import type { Batch, Commit, Evidence, Series } from '../../src/incident/evidence.ts'

const WINDOW_S = 3_600
const HOT_S = 240
const TRIGGER_S = 10
const BATCHES = 100
const RATE = 20
const HOT_TIMES = 12
const ZERO_MS = Date.UTC(2026, 10, 30, 13)

export function wideEvidence(partitions: number, samples: number): Evidence {
  const hot = Math.min(3, partitions - 1)
  const end = (partition: number, at: number): number =>
    Math.floor(
      at * RATE * (0.9 + 0.02 * (partition % 10)) + (partition === hot ? Math.max(0, at - WINDOW_S + HOT_S) * RATE * HOT_TIMES : 0),
    )
  const times = Array.from({ length: samples }, (_, i) => Math.round((WINDOW_S * 1000 * i) / (samples - 1)) / 1000)
  const indices = Array.from({ length: partitions }, (_, partition) => partition)
  const series = indices.flatMap((partition): Series[] => {
    const entity = { topic: 'orders', partition }
    const common = { signal: 'partition.log_end_offset', entity, source: 'kafka' }
    return [
      { ...common, clock: 'record', t: times, v: times.map((at) => end(partition, at)) },
      { ...common, clock: 'arrival', t: [WINDOW_S - 2.5, WINDOW_S], v: [end(partition, WINDOW_S - 2.5), end(partition, WINDOW_S)] },
      { signal: 'partition.leader', entity, source: 'kafka', t: [WINDOW_S], v: [partition % 3] },
    ]
  })
  const steps: Series[] = ['executor.count', 'executor.slots'].map((signal, i) => ({
    signal,
    entity: {},
    source: 'spark-ui',
    t: [0, WINDOW_S],
    v: [2 + 2 * i, 2 + 2 * i],
  }))
  const { batches, commits } = batchesOf(indices, hot, end)
  return {
    bundle: 1,
    pipeline: {
      name: 'orders',
      topics: [{ name: 'orders', partitions, timestamp_type: 'CreateTime' }],
      reader: { kind: 'spark-structured-streaming', query: 'orders', trigger_s: TRIGGER_S, trigger_from: 'declared', slots: 4 },
      sink: { kind: 'delta', table: 'orders_bronze' },
    },
    asked_at: new Date(ZERO_MS + WINDOW_S * 1000).toISOString(),
    window: { from: new Date(ZERO_MS).toISOString(), to: new Date(ZERO_MS + WINDOW_S * 1000).toISOString() },
    series: [...series, ...steps],
    batches,
    commits,
    events: [],
    gaps: [],
  }
}

/** Work costs the same a record throughout; the slowest task is the batch. */
function batchesOf(partitions: readonly number[], hot: number, end: (partition: number, at: number) => number) {
  const batches: Batch[] = []
  const commits: Commit[] = []
  const usualRows = RATE * TRIGGER_S
  const msPerRow = 3_000 / usualRows
  let start = WINDOW_S - BATCHES * TRIGGER_S
  let from = partitions.map((partition) => end(partition, start - TRIGGER_S))
  for (let id = 500; start < WINDOW_S; id += 1) {
    const to = partitions.map((partition) => end(partition, start))
    const rows = to.map((offset, partition) => offset - (from[partition] ?? 0))
    const total = rows.reduce((sum, one) => sum + one, 0)
    const longest = (rows[hot] ?? 0) * msPerRow
    const finish = start + (Math.max(longest, 3_000) + 700) / 1000
    const open = finish > WINDOW_S
    const task = { min: 2_600, median: 3_000, p75: 3_100, max: Math.max(longest, 3_300) }
    const offsets = (ends: readonly number[]) => ({ orders: Object.fromEntries(ends.map((offset, partition) => [`${partition}`, offset])) })
    batches.push({
      id,
      run: 'run-1',
      start,
      end: open ? null : finish,
      rows: total,
      ...(open ? { open: true, age_s: WINDOW_S - start, phase: 'addBatch' } : {}),
      duration_ms: open ? { latestOffset: 10 } : { triggerExecution: (finish - start) * 1000, latestOffset: 10, addBatch: longest + 600 },
      from_offset: offsets(from),
      to_offset: offsets(to),
      stages: [
        {
          id,
          name: 'source',
          tasks: partitions.length,
          rows: total,
          run_ms: total * msPerRow,
          cpu_ms: total * msPerRow * 0.2,
          task_ms: task,
          task_rows: { min: 170, median: usualRows, p75: 210, max: rows[hot] ?? usualRows },
          slowest: [{ executor: '0', host: '10.0.0.1', partition: hot, ms: task.max, rows: rows[hot] ?? null }],
          ...(open ? { running: true, tasks_done: partitions.length - 1 } : { wall_ms: task.max }),
        },
      ],
      jobs: [{ start: start + 0.4, end: open ? null : finish - 0.3, kind: 'query', tasks: partitions.length }],
    })
    if (!open) commits.push({ version: id, at: finish - 0.02, kind: 'data', rows: total, files_added: partitions.length, batch_id: id })
    from = to
    start = Math.max(start + TRIGGER_S, Math.ceil(finish / TRIGGER_S) * TRIGGER_S)
  }
  return { batches, commits }
}
