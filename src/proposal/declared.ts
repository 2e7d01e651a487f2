/** What the owners declared of the reader, read back from the evidence: a replay of the bundle then proposes what was proposed live. */
import type { Evidence } from '../incident/evidence.ts'
import type { Declared } from '../incident/pipeline.ts'

export function declaredIn({ pipeline: { reader } }: Pick<Evidence, 'pipeline'>): Declared {
  const { min_partitions: minPartitions, max_records_per_partition: maxRecordsPerPartition } = reader
  return {
    // Declared as back to back: the evidence has no interval then, the configuration has 0.
    triggerSeconds: reader.trigger_from === 'declared' ? (reader.trigger_s ?? 0) : null,
    maxOffsetsPerTrigger: reader.max_offsets_per_trigger ?? null,
    ...(minPartitions === undefined ? {} : { minPartitions }),
    ...(maxRecordsPerPartition === undefined ? {} : { maxRecordsPerPartition }),
  }
}
