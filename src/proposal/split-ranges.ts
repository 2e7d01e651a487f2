/**
 * Into how many tasks Spark's Kafka source cuts each partition of a batch (KafkaOffsetRangeCalculator, Spark 2.4 to 4.2).
 * Without a setting, or with no more of them than there are partitions with records: one task each. Otherwise a partition whose share of
 * the records, times `minPartitions`, rounds to 1 stays whole, and the others share the tasks that are left by their records.
 */

/** @param rows records of the batch by partition @returns tasks by partition; 0 for one without records */
export function tasksByMinPartitions(rows: readonly number[], minPartitions: number | null): number[] {
  const ranges = rows.filter((n) => n > 0).length
  if (minPartitions === null || ranges >= minPartitions) return rows.map((n) => (n > 0 ? 1 : 0))
  const total = sum(rows)
  const whole = rows.map((n) => n > 0 && part(n, total, minPartitions) === 1)
  const cut = sum(rows.filter((_, i) => !whole[i]))
  const left = Math.max(1, minPartitions - whole.filter(Boolean).length)
  return rows.map((n, i) => (n <= 0 ? 0 : whole[i] === true ? 1 : Math.min(Math.ceil(n), part(n, cut, left))))
}

/** `maxRecordsPerPartition` (Spark 4.0 on): no task reads more records than this. */
export function tasksByMaxRecords(rows: readonly number[], maxRecords: number | null): number[] {
  return rows.map((n) => (n <= 0 ? 0 : maxRecords === null ? 1 : Math.ceil(n / maxRecords)))
}

const part = (rows: number, total: number, tasks: number) => Math.max(1, Math.round((rows / total) * tasks))

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
