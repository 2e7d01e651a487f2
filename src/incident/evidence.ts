/**
 * Evidence: everything that was seen of one pipeline around one incident, as the sources gave it.
 *
 * The shape is the bundle's own (manifests/bundle.schema.json, version 1), field names included: what is judged live and
 * what is replayed from a file are then the same value, and there is no mapping in which a reading could be lost.
 * Times are seconds since `window.from` (negative = older). `null` in a series is a missing sample, never zero.
 */

/** Which thing a reading belongs to. Only the keys that apply are present. */
export interface Entity {
  readonly topic?: string
  readonly partition?: number
  readonly group?: string
  readonly member?: string
  readonly broker?: number | string
  readonly executor?: string
  readonly host?: string
  readonly container?: string
  readonly operator?: string
  readonly app?: string
  readonly client?: string
  readonly table?: string
}

export interface Topic {
  readonly name: string
  readonly partitions?: number
  readonly timestamp_type?: 'CreateTime' | 'LogAppendTime'
  readonly transactional?: boolean
  readonly retention_ms?: number
  readonly retention_bytes?: number
  /** Brokers that hold a copy, by partition, the preferred leader first. */
  readonly replicas?: Readonly<Record<string, readonly number[]>>
}

export interface Reader {
  readonly kind: 'spark-structured-streaming' | 'spark-dstreams' | 'consumer-group' | 'other'
  readonly query?: string
  readonly group?: string
  readonly protocol?: 'classic' | 'consumer'
  /** Seconds between triggers; null = back to back; absent = not known. */
  readonly trigger_s?: number | null
  /** Where trigger_s comes from; absent = as the bundle's writer gave it. */
  readonly trigger_from?: 'declared' | 'inferred'
  readonly max_offsets_per_trigger?: number | null
  /** Options of Spark's Kafka source, as its owners declare them; 0 = declared as not set. */
  readonly min_partitions?: number
  readonly max_records_per_partition?: number
  /** Task slots the reader had when asked. */
  readonly slots?: number
  readonly commit_interval_s?: number
  readonly fetch_wait_ms?: number
  readonly rate_cap_per_partition_s?: number
  readonly max_poll_interval_s?: number
  readonly session_timeout_s?: number
  readonly processing_timeout_s?: number
}

export interface Sink {
  readonly kind: string
  readonly table?: string
}

export interface Objective {
  readonly freshness_s?: number
  readonly lag_s?: number
}

/** Where a person can look for himself: addresses without secrets, so that commands to check a number can be printed. */
export interface LookHere {
  readonly bootstrap?: string
  /** Kafka's own names, e.g. SASL_SSL and SCRAM-SHA-512, where its clients need a file of settings; absent = plain. */
  readonly security_protocol?: string
  readonly sasl_mechanism?: string
  readonly spark?: string
  readonly app?: string
  readonly checkpoint?: string
  readonly table?: string
}

export interface EvidencePipeline {
  readonly name: string
  readonly look?: LookHere
  readonly topics: readonly Topic[]
  readonly reader: Reader
  readonly sink?: Sink
  readonly objective?: Objective
}

export interface Series {
  readonly signal: string
  readonly entity: Entity
  readonly source: string
  readonly period_s?: number
  /** `record`: placed on the time at which records say they were made (CreateTime); absent or `arrival`: when it was so. */
  readonly clock?: 'record' | 'arrival'
  readonly t: readonly number[]
  readonly v: readonly (number | null)[]
}

/** Milliseconds; the names are those of StreamingQueryProgress.durationMs. */
export type Phases = Readonly<Record<string, number>>

export interface SlowTask {
  readonly executor?: string
  readonly host?: string
  readonly partition?: number
  readonly ms: number
  readonly rows?: number | null
}

export interface RunningTask extends SlowTask {
  /** [seconds since window.from, recordsRead]: two looks tell a busy task from a blocked one. */
  readonly reads?: readonly (readonly [number, number])[]
}

export interface StageByExecutor {
  readonly executor: string
  readonly host?: string
  readonly tasks?: number
  readonly rows?: number
  readonly run_ms?: number
  readonly cpu_ms?: number
  readonly gc_ms?: number
  readonly deserialize_ms?: number
  readonly scheduler_delay_ms?: number
}

