import { expect, test } from 'vitest'
import { causes } from '../../src/attribution/causes/index.ts'
import type { EvidencePipeline, Reader, Sink } from '../../src/incident/evidence.ts'
import { canBe, causeWords, wordsFor } from '../../src/report/cause-words.ts'

const pipeline = (kind: Reader['kind'], sink?: Sink): EvidencePipeline => ({
  name: 'orders',
  topics: [],
  reader: { kind },
  ...(sink === undefined ? {} : { sink }),
})

/** The whole catalogue, also what no file of causes/ names yet. */
const catalogue = [
  ['intake_surge', 'hot_partition', 'source_stall', 'upstream_late'],
  ['consumer_parallelism', 'stuck_consumer', 'schema_or_deserialization', 'rebalance_storm', 'rate_cap', 'throttling_quota'],
  ['open_transaction', 'leader_or_isr', 'broker_degraded', 'retention_overrun'],
  ['slow_processing', 'data_skew', 'straggler_host', 'executor_loss', 'memory_gc', 'resource_starvation', 'state_store_growth'],
  ['planning_overhead', 'checkpoint_latency', 'driver_blocking'],
  ['slow_sink', 'watermark_held_back', 'watermark_ran_ahead'],
  ['restart_replay', 'overlap_or_gap', 'rebalance_or_deploy'],
  ['measurement_artifact', 'none', 'unknown'],
].flat()

test('every cause of the catalogue has words, and nothing else has', () => {
  expect(Object.keys(causeWords).sort()).toEqual(catalogue.toSorted())
})

test('every cause that can be named has words', () => {
  expect(causes.map((cause) => cause.name).filter((name) => !Object.hasOwn(causeWords, name))).toEqual([])
})

test('no two causes are called the same', () => {
  const words = Object.values(causeWords)
  expect(new Set(words.map((one) => one.title)).size).toBe(words.length)
  expect(new Set(words.map((one) => one.phrase)).size).toBe(words.length)
})

test.each(Object.entries(causeWords))('%s: a short title, half a sentence, whole sentences', (_, words) => {
  expect(words.title.length).toBeLessThanOrEqual(30)
  expect(words.phrase).toMatch(/^[a-z].*[^.]$/)
  expect(words.next).toMatch(/^[A-Z].*\.$/)
})

test('a cause without words is shown by its name', () => {
  expect(wordsFor('gremlins_at_work')).toMatchObject({ title: 'gremlins at work', phrase: 'gremlins at work' })
  expect(wordsFor('constructor').title).toBe('constructor')
})

test('a plain consumer group is told of members, not of executors, tasks and batches', () => {
  for (const cause of catalogue.filter((one) => canBe(one, pipeline('consumer-group')))) {
    // What belongs to a query of Spark alone is not for a plain group: state, planning, watermarks, shuffles.
    if (['planning_overhead', 'state_store_growth', 'watermark_held_back', 'watermark_ran_ahead', 'data_skew'].includes(cause)) continue
    const { phrase, next } = wordsFor(cause, pipeline('consumer-group', { kind: 'search' }))
    expect(`${phrase} ${next}`, cause).not.toMatch(/executor|task\b|slots allow|table|maxOffsetsPerTrigger/)
  }
  expect(canBe('executor_loss', pipeline('consumer-group'))).toBe(false)
  expect(canBe('executor_loss', pipeline('spark-structured-streaming'))).toBe(true)
})

test.each([
  ['hot_partition', 'consumer-group', 'one member'],
  ['hot_partition', 'spark-structured-streaming', 'one task'],
  ['rate_cap', 'consumer-group', 'max.poll.records'],
  ['rate_cap', 'spark-dstreams', 'maxRatePerPartition'],
  ['rate_cap', 'spark-structured-streaming', 'maxOffsetsPerTrigger'],
] as const)('%s of %s: %s', (cause, kind, says) => {
  expect(wordsFor(cause, pipeline(kind)).next).toContain(says)
})

test('a sink that is no table is not called one', () => {
  expect(wordsFor('slow_sink', pipeline('other', { kind: 'jdbc' })).phrase).toBe('writing to the sink takes longer than before')
  expect(wordsFor('slow_sink', pipeline('other', { kind: 'delta', table: 'a' })).phrase).toContain('table')
  expect(wordsFor('slow_sink', pipeline('other')).phrase).toContain('table')
})
