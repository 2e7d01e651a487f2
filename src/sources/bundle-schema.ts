/**
 * The bundle, version 1, as a schema: what a foreign file may hold. `manifests/bundle.schema.json` is made from it, the order of
 * keys here is the order in which bundles are written, and the type of what it yields is `Evidence`.
 *
 * A field nobody here knows is kept and ignored. A *fact* (second list of a record) that is not known may be absent or null; in
 * the first list null means something of its own (in flight, no sample, back to back) and is allowed only where it says so.
 */
import { z } from 'zod'

const text = z.string('a text')
const flag = z.boolean('true or false')
const number = z.number('a number')
const orNull = z.number('a number or null').nullable()
const whole = z.int('a whole number')
const instant = z.iso.datetime({ offset: true, error: 'an ISO 8601 time with its zone, e.g. 2026-11-30T10:40:00Z' })
const listOf = <T extends z.ZodType>(item: T) => z.array(item, 'a list')
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${values.join(', ')}`)

/** @param meant fields in which null, where allowed, has a meaning; @param facts fields that may be absent or null alike */
function record<M extends z.ZodRawShape, F extends z.ZodRawShape>(meant: M, facts: F) {
  const optional = Object.fromEntries(Object.entries(facts).map(([key, schema]) => [key, (schema as z.ZodType).nullish()]))
  const names = Object.keys(facts)
  return z.looseObject({ ...meant, ...optional }, 'an object').transform((value) => {
    const out: Record<string, unknown> = value
    for (const name of names) if (out[name] === null || out[name] === undefined) delete out[name]
    return out
  })
}

const entity = record(
  {},
  {
    topic: text,
    partition: whole,
    group: text,
    member: text,
    broker: z.union([whole, text], 'a broker id'),
    executor: text,
    host: text,
    container: text,
    operator: text,
    app: text,
    client: text,
    table: text,
  },
)

const topic = record(
  { name: text },
  {
    partitions: whole,
    timestamp_type: oneOf(['CreateTime', 'LogAppendTime']),
    transactional: flag,
    retention_ms: number,
    retention_bytes: number,
    replicas: z.record(z.string(), listOf(whole), 'brokers by partition'),
  },
)

const reader = record(
  {
    kind: oneOf(['spark-structured-streaming', 'spark-dstreams', 'consumer-group', 'other']),
    trigger_s: orNull.optional(),
    max_offsets_per_trigger: orNull.optional(),
  },
  {
    query: text,
    group: text,
    protocol: oneOf(['classic', 'consumer']),
    trigger_from: oneOf(['declared', 'inferred']),
    min_partitions: number,
    max_records_per_partition: number,
    slots: number,
    commit_interval_s: number,
    fetch_wait_ms: number,
    rate_cap_per_partition_s: number,
    max_poll_interval_s: number,
    session_timeout_s: number,
    processing_timeout_s: number,
  },
)

const pipeline = record(
  { name: text, topics: listOf(topic), reader },
  {
    look: record(
      {},
      { bootstrap: text, security_protocol: text, sasl_mechanism: text, spark: text, app: text, checkpoint: text, table: text },
    ),
    sink: record({ kind: text }, { table: text }),
    objective: record({}, { freshness_s: number, lag_s: number }),
  },
)

/** `t`, or the name of a shared axis in `grids`. */
const series = record(
  { signal: text, source: text, v: listOf(orNull) },
  { entity, period_s: number, clock: oneOf(['record', 'arrival']), t: listOf(number), grid: text },
)

const quantiles = record({}, { min: number, median: number, p75: number, max: number })
const task = { executor: text, host: text, partition: whole }
const look = z.tuple([number, number], 'a pair: seconds since window.from, records read')
const sample = z.tuple([number, number, number], 'three numbers: rows, run ms, cpu ms')

const stage = record(
  {},
  {
    id: whole,
    name: text,
    tasks: number,
    wall_ms: number,
    task_ms: quantiles,
    task_rows: quantiles,
    run_ms: number,
    cpu_ms: number,
    gc_ms: number,
    shuffle_wait_ms: number,
    scheduler_delay_ms: number,
    rows: number,
    failed_tasks: number,
    running: flag,
    tasks_done: number,
    tasks_failed: number,
    seen_at: number,
    slowest: listOf(record({ ms: number, rows: orNull.optional() }, task)),
    running_tasks: listOf(record({ ms: number, rows: orNull.optional() }, { ...task, reads: listOf(look) })),
    by_executor: listOf(
      record(
        { executor: text },
        {
          host: text,
          tasks: number,
          rows: number,
          run_ms: number,
          cpu_ms: number,
          gc_ms: number,
          deserialize_ms: number,
          scheduler_delay_ms: number,
        },
      ),
    ),
    task_sample: listOf(sample),
  },
)

const offsets = z.record(z.string(), z.record(z.string(), number, 'offsets by partition'), 'offsets by topic and partition')

const batch = record(
  {
    id: whole,
    start: number,
    end: orNull,
    rows: orNull.optional(),
    scheduling_delay_ms: orNull.optional(),
    from_offset: offsets.nullable().optional(),
    to_offset: offsets.nullable().optional(),
    state_rows: orNull.optional(),
    state_bytes: orNull.optional(),
    watermark: orNull.optional(),
    late_rows: orNull.optional(),
    commit_version: orNull.optional(),
  },
  {
    duration_ms: z.record(z.string(), number, 'milliseconds by phase'),
    phases_missing: listOf(text),
    phases_merged: z.record(z.string(), listOf(text), 'lists of phases by phase'),
    batch_time: number,
    stages: listOf(stage),
    jobs: listOf(record({ start: number, end: orNull }, { kind: text, tasks: number, failed_tasks: number })),
    open: flag,
    phase: text,
    phase_since: number,
    age_s: number,
    end_bounds: z.tuple([number, number], 'a pair: earliest, latest'),
    replayed: flag,
    planned_at: number,
    run: text,
  },
)

const commit = record(
  {
    version: whole,
    at: number,
    kind: oneOf(['data', 'optimize', 'other']),
    rows: orNull.optional(),
    batch_id: orNull.optional(),
    max_event_time: orNull.optional(),
    min_event_time: orNull.optional(),
  },
  { files_added: number, bytes_added: number, seen: number },
)

const event = record({ at: number, kind: text }, { entity, text, source: text, seen: number })

const gap = record(
  { source: text, signal: z.string('a signal or null').nullable().optional(), reason: text },
  { from: number, to: number, mend: text },
)

export const bundleSchema = record(
  {
    bundle: z.literal(1, '1 (this program reads version 1)'),
    pipeline,
    asked_at: instant,
    window: record({ from: instant, to: instant }, {}),
  },
  {
    engine: text,
    config_hash: text,
    reported: text,
    clocks: listOf(record({ source: text, skew_bound_s: number }, { ahead_s: number, ahead_error_s: number })),
    grids: z.record(z.string(), listOf(number), 'lists of times by name'),
    series: listOf(series),
    batches: listOf(batch),
    commits: listOf(commit),
    events: listOf(event),
    gaps: listOf(gap),
  },
)

/** The schema for other people's tools, as the text of `manifests/bundle.schema.json`. */
export function bundleJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(bundleSchema, { io: 'input' })
  const head = { $schema, title: 'Headwater bundle, version 1', description: 'Frozen evidence of one pipeline around one incident.' }
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`
}
