/**
 * The table of signals: what every reading is called in bundles, sources and causes, what it measures, which way is bad, and what a
 * person calls it. A new signal is one line here; whoever emits, needs or prints a name that is not here fails a test.
 */

/**
 * counter: only rises (a fall is a reset); gauge: a level at its time; event: something that happened once; quantile: read from a
 * distribution (median, maximum); setting: declared by people, because no system tells it.
 */
export type SignalKind = 'counter' | 'gauge' | 'event' | 'quantile' | 'setting'

/** The direction that hurts. `still`: a counter that should rise; `changes`: any change; `either`: both ways; `neither`: tells, hurts nobody. */
export type BadWay = 'up' | 'down' | 'still' | 'changes' | 'either' | 'neither'

export interface Signal {
  readonly kind: SignalKind
  /** Of one reading. A share is 0 to 1, "yes" 0 or 1, "code" as bundle version 1 numbers it. */
  readonly unit: string
  readonly bad: BadWay
  /** What a person calls it; can follow "was not seen: ". */
  readonly words: string
}

const of =
  (kind: SignalKind) =>
  (unit: string, bad: BadWay, words: string): Signal => ({ kind, unit, bad, words })
const counter = of('counter')
const gauge = of('gauge')
const quantile = of('quantile')
const setting = of('setting')
const happened = (words: string): Signal => ({ kind: 'event', unit: 'event', bad: 'changes', words })

