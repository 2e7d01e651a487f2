/**
 * Every cause in the words of a person at 3 a.m.: what it is called, what it means, and where to look next. One entry for each
 * name of the catalogue; `next` points at the smallest step and names what does not help, it never tells anyone to change a
 * shared setting on the strength of one graph. The words are those of a Spark query; where a plain consumer group or DStreams
 * have other parts (members for executors, a rate per partition for a cap), the entry says so for them.
 */
import type { EvidencePipeline, Reader } from '../incident/evidence.ts'

export interface CauseWords {
  readonly title: string
  /** What happens, as half a sentence that can follow "orders: …". */
  readonly phrase: string
  readonly next: string
}

interface Entry extends CauseWords {
  readonly of?: Partial<Readonly<Record<Reader['kind'], Partial<CauseWords>>>>
  /** Where what is written is no table. */
  readonly noTable?: Partial<CauseWords>
}

export const causeWords = {
  intake_surge: {
    title: 'Intake surge',
    phrase: 'more records come in than the reader can work off',
    next: 'Find the producer behind the surge and ask whether it will last. It drains by itself once intake falls below capacity.',
  },
  hot_partition: {
    title: 'Hot partition',
    phrase: 'one partition takes more than its reader can work off',
    next: 'Find the key or tenant behind it. More executors do not help: one partition is read by one task.',
    of: { 'consumer-group': { next: 'Find the key or tenant behind it. More members do not help: one partition is read by one member.' } },
  },
  source_stall: {
    title: 'Source stopped',
    phrase: 'the producer sends nothing or far less than usual',
    next: 'Ask the owner of the producer. Nothing is wrong from the topic onwards, do not restart the reader.',
  },
  upstream_late: {
    title: 'Data late from upstream',
    phrase: 'records are already old when they reach the topic',
    next: 'Ask the owner of the producer what held the records back. The reader keeps up, do not scale it.',
  },
  consumer_parallelism: {
    title: 'Too few readers',
    phrase: 'the work is normal, but too few tasks or members share it',
    next: 'Check whether partitions and slots allow one more step of parallelism.',
    of: { 'consumer-group': { next: 'Check whether the number of partitions allows one more member.' } },
  },
  stuck_consumer: {
    title: 'Stuck reader',
    phrase: 'one partition stands still at one offset',
    next: 'Look at the record at that offset and at the log of the task that reads it. Do not skip it before someone has seen it.',
    of: {
      'consumer-group': {
        next: 'Look at the record at that offset and at the log of the member that reads it. Do not skip it before someone has seen it.',
      },
    },
  },
  schema_or_deserialization: {
    title: 'Records cannot be read',
    phrase: 'records no longer match what the reader expects',
    next: 'Compare the newest schema or deployment with the first error.',
  },
  rebalance_storm: {
    title: 'Rebalance storm',
    phrase: 'the consumer group is busy dividing partitions instead of reading them',
    next: 'Find the member that joins and leaves, and what made it leave, before anything is scaled.',
  },
  rate_cap: {
    title: 'Own rate limit',
    phrase: 'a configured limit holds the reader below what comes in',
    next: 'Look at the cap (maxOffsetsPerTrigger or rate limit): batches have time to spare.',
    of: {
      'consumer-group': { next: 'Look at the limit in the members (max.poll.records, an own throttle): they have time to spare.' },
      'spark-dstreams': { next: 'Look at maxRatePerPartition and at back-pressure: batches have time to spare.' },
    },
  },
  throttling_quota: {
    title: 'Client quota',
    phrase: 'the broker throttles this client',
    next: 'Ask the owner of the cluster about the quota. More readers share the same quota.',
  },
  open_transaction: {
    title: 'Open transaction',
    phrase: 'a transaction that nobody ends hides the newer records',
    next: 'Find the producer that holds the transaction, with the owner of the cluster.',
  },
  leader_or_isr: {
    title: 'Partition leadership',
    phrase: 'partitions wait for a leader or for its replicas',
    next: 'Look at the election just before, with the owner of the cluster. It often heals within minutes.',
  },
  broker_degraded: {
    title: 'Slow broker',
    phrase: 'one broker answers slowly, and its partitions wait',
    next: 'Look at disk and network of that broker, with the owner of the cluster.',
  },
  retention_overrun: {
    title: 'Retention overran the reader',
    phrase: 'records were deleted before they were read',
    next: 'Secure what is left: ask the owner whether retention can be extended now, and what made the reader fall behind.',
  },
  slow_processing: {
    title: 'Slower processing',
    phrase: 'each record costs more work than before, on every partition',
    next: 'Compare the newest deployment of the job, and the records themselves, with before the onset.',
  },
  data_skew: {
    title: 'Skew after the shuffle',
    phrase: 'a few tasks of a later stage get most of the rows',
    next: 'Look which key fills the long task. The partitions of the topic are even, leave them alone.',
  },
  straggler_host: {
    title: 'Slow host',
    phrase: 'the tasks of one host take long, whatever they read',
    next: 'Look at that host: CPU, disk, neighbours. Other hosts are healthy.',
    of: { 'consumer-group': { phrase: 'the members on one host are slow, whatever they read' } },
  },
  executor_loss: {
    title: 'Executors lost',
    phrase: 'executors went away and the rest cannot do their work',
    next: 'Look why they went (exit code, node) and whether replacements are on their way.',
  },
  memory_gc: {
    title: 'Memory pressure',
    phrase: 'executors spend their time collecting garbage',
    next: 'Look at the heap of that executor and at what grew in it before the pauses.',
    of: {
      'consumer-group': {
        phrase: 'members spend their time collecting garbage',
        next: 'Look at the heap of that member and at what grew in it before the pauses.',
      },
    },
  },
  resource_starvation: {
    title: 'No resources granted',
    phrase: 'work is ready, but slots or CPU are not granted to it',
    next: 'Look who holds the slots, and what the cluster manager answers to requests.',
  },
  state_store_growth: {
    title: 'Growing state',
    phrase: 'the state of the query grows while intake does not',
    next: 'Look at what keeps state from expiring: watermark, time-out or key count.',
  },
  planning_overhead: {
    title: 'Planning overhead',
    phrase: 'every batch spends more time before its work, whatever its size',
    next: 'Look at the number of files and log entries of the table.',
  },
  checkpoint_latency: {
    title: 'Slow checkpoint',
    phrase: 'writing the offset and commit logs takes most of the batch',
    next: 'Look at the store that holds the checkpoint: latency, throttling, listing.',
  },
  driver_blocking: {
    title: 'Driver blocked',
    phrase: 'executors wait while the driver is busy between jobs',
    next: 'Take a thread dump of the driver during the next gap.',
  },
  slow_sink: {
    title: 'Slow sink',
    phrase: 'writing to the table takes longer than before',
    next: 'Look at the store behind the table: latency, rejects, conflicting writers. More readers make it worse.',
    noTable: {
      phrase: 'writing to the sink takes longer than before',
      next: 'Look at the sink: latency, rejects, its own queue. More readers make it worse.',
    },
  },
  watermark_held_back: {
    title: 'Watermark held back',
    phrase: 'an idle or late input keeps windows from closing',
    next: 'Find the input whose event time stands still.',
  },
  watermark_ran_ahead: {
    title: 'Watermark ran ahead',
    phrase: 'records from the future push the watermark on, and good records are dropped as late',
    next: 'Find the producer with the wrong clock. What was dropped has to be read again later.',
  },
  restart_replay: {
    title: 'Replay after a restart',
    phrase: 'the reader goes through records again that it had read before',
    next: 'Let it catch up, and check where the start position came from.',
  },
  overlap_or_gap: {
    title: 'Offsets twice or never',
    phrase: 'successive batches overlap or leave records out',
    next: 'Stop nothing yet: compare the checkpoint with the table, and secure both before anyone restarts the query.',
    of: {
      'consumer-group': {
        phrase: 'records are read twice or left out',
        next: 'Stop nothing yet: compare the commits of the group with the sink, before anyone resets its offsets.',
      },
    },
  },
  rebalance_or_deploy: {
    title: 'Planned change',
    phrase: 'a deployment or rescale interrupted the reader for a moment',
    next: 'Wait for it to heal; look again if it has not within a few batches.',
  },
  measurement_artifact: {
    title: 'Only the measurement',
    phrase: 'the numbers look ill, the data flows',
    next: 'Correct the measurement or the alert. Leave the pipeline alone.',
  },
  none: {
    title: 'Within baseline',
    phrase: 'nothing here differs from its own baseline',
    next: 'Nothing to do here. If users still see trouble, it begins outside of what was looked at.',
  },
  unknown: {
    title: 'Unknown cause',
    phrase: 'something is wrong that no known cause explains',
    next: 'Look at what was not seen below.',
  },
} as const satisfies Readonly<Record<string, Entry>>

export type KnownCause = keyof typeof causeWords

/** What a reader does not have cannot be what is ill. */
const needsSpark: readonly string[] = ['executor_loss', 'checkpoint_latency', 'driver_blocking']

export function canBe(cause: string, { reader }: EvidencePipeline): boolean {
  return reader.kind !== 'consumer-group' || !needsSpark.includes(cause)
}

/** A cause that someone adds without words is still shown, by its name. */
export function wordsFor(cause: string, pipeline?: EvidencePipeline): CauseWords {
  if (!Object.hasOwn(causeWords, cause)) {
    const spoken = cause.replaceAll('_', ' ')
    return { title: spoken, phrase: spoken, next: 'See the evidence below.' }
  }
  const { of, noTable, ...words }: Entry = causeWords[cause as KnownCause]
  if (pipeline === undefined) return words
  return { ...words, ...(hasTable(pipeline) ? {} : noTable), ...of?.[pipeline.reader.kind] }
}

/** Where no sink is named, a table is as likely as anything. */
export function hasTable({ sink }: EvidencePipeline): boolean {
  return sink === undefined || sink.kind === 'delta' || sink.table !== undefined
}
