/** A plain consumer group that takes 40 of the 50 records a second of each of four partitions: its lag grows, nothing else is seen. */
import type { Evidence, Series } from '../../src/incident/evidence.ts'

const t = Array.from({ length: 121 }, (_, i) => i * 10)

const counter = (signal: string, partition: number, perSecond: number): Series => ({
  signal,
  entity: { topic: 'invoices', partition, ...(signal === 'partition.committed_offset' ? { group: 'billing' } : {}) },
  source: 'kafka',
  t,
  v: t.map((at) => 1000 + at * perSecond),
})

export const groupEvidence: Evidence = {
  bundle: 1,
  pipeline: {
    name: 'invoices',
    topics: [{ name: 'invoices', partitions: 4 }],
    reader: { kind: 'consumer-group', group: 'billing' },
    sink: { kind: 'search' },
    objective: { lag_s: 30 },
  },
  asked_at: '2026-11-30T13:20:00Z',
  window: { from: '2026-11-30T13:00:00Z', to: '2026-11-30T13:20:00Z' },
  series: [0, 1, 2, 3].flatMap((partition) => [
    counter('partition.log_end_offset', partition, 50),
    counter('partition.committed_offset', partition, 40),
  ]),
  batches: [],
  commits: [],
  events: [],
  gaps: [],
}