export const signals = {
  'partition.log_end_offset': counter('records', 'still', 'the log end offsets of the topic'),
  'partition.log_start_offset': counter('records', 'neither', 'the oldest offsets that are kept'),
  'partition.last_stable_offset': counter('records', 'still', 'how far transactions are finished in each partition'),
  'partition.committed_offset': counter('records', 'still', 'the offsets that the reader committed'),
  'partition.position': counter('records', 'still', 'how far the reader got in each partition'),
  'partition.complete_to': gauge('s since window.from', 'still', 'up to when each partition is in the table'),
  'partition.lag': gauge('records', 'up', 'the lag of each partition'),
  'partition.leader': gauge('broker id', 'changes', 'the leader of each partition'),
  'partition.isr_size': gauge('replicas', 'down', 'the number of replicas in sync'),
  'partition.record_age_s': gauge('s', 'up', 'the age of the next record to read'),
  'partition.event_time_max': gauge('s since window.from', 'still', 'the newest event time in each partition'),
  'partition.open_txn_age_s': gauge('s', 'up', 'the age of open transactions'),
  'topic.intake_rate': gauge('records/s', 'either', 'the intake of the topic'),
  'topic.intake_bytes_rate': gauge('bytes/s', 'either', 'the intake of the topic in bytes'),

  'group.consumption_rate': gauge('records/s', 'down', 'how fast the group reads'),
  'group.lag': gauge('records', 'up', 'the lag of the group'),
  'group.members': gauge('members', 'changes', 'the number of members of the group'),
  'group.generation': gauge('epoch', 'changes', 'the generation of the group'),
  'group.rebalance_rate': gauge('1/h', 'up', 'how often the group rebalances'),
  'group.state': gauge('code', 'changes', 'the state of the group'),
  'group.last_commit_age_s': gauge('s', 'up', 'the age of the newest commit of the group'),
  'member.assigned_partitions': gauge('partitions', 'changes', 'how many partitions each member has'),
  'member.partition_owner': gauge('index', 'changes', 'which member reads which partition'),
  'member.processing_ms': gauge('ms/record', 'up', 'the time a member needs for a record'),
  'member.poll_idle_share': gauge('share', 'down', 'the share of its time that a member waits for records'),
  'client.fetch_latency_ms': gauge('ms', 'up', 'how long a fetch takes'),
  'client.throttle_ms': gauge('ms', 'up', 'how long the broker throttles the client'),
  'client.quota_bytes_s': gauge('bytes/s', 'neither', 'the quota of the client'),
  'client.errors': counter('errors', 'up', 'the errors of the client'),

  'broker.probe_ms': gauge('ms', 'up', 'how fast the broker answers'),
  'broker.request_p99_ms': quantile('ms', 'up', 'the slowest requests of the broker'),
  'broker.cpu': gauge('share', 'up', 'the CPU of the broker'),
  'broker.disk_util': gauge('share', 'up', 'how busy the disks of the broker are'),
  'broker.network_util': gauge('share', 'up', 'how busy the network of the broker is'),
  'broker.under_replicated': gauge('partitions', 'up', 'the under-replicated partitions'),
  'broker.offline_partitions': gauge('partitions', 'up', 'the partitions without a leader'),
  'broker.up': gauge('yes', 'down', 'whether the broker is up'),
  'broker.produce_throttle_ms': gauge('ms', 'up', 'how long the broker throttles producers'),

  'executor.count': gauge('executors', 'down', 'the number of executors'),
  'executor.slots': gauge('slots', 'down', 'the number of task slots'),
  'executor.active_tasks': gauge('tasks', 'neither', 'the running tasks of each executor'),
  'executor.pending_tasks': gauge('tasks', 'up', 'the tasks that wait for a slot'),
  'executor.up': gauge('yes', 'down', 'whether the executor is up'),
  'executor.task_rate': gauge('tasks/s', 'down', 'whether each executor gets tasks done'),
  'executor.task_ms': gauge('ms', 'up', 'the task time on each executor'),
  'executor.gc_share': gauge('share', 'up', 'the share of time spent collecting garbage'),
  'executor.heap_share': gauge('share', 'up', 'the heap of each executor'),
  'executor.cpu': gauge('share', 'up', 'the CPU of each executor'),
  'driver.heap_share': gauge('share', 'up', 'the heap of the driver'),
  'driver.gc_share': gauge('share', 'up', 'the share of time the driver spends collecting garbage'),
  'host.cpu': gauge('share', 'up', 'the CPU of the host'),
  'host.iowait': gauge('share', 'up', 'how long the host waits for its disks'),
  'host.memory_share': gauge('share', 'up', 'the memory of the host'),
  'host.workers': gauge('workers', 'down', 'the workers on the host'),
  'host.worker_slots': gauge('slots', 'down', 'the task slots of the host'),
  'container.memory_share': gauge('share', 'up', 'the memory of the container'),
  'container.restarts': counter('restarts', 'up', 'the restarts of the container'),
  'container.cpu_throttled_share': gauge('share', 'up', 'how much the container is throttled'),

  batches: happened('the batches of the reader'),
  addBatch: gauge('ms', 'up', 'the time in which a batch is worked on and written'),
  'batch.jobs': happened('the jobs of each batch'),
  stages: happened('the stages of each batch'),
  'stage.run_ms': counter('ms', 'up', 'the run time of the stages'),
  'stage.cpu_ms': counter('ms', 'up', 'the CPU time of the stages'),
  'stage.task_ms': quantile('ms', 'up', 'the run times of single tasks'),
  'stage.task_rows': quantile('records', 'either', 'the rows of single tasks'),
  'stage.running_tasks': gauge('tasks', 'neither', 'what the running tasks do'),
  'state.rows': gauge('rows', 'up', 'the rows that the query keeps in its state'),
  'state.bytes': gauge('bytes', 'up', 'the size of the state of the query'),
  'event_time.watermark': gauge('s since window.from', 'still', 'the watermark of the query'),

  'sink.write_ms': gauge('ms', 'up', 'how long a write to the sink takes'),
  'sink.error_rate': gauge('1/s', 'up', 'the errors of the sink'),
  'sink.reject_rate': gauge('1/s', 'up', 'the writes that the sink rejects'),
  'sink.queue': gauge('writes', 'up', 'the writes that wait for the sink'),
  'table.freshness_s': gauge('s', 'up', 'the age of the newest data in the table'),
  'table.files': gauge('files', 'up', 'the files of the table'),
  'table.small_files': gauge('files', 'up', 'the small files of the table'),
  commit_version: happened('which batch made which commit of the table'),
  'app.emitted': counter('records', 'still', 'the records that the application wrote'),
  'app.errors': counter('errors', 'up', 'the errors of the application'),
  'app.retries': counter('retries', 'up', 'the retries of the application'),
  'app.throughput': gauge('records/s', 'down', 'the throughput of the application'),
  'work.latency_ms': gauge('ms', 'up', 'the time from end to end'),

  executor_removed: happened('whether an executor was removed'),
  executor_added: happened('whether an executor was added'),
  app_started: happened('when the application started'),
  app_failed: happened('whether the application failed'),
  deploy: happened('deployments'),
  config_change: happened('changes of the configuration'),
  scale: happened('changes of the number of workers'),
  restart: happened('restarts of the reader'),
  rebalance: happened('rebalances of the group'),
  leader_change: happened('changes of the leaders'),
  broker_down: happened('brokers that went down'),
  broker_up: happened('brokers that came back'),
  reassignment: happened('moves of partitions'),
  offsets_reset: happened('offsets that were set back'),
  topic_changed: happened('changes of the topic'),
  alert: happened('alerts'),
  error: happened('errors that were logged'),
  note: happened('notes'),

  'reader.trigger_s': setting('s', 'neither', 'the trigger interval'),
  'reader.max_offsets_per_trigger': setting('records', 'neither', 'the cap of the reader'),
} as const satisfies Readonly<Record<string, Signal>>

