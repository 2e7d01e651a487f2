import { expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import { committedOffsets } from '../../src/workflow/committed.ts'

const group = (partition: number, v: (number | null)[]) => ({
  signal: 'partition.committed_offset',
  entity: { topic: 'orders', partition, group: 'g' },
  source: 'kafka-group',
  t: v.map((_, i) => i),
  v,
})
const of = (part: Partial<Findings>): Findings => ({ ...emptyFindings('x'), ...part })
const batch = (id: number, committedMs: number | null | undefined, end: number) => ({
  id,
  toOffset: { orders: { '0': end } },
  ...(committedMs === undefined ? {} : { committedMs }),
})

test.each<[string, Findings[], unknown]>([
  ['nobody could tell', [of({})], null],
  [
    'the newest batch that is committed',
    [of({ sightings: [batch(2, 5, 20), batch(1, 4, 10), batch(3, null, 30)] })],
    { orders: { '0': 20 } },
  ],
  ['not a batch of which only the UI knows', [of({ sightings: [batch(1, undefined, 10)] })], null],
  ['a group, by its last answer', [of({ series: [group(0, [5, 7, null]), group(1, [null])] })], { orders: { '0': 7 } }],
  ['a batch before a group', [of({ series: [group(0, [5])] }), of({ sightings: [batch(1, 4, 10)] })], { orders: { '0': 10 } }],
])('%s', (_, findings, committed) => {
  expect(committedOffsets(findings)).toEqual(committed)
})