export interface Stage {
  readonly id: number
  readonly name?: string
  readonly tasks?: number
  readonly wall_ms?: number
  readonly task_ms?: { readonly min?: number; readonly median?: number; readonly p75?: number; readonly max?: number }
  readonly task_rows?: { readonly min?: number; readonly median?: number; readonly p75?: number; readonly max?: number }
  readonly run_ms?: number
  readonly cpu_ms?: number
  readonly gc_ms?: number
  readonly shuffle_wait_ms?: number
  readonly scheduler_delay_ms?: number
  readonly rows?: number
  readonly failed_tasks?: number
  readonly running?: boolean
  readonly tasks_done?: number
  readonly tasks_failed?: number
  readonly seen_at?: number
  readonly slowest?: readonly SlowTask[]
  readonly running_tasks?: readonly RunningTask[]
  readonly by_executor?: readonly StageByExecutor[]
  /** Every finished task that was read: [rows, run ms, cpu ms]. Lets a cost per file be told from a cost per record. */
  readonly task_sample?: readonly (readonly [number, number, number])[]
}

export interface BatchJob {
  readonly start: number
  readonly end: number | null
  readonly kind?: 'query' | 'delta-snapshot' | string
  readonly tasks?: number
  readonly failed_tasks?: number
}

export type OffsetsByTopic = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Batch {
  readonly id: number
  readonly start: number
  /** null = in flight. */
  readonly end: number | null
  readonly rows?: number | null
  readonly duration_ms?: Phases
  /** Phases that could not be read: the rest need not add up. */
  readonly phases_missing?: readonly string[]
  /** Phases seen as one, e.g. {"queryPlanning": ["walCommit", "getBatch"]}. */
  readonly phases_merged?: Readonly<Record<string, readonly string[]>>
  readonly scheduling_delay_ms?: number | null
  readonly batch_time?: number
  readonly from_offset?: OffsetsByTopic | null
  readonly to_offset?: OffsetsByTopic | null
  readonly stages?: readonly Stage[]
  readonly jobs?: readonly BatchJob[]
  readonly state_rows?: number | null
  readonly state_bytes?: number | null
  readonly watermark?: number | null
  readonly late_rows?: number | null
  readonly commit_version?: number | null
  readonly open?: boolean
  readonly phase?: string
  readonly phase_since?: number
  readonly age_s?: number
  readonly end_bounds?: readonly [number, number]
  readonly replayed?: boolean
  readonly planned_at?: number
  /** The run that executed it; changes at every restart of the query. */
  readonly run?: string
}

export interface Commit {
  readonly version: number
  readonly at: number
  readonly kind: 'data' | 'optimize' | 'other'
  readonly files_added?: number
  readonly bytes_added?: number
  readonly rows?: number | null
  readonly batch_id?: number | null
  readonly max_event_time?: number | null
  readonly min_event_time?: number | null
  readonly seen?: number
}

export interface EvidenceEvent {
  readonly at: number
  readonly kind: string
  readonly entity?: Entity
  readonly text?: string
  readonly source?: string
  readonly seen?: number
}

/** What could not be seen, and why. */
export interface Gap {
  readonly source: string
  readonly signal: string | null
  readonly from?: number
  readonly to?: number
  /** Plain words for the reader. */
  readonly reason: string
  /** The line or command that would close the gap, where one is known. */
  readonly mend?: string
}

export interface Clock {
  readonly source: string
  /** Most that its clock may differ from the one that asked. */
  readonly skew_bound_s: number
  /** Where the difference was measured: its clock minus the one that asked, and how far that may be off. */
  readonly ahead_s?: number
  readonly ahead_error_s?: number
}

export interface Evidence {
  readonly bundle: 1
  readonly engine?: string
  readonly config_hash?: string
  readonly pipeline: EvidencePipeline
  /** ISO 8601, UTC. */
  readonly asked_at: string
  readonly reported?: string
  readonly window: { readonly from: string; readonly to: string }
  readonly clocks?: readonly Clock[]
  readonly series: readonly Series[]
  readonly batches: readonly Batch[]
  readonly commits: readonly Commit[]
  readonly events: readonly EvidenceEvent[]
  readonly gaps: readonly Gap[]
}