export type SignalName = keyof typeof signals

/** What decides without being one signal: signals compared, a time to wait for, a thing to ask a person. */
export interface Reading {
  /** The signals it is made of. */
  readonly of: readonly SignalName[]
  readonly words: string
}

export const readings = {
  'stage.run_ms against cpu_ms': {
    of: ['stage.run_ms', 'stage.cpu_ms'],
    words: 'the run time of the stages against their CPU time',
  },
  'stage.run_ms over tasks of different size': {
    of: ['stage.task_ms', 'stage.task_rows'],
    words: 'the run times of tasks of different size',
  },
  'end of the write job against the end of the batch': {
    of: ['batch.jobs', 'batches'],
    words: 'the time between the last write job and the end of the batch',
  },
  'record time': { of: ['partition.log_end_offset'], words: 'the time at which records were made' },
  'arrival of records': { of: ['partition.log_end_offset', 'batches'], words: 'the time at which records arrived' },
  'what is usual for this topic': { of: ['partition.log_end_offset'], words: 'what is usual for this topic' },
  'the next batch': { of: ['batches'], words: 'the next batch' },
  'the trigger interval': { of: ['reader.trigger_s'], words: 'the trigger interval' },
  'the cap of the reader': { of: ['reader.max_offsets_per_trigger'], words: 'the cap of the reader' },
  'the end of the silence': {
    of: ['executor.task_rate', 'executor_removed'],
    words: 'whether the silent executor comes back or is given up',
  },
} as const satisfies Readonly<Record<string, Reading>>

export type ReadingName = keyof typeof readings

/** What may be asked for: one signal, or what several of them tell together. */
export type Askable = SignalName | ReadingName

/** What is worked out of signals, batch by batch, so that a time can be compared with another: expectations speak of these. */
export interface Measure extends Omit<Signal, 'kind' | 'bad'> {
  readonly bad: 'up' | 'down'
  /** The signals it is made of. */
  readonly of: readonly SignalName[]
}

export const measures = {
  'stage.idle_slot_share': {
    of: ['stages', 'stage.run_ms', 'executor.slots'],
    unit: 'share',
    bad: 'up',
    words: 'slot time that is idle while a batch reads and works',
  },
  'reader.load': {
    of: ['batches', 'batch.jobs', 'partition.log_end_offset', 'reader.trigger_s'],
    unit: 'share',
    bad: 'up',
    words: 'time that the reader needs for what arrives, over the time there is',
  },
  'batch.duration_s': { of: ['batches'], unit: 's', bad: 'up', words: 'duration of a batch' },
  'reader.flow_ratio': {
    of: ['partition.position', 'partition.log_end_offset'],
    unit: 'share',
    bad: 'down',
    words: 'records finished over records that arrived',
  },
  'reader.lag': { of: ['partition.lag', 'batches'], unit: 'records', bad: 'up', words: 'lag just after a commit' },
  'reader.lag_growth': { of: ['partition.lag', 'batches'], unit: 'records/s', bad: 'up', words: 'growth of the lag' },
} as const satisfies Readonly<Record<string, Measure>>

export type MeasureName = keyof typeof measures

/** The name people use; null = the table does not know it (foreign bundles hold signals of their own). */
export function plainName(name: string): string | null {
  if (Object.hasOwn(signals, name)) return signals[name as SignalName].words
  if (Object.hasOwn(measures, name)) return measures[name as MeasureName].words
  return Object.hasOwn(readings, name) ? readings[name as ReadingName].words : null
}
