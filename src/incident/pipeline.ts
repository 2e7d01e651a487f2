/** A pipeline as its owners configured it: what can be ill, and where it can be looked at. Everything is read-only. */

export interface KafkaAccess {
  readonly brokers: readonly string[]
  readonly clientId: string
  readonly tls: boolean
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  } | null
}

/** What the owners declare, because no system tells it. null or absent = not declared. */
export interface Declared {
  /** 0 = back to back. */
  readonly triggerSeconds: number | null
  readonly maxOffsetsPerTrigger: number | null
  /** Options of Spark's Kafka source; 0 = declared as not set. */
  readonly minPartitions?: number
  readonly maxRecordsPerPartition?: number
}

export interface Pipeline {
  readonly name: string
  readonly topic: string
  readonly kafka: KafkaAccess
  /** Spark driver UI, e.g. http://driver:4040. null = no Spark reader configured. */
  readonly spark: string | null
  /** Streaming query name; null = the only query of the application. */
  readonly query: string | null
  /** Folder of the query's checkpoint; null = not configured. */
  readonly checkpoint: string | null
  /** Spark's event log, or the folder that holds it (spark.eventLog.dir); null = not configured. */
  readonly eventLog: string | null
  /** Folder of the Delta table; null = not configured. */
  readonly table: string | null
  /** Consumer group of a plain reader; null = none. */
  readonly group: string | null
  readonly declared: Declared
  readonly objective: { readonly freshnessSeconds: number | null; readonly lagSeconds: number | null }
}
