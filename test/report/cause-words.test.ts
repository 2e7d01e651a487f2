import { expect, test } from 'vitest'
import { causes } from '../../src/attribution/causes/index.ts'
import { causeWords, wordsFor } from '../../src/report/cause-words.ts'

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
