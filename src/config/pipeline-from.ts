/** One pipeline of the file, with the defaults and the secrets it takes over, in the words of the incident room. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { z } from 'zod'
import type { KafkaAccess, Pipeline } from '../incident/pipeline.ts'
import type { kafkaSchema, pipelineSchema } from './schema.ts'
import type { Environment } from './take-secret.ts'
import { takeSecret } from './take-secret.ts'

export type KafkaDefaults = { readonly [key in keyof z.output<typeof kafkaSchema>]?: z.output<typeof kafkaSchema>[key] }

/** Something that only shows when the pieces are put together; the path is relative to the pipeline or section. */
export interface Problem {
  readonly path: readonly string[]
  readonly what: string
  readonly right: string
}

interface Around {
  readonly env: Environment
  readonly folder: string
}

/** @returns the pipeline, or null and why not */
export function pipelineFrom(
  name: string,
  own: z.output<typeof pipelineSchema>,
  kafka: KafkaDefaults,
  around: Around,
): { readonly pipeline: Pipeline | null; readonly problems: readonly Problem[] } {
  const brokers = own.brokers ?? kafka.brokers
  const sasl = own.sasl === undefined ? kafka.sasl : own.sasl
  const problems: Problem[] = []
  const password = sasl ? takeSecret(sasl.password_env, ['sasl', 'password_env'], around.env, problems) : ''
  if (brokers === undefined || problems.length > 0) return { pipeline: null, problems }
  const access: KafkaAccess = {
    brokers,
    clientId: kafka.client_id ?? 'headwater',
    tls: own.tls ?? kafka.tls ?? false,
    sasl: sasl ? { mechanism: sasl.mechanism, username: sasl.username, password } : null,
  }
  return {
    problems,
    pipeline: {
      name,
      topic: own.topic,
      kafka: access,
      spark: own.spark?.replace(/\/+$/, '') ?? null,
      query: own.query ?? null,
      checkpoint: folderOf(own.checkpoint, around.folder),
      eventLog: folderOf(own.event_log, around.folder),
      table: folderOf(own.table, around.folder),
      group: own.group ?? null,
      declared: {
        triggerSeconds: own.trigger ?? null,
        maxOffsetsPerTrigger: own.max_offsets_per_trigger ?? null,
        ...(own.min_partitions === undefined ? {} : { minPartitions: own.min_partitions }),
        ...(own.max_records_per_partition === undefined ? {} : { maxRecordsPerPartition: own.max_records_per_partition }),
      },
      objective: { freshnessSeconds: own.objective?.freshness ?? null, lagSeconds: own.objective?.lag ?? null },
    },
  }
}

/** A path is read from the folder of the file; an address of another store (s3a://…, abfss://…) stays as it is. */
function folderOf(written: string | undefined, folder: string): string | null {
  if (written === undefined) return null
  if (written.startsWith('file:')) return decodeURIComponent(URL.parse(written)?.pathname ?? written.slice('file:'.length))
  return /^\w[\w+.-]*:\/\//.test(written) ? written : resolve(folder, written)
}

/** Which configuration a verdict was given under: hex of 16 characters; the password has no part in it. */
export function configHash(pipeline: Pipeline): string {
  const { sasl } = pipeline.kafka
  const open = {
    ...pipeline,
    kafka: { ...pipeline.kafka, sasl: sasl === null ? null : { mechanism: sasl.mechanism, username: sasl.username } },
  }
  return createHash('sha256').update(JSON.stringify(open)).digest('hex').slice(0, 16)
}
