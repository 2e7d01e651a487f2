/** What the owners declare goes into the bundle and comes back: a replay proposes what was proposed live. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tried } from '../../src/incident/incident.ts'
import type { Declared, Pipeline } from '../../src/incident/pipeline.ts'
import { declaredIn } from '../../src/proposal/declared.ts'
import { groundsOf } from '../../src/proposal/grounds.ts'
import { propose } from '../../src/proposal/propose.ts'
import { maxOffsetsPerTrigger, minPartitions } from '../../src/proposal/settings.ts'
import { readBundle, writeBundle } from '../../src/sources/bundle.ts'
import { mergeFindings } from '../../src/timeline/merge.ts'
import { changing, lookAt, lookOf, msAt, proposed } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders',
  kafka: { brokers: ['127.0.0.1:9092'], clientId: 'headwater', tls: false, sasl: null },
  spark: 'http://127.0.0.1:4040',
  query: null,
  checkpoint: '/checkpoint',
  eventLog: null,
  table: null,
  group: null,
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: null, lagSeconds: null },
}

const option = fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined })
const declarations = fc
  .record({
    triggerSeconds: fc.option(fc.constantFrom(0, 1, 5, 60)),
    maxOffsetsPerTrigger: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
    minPartitions: option,
    maxRecordsPerPartition: option,
  })
  .map(
    ({ minPartitions, maxRecordsPerPartition, ...rest }): Declared => ({
      ...rest,
      ...(minPartitions === undefined ? {} : { minPartitions }),
      ...(maxRecordsPerPartition === undefined ? {} : { maxRecordsPerPartition }),
    }),
  )

test('law: every declaration comes back from the bundle as it was', () => {
  fc.assert(
    fc.property(declarations, (declared) => {
      const asked = { pipeline: { ...pipeline, declared }, askedAtMs: 3_600_000, fromMs: 0, toMs: 3_600_000 }
      expect(declaredIn(readBundle(writeBundle(mergeFindings([], asked))))).toEqual(declared)
    }),
  )
})

describe('the value before a change says where it comes from', () => {
  const hot: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }
  const split: Motion = { ...hot, minPartitions: () => 9 }
  /** As a bundle that was written and read again. */
  const replayed = (motion: Motion, reader: Readonly<Record<string, number>> = {}) => {
    const evidence = evidenceOf(motion)
    const told = { ...evidence, pipeline: { ...evidence.pipeline, reader: { ...evidence.pipeline.reader, ...reader } } }
    return lookOf(readBundle(writeBundle(told)))
  }
  const from = (look: ReturnType<typeof lookOf>) => proposed(propose(look, declaredIn(look.evidence))).action.from

  test('inferred: each partition has one task', () => {
    expect(from(replayed(hot))).toMatchObject({ value: null, provenance: 'inferred' })
  })

  test('declared: something divides partitions, and only the configuration tells what', () => {
    expect(propose(replayed(split), declaredIn(replayed(split).evidence))).toMatchObject({ kind: 'refusal' })
    expect(from(replayed(split, { min_partitions: 9 }))).toMatchObject({ value: 9, provenance: 'declared' })
  })

  test('read: the Spark UI lists the executors', () => {
    expect(from(replayed({ rate: (_, t) => changing(50, 125)(t) }))).toMatchObject({ value: 2, provenance: 'read' })
  })

  test('set in this incident: the batches since show it, whatever the configuration still says', () => {
    const appliedAtMs = msAt(3000)
    const declared: Declared = { triggerSeconds: null, maxOffsetsPerTrigger: 2000, minPartitions: 0 }
    const split = lookAt({ ...hot, minPartitions: () => 16, startedAt: 3000 })
    const tried: Tried = { knob: 'minPartitions', to: 16, appliedAtMs, outcome: 'moved' }
    expect(minPartitions(groundsOf(split, declared, [tried]))).toEqual({
      value: 16,
      provenance: 'inferred',
      how: 'set as proposed before, and the newest batch has 16 tasks, as that gives',
    })
    expect(minPartitions(groundsOf(split, declared, [{ ...tried, to: 24 }]))).toMatchObject({ value: null, provenance: 'declared' })

    const capped = lookAt({ rate: () => 90, cap: 3000, startedAt: 3000 })
    const raised: Tried = { knob: 'maxOffsetsPerTrigger', to: 3000, appliedAtMs, outcome: 'moved' }
    expect(maxOffsetsPerTrigger(groundsOf(capped, declared, [raised]))).toMatchObject({ value: 3000, provenance: 'inferred' })
    expect(maxOffsetsPerTrigger(groundsOf(capped, declared, []))).toMatchObject({ unknown: true })
  })
})
