/** Evidence in which every field of the bundle is used: what the compiler knows, this file must show (DeepRequired). */
import type { Evidence } from '../../src/incident/evidence.ts'

type DeepRequired<T> = T extends readonly (infer _)[]
  ? number extends T['length']
    ? readonly DeepRequired<T[number]>[]
    : T
  : T extends object
    ? { readonly [K in keyof T]-?: DeepRequired<Exclude<T[K], undefined>> }
    : T

const entity = {
  topic: 'orders',
  partition: 3,
  group: 'g',
  member: 'm0',
  broker: 1,
  executor: '1',
  host: 'h1',
  container: 'c',
  operator: 'o',
  app: 'a',
  client: 'cl',
  table: 't',
}
const quantiles = { min: 1, median: 2, p75: 3, max: 4 }
const task = { executor: '1', host: 'h1', partition: 3, ms: 10, rows: 5 }

export const wholeEvidence: DeepRequired<Evidence> = {
  bundle: 1,
  engine: '0.1.0',
  config_hash: 'abc',
  pipeline: {
    name: 'orders',
    look: {
      bootstrap: 'kafka:9092',
      security_protocol: 'SASL_SSL',
      sasl_mechanism: 'SCRAM-SHA-512',
      spark: 'http://driver:4040',
      app: 'app-1',
      checkpoint: '/cp',
      table: '/orders',
    },
    topics: [
      {
        name: 'orders',
        partitions: 12,
        timestamp_type: 'CreateTime',
        transactional: false,
        retention_ms: 1,
        retention_bytes: 1,
        replicas: { 0: [1, 2] },
      },
    ],
    reader: {
      kind: 'spark-structured-streaming',
      query: 'q',
      group: 'g',
      protocol: 'classic',
      trigger_s: 5,
      trigger_from: 'inferred',
      max_offsets_per_trigger: 100,
      min_partitions: 24,
      max_records_per_partition: 0,
      slots: 4,
      commit_interval_s: 5,
      fetch_wait_ms: 500,
      rate_cap_per_partition_s: 10,
      max_poll_interval_s: 300,
      session_timeout_s: 45,
      processing_timeout_s: 60,
    },
    sink: { kind: 'delta', table: 'orders_bronze' },
    objective: { freshness_s: 120, lag_s: 60 },
  },
  asked_at: '2026-11-30T10:40:00Z',
  reported: 'lag',
  window: { from: '2026-11-30T09:40:00Z', to: '2026-11-30T10:40:00Z' },
  clocks: [{ source: 'kafka', skew_bound_s: 2, ahead_s: 1.5, ahead_error_s: 0.5 }],
  series: [{ signal: 'partition.log_end_offset', entity, source: 'kafka', period_s: 10, clock: 'record', t: [-10.5, 0], v: [1, 2] }],
  batches: [
    {
      id: 812,
      start: 40.2,
      end: 44.9,
      rows: 4200,
      duration_ms: { addBatch: 4500 },
      phases_missing: ['walCommit'],
      phases_merged: { queryPlanning: ['getBatch'] },
      scheduling_delay_ms: 1,
      batch_time: 40,
      from_offset: { orders: { '3': 1000 } },
      to_offset: { orders: { '3': 1840 } },
      stages: [
        {
          id: 1,
          name: 'source',
          tasks: 12,
          wall_ms: 1,
          task_ms: quantiles,
          task_rows: quantiles,
          run_ms: 1,
          cpu_ms: 1,
          gc_ms: 1,
          shuffle_wait_ms: 1,
          scheduler_delay_ms: 1,
          rows: 1,
          failed_tasks: 1,
          running: true,
          tasks_done: 1,
          tasks_failed: 1,
          seen_at: 41,
          slowest: [task],
          running_tasks: [{ ...task, reads: [[41, 3]] }],
          by_executor: [
            { executor: '1', host: 'h1', tasks: 1, rows: 1, run_ms: 1, cpu_ms: 1, gc_ms: 1, deserialize_ms: 1, scheduler_delay_ms: 1 },
          ],
          task_sample: [[1, 2, 3]],
        },
      ],
      jobs: [{ start: 41, end: 42, kind: 'query', tasks: 1, failed_tasks: 0 }],
      state_rows: 1,
      state_bytes: 1,
      watermark: 1,
      late_rows: 1,
      commit_version: 90,
      open: false,
      phase: 'addBatch',
      phase_since: 1,
      age_s: 1,
      end_bounds: [44, 45],
      replayed: false,
      planned_at: 40,
      run: 'r',
    },
  ],
  commits: [
    {
      version: 90,
      at: 44.8,
      kind: 'data',
      files_added: 12,
      bytes_added: 1,
      rows: 4200,
      batch_id: 812,
      max_event_time: 38,
      min_event_time: 30,
      seen: 50,
    },
  ],
  events: [{ at: -33, kind: 'executor_removed', entity, text: 'exit code 137', source: 'spark', seen: 50 }],
  gaps: [{ source: 'prometheus', signal: 'broker.cpu', from: 0, to: 3600, reason: 'not configured', mend: 'add it' }],
}
