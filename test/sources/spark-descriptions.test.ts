/** Descriptions as Spark 3.5 to 4.2 and Delta write them, and as users spoil them. */
import { describe, expect, test } from 'vitest'
import { isDStreamsDescription, parseDescription, rootExecutionOf } from '../../src/sources/spark-descriptions.ts'
import { parseJobs } from '../../src/sources/spark-jobs.ts'
import dstreams from '../fixtures/spark/rest-4.2.0-dstreams.json' with { type: 'json' }

const id = '280f01cd-e6e1-42a6-9ebf-eb9ed5b61cd4'
const run = '1ff47fce-6721-4467-a71b-2c02e0dcac92'
const text = (name: string, tail: string): string => `${name}\nid = ${id}\nrunId = ${run}\n${tail}`

describe('batches', () => {
  test.each<[string, string, { query: string | null; batch: number | null; about: string | null }]>([
    ['a batch', text('orders', 'batch = 17'), { query: 'orders', batch: 17, about: null }],
    [
      'Delta inside a batch (T2)',
      text('Delta: orders', 'batch = 17: Compute snapshot for version: 16'),
      { query: 'orders', batch: 17, about: 'Compute snapshot for version: 16' },
    ],
    ['before the first batch', text('orders', 'batch = init'), { query: 'orders', batch: null, about: null }],
    ['a query without a name', text('', 'batch = 3'), { query: null, batch: 3, about: null }],
    [
      'Delta inside a batch of such a query',
      text('Delta: ', 'batch = 3: Filtering files for query'),
      { query: null, batch: 3, about: 'Filtering files for query' },
    ],
    ['a query that is called so', text('Delta: mine', 'batch = 3'), { query: 'Delta: mine', batch: 3, about: null }],
    ['a name with odd signs', text('orders (v2): batch = 9', 'batch = 4'), { query: 'orders (v2): batch = 9', batch: 4, about: null }],
    ['text behind the batch', text('orders', 'batch = 17\nmore'), { query: 'orders', batch: 17, about: null }],
  ])('%s', (_, description, expected) => {
    expect(parseDescription(description)).toEqual({ ...expected, queryId: id, run })
  })

  test.each([
    ['nothing', undefined],
    ['empty', ''],
    ['another job', 'count at Report.scala:12'],
    ['a number that is none', text('orders', 'batch = seventeen')],
    ['a number too large to be exact', text('orders', 'batch = 99999999999999999999')],
    ['text glued to the number', text('orders', 'batch = 17b')],
    ['no run', `orders\nid = ${id}\nbatch = 17`],
  ])('none: %s', (_, description) => {
    expect(parseDescription(description)).toBeNull()
  })
})

test('the root execution stands in the tags of Spark 4', () => {
  expect(rootExecutionOf(['spark-session-168f8c0f', 'spark-session-168f8c0f-execution-root-id-70'])).toBe(70)
  expect(rootExecutionOf(['mine', 'spark-session-168f8c0f'])).toBeNull()
  expect(rootExecutionOf([])).toBeNull()
})

test('DStreams are recognised as what they are', () => {
  const jobs = parseJobs(dstreams.jobs) ?? []
  expect(jobs.length).toBeGreaterThan(0)
  expect(jobs.every((job) => job.dstreams && job.label === null)).toBe(true)
  expect(isDStreamsDescription(text('orders', 'batch = 17'))).toBe(false)
})
