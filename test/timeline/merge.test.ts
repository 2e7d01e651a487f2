import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Series } from '../../src/incident/evidence.ts'
import type { BatchSighting, Findings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import type { Asked } from '../../src/timeline/merge.ts'
import { mergeFindings } from '../../src/timeline/merge.ts'

const ZERO = 1_796_000_000

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders',
  kafka: { brokers: ['127.0.0.1:9092'], clientId: 'headwater', tls: false, sasl: null },
  spark: 'http://127.0.0.1:4040',
  query: null,
  checkpoint: '/checkpoint',
  eventLog: null,
  table: '/tables/orders_bronze/',
  group: null,
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: 120, lagSeconds: null },
}

const asked: Asked = { pipeline, askedAtMs: (ZERO + 3600) * 1000, fromMs: ZERO * 1000, toMs: (ZERO + 3600) * 1000 }

function found(source: string, part: Partial<Findings> = {}): Findings {
  return {
    source,
    series: [],
    sightings: [],
    commits: [],
    events: [],
    gaps: [],
    clocks: [],
    topics: [],
    reader: {},
    sink: {},
    traffic: [],
    ...part,
  }
}

function series(t: readonly number[], v: readonly (number | null)[], part: Partial<Series> = {}): Series {
  return { signal: 'partition.log_end_offset', entity: { topic: 'orders', partition: 3 }, source: 'kafka', t, v, ...part }
}

describe('one axis', () => {
  test('all times are seconds since window.from, to the millisecond', () => {
    const evidence = mergeFindings(
      [
        found('kafka', {
          series: [series([ZERO + 10.0004, ZERO + 20.25], [5, null])],
          events: [{ at: ZERO + 33.1, kind: 'leader_change', source: 'kafka', seen: ZERO + 40 }],
          gaps: [{ source: 'kafka', signal: null, from: ZERO, to: ZERO + 60, reason: 'timed out' }],
        }),
        found('delta', {
          commits: [
            { version: 90, at: ZERO + 44.8, kind: 'data', rows: 7, batch_id: 3, max_event_time: ZERO + 38.5, min_event_time: null },
          ],
        }),
      ],
      asked,
    )
    expect(evidence.series[0]).toMatchObject({ t: [10, 20.25], v: [5, null] })
    expect(evidence.events).toEqual([{ at: 33.1, kind: 'leader_change', source: 'kafka', seen: 40 }])
    expect(evidence.gaps).toEqual([{ source: 'kafka', signal: null, from: 0, to: 60, reason: 'timed out' }])
    expect(evidence.commits).toEqual([
      { version: 90, at: 44.8, kind: 'data', rows: 7, batch_id: 3, max_event_time: 38.5, min_event_time: null },
    ])
    expect(evidence).toMatchObject({
      asked_at: '2026-11-30T01:53:20.000Z',
      window: { from: '2026-11-30T00:53:20.000Z', to: '2026-11-30T01:53:20.000Z' },
    })
  })

  test.each(['partition.complete_to', 'partition.event_time_max', 'event_time.watermark'])('the values of %s are times, too', (signal) => {
    const evidence = mergeFindings([found('kafka', { series: [series([ZERO + 10], [ZERO + 4.5], { signal })] })], asked)
    expect(evidence.series[0]?.v).toEqual([4.5])
  })

  test('reads of running tasks move with the rest', () => {
    const sighting: BatchSighting = {
      id: 1,
      sqlStartMs: ZERO * 1000,
      sqlRunning: true,
      stages: [{ id: 1, running: true, seen_at: ZERO + 9, running_tasks: [{ ms: 5, reads: [[ZERO + 8.5, 116]] }] }],
    }
    const evidence = mergeFindings([found('spark', { sightings: [sighting] })], asked)
    expect(evidence.batches[0]?.stages).toEqual([{ id: 1, running: true, seen_at: 9, running_tasks: [{ ms: 5, reads: [[8.5, 116]] }] }])
  })
})

describe('overlap without duplicates', () => {
  test('two windows of one series are one; an answer is better than none', () => {
    const evidence = mergeFindings(
      [
        found('kafka', { series: [series([ZERO, ZERO + 10, ZERO + 20], [1, 2, null])] }),
        found('kafka', { series: [series([ZERO + 10, ZERO + 20, ZERO + 30], [2, 3, 4])] }),
      ],
      asked,
    )
    expect(evidence.series).toEqual([series([0, 10, 20, 30], [1, 2, 3, 4])])
  })

  test.each([
    ['clock', { clock: 'record' as const }],
    ['source', { source: 'prometheus' }],
    ['signal', { signal: 'partition.log_start_offset' }],
    ['entity', { entity: { topic: 'orders', partition: 4 } }],
  ])('series that differ in %s stay two', (_, part) => {
    expect(mergeFindings([found('kafka', { series: [series([ZERO], [1]), series([ZERO], [1], part)] })], asked).series).toHaveLength(2)
  })

  test('the order of an entity’s keys does not matter', () => {
    expect(
      mergeFindings(
        [found('kafka', { series: [series([ZERO], [1]), series([ZERO + 1], [1], { entity: { partition: 3, topic: 'orders' } })] })],
        asked,
      ).series,
    ).toHaveLength(1)
  })

  test('an event seen at two looks is one, learned of at the first', () => {
    const event = { at: ZERO + 5, kind: 'executor_removed', text: 'exit code 137', source: 'spark' }
    const evidence = mergeFindings(
      [found('spark', { events: [{ ...event, seen: ZERO + 9 }] }), found('spark', { events: [{ ...event, seen: ZERO + 7 }] })],
      asked,
    )
    expect(evidence.events).toEqual([{ ...event, at: 5, seen: 7 }])
  })

  test('a commit read twice is one; the same gap said twice is one', () => {
    const commit = { version: 4, at: ZERO + 5, kind: 'data' as const }
    const gap = { source: 'spark', signal: null, reason: 'not configured' }
    const evidence = mergeFindings(
      [
        found('delta', { commits: [{ ...commit, rows: null }], gaps: [gap] }),
        found('delta', { commits: [{ ...commit, rows: 8 }], gaps: [gap] }),
      ],
      asked,
    )
    expect(evidence.commits).toEqual([{ ...commit, at: 5, rows: 8 }])
    expect(evidence.gaps).toEqual([gap])
  })

  const pointsOf = (seriesList: readonly Series[]) => seriesList.flatMap((s) => s.t.map((t, i) => `${s.signal} ${t} ${s.v[i]}`))
  const anySeries = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.option(fc.integer({ min: 0, max: 9 }))), { maxLength: 12 })
    .map((points) =>
      series(
        points.map(([t]) => ZERO + t),
        points.map(([, v]) => v),
      ),
    )
  const anyFindings = fc.array(
    fc
      .record({
        source: fc.constantFrom('kafka', 'spark', 'delta', 'prometheus'),
        series: fc.array(anySeries, { maxLength: 3 }),
        sightings: fc.array(
          fc.record({
            id: fc.integer({ min: 1, max: 4 }),
            committedMs: fc.integer({ min: ZERO * 1000, max: ZERO * 1000 + 9000 }),
            plannedAtMs: fc.integer({ min: ZERO * 1000, max: ZERO * 1000 + 9000 }),
          }),
          { maxLength: 4 },
        ),
        commits: fc.array(
          fc.record({
            version: fc.integer({ min: 1, max: 4 }),
            at: fc.constantFrom(ZERO + 1, ZERO + 2),
            kind: fc.constant('data' as const),
            batch_id: fc.option(fc.integer({ min: 1, max: 4 })),
          }),
          { maxLength: 3 },
        ),
        events: fc.array(
          fc.record({
            at: fc.constantFrom(ZERO + 1, ZERO + 2),
            kind: fc.constantFrom('note', 'alert'),
            seen: fc.constantFrom(ZERO + 3, ZERO + 4),
          }),
          { maxLength: 3 },
        ),
        gaps: fc.array(
          fc.record({
            source: fc.constantFrom('a', 'b'),
            signal: fc.constant(null),
            reason: fc.constantFrom('x', 'y'),
            from: fc.constantFrom(ZERO, ZERO + 1),
          }),
          { maxLength: 3 },
        ),
        clocks: fc.array(fc.record({ source: fc.constantFrom('a', 'b'), skew_bound_s: fc.integer({ min: 0, max: 4 }) }), { maxLength: 2 }),
        topics: fc.array(fc.record({ name: fc.constantFrom('orders', 'x'), partitions: fc.integer({ min: 1, max: 3 }) }), { maxLength: 2 }),
        reader: fc.record({ slots: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] }),
      })
      .map(({ source, ...part }) => found(source, part)),
    { maxLength: 5 },
  )
  const shuffledTwice = anyFindings.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
  )

  test('neither order nor repetition of findings changes a byte', () => {
    fc.assert(
      fc.property(shuffledTwice, ([once, again]) => {
        expect(JSON.stringify(mergeFindings(again, asked))).toBe(JSON.stringify(mergeFindings(once, asked)))
      }),
      { numRuns: 200 },
    )
  })

  test('however a series is cut into overlapping windows, nothing is lost and nothing is twice', () => {
    const cut = fc.tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 20 }),
    )
    fc.assert(
      fc.property(cut, ([times, slide, overlap]) => {
        const t = times.toSorted((a, b) => a - b).map((at) => ZERO + at)
        const windows: Findings[] = []
        for (let from = 0; from < t.length; from += slide) {
          const part = t.slice(Math.max(0, from - overlap), from + slide)
          windows.push(
            found('kafka', {
              series: [
                series(
                  part,
                  part.map((at) => at - ZERO),
                ),
              ],
            }),
          )
        }
        const whole = mergeFindings(
          [
            found('kafka', {
              series: [
                series(
                  t,
                  t.map((at) => at - ZERO),
                ),
              ],
            }),
          ],
          asked,
        )
        expect(pointsOf(mergeFindings(windows.toReversed(), asked).series)).toEqual(pointsOf(whole.series))
      }),
      { numRuns: 150 },
    )
  })
})

describe('batches and commits', () => {
  const batch = (id: number): BatchSighting => ({
    id,
    query: 'q',
    plannedAtMs: (ZERO + id * 4) * 1000,
    committedMs: (ZERO + id * 4 + 1) * 1000,
    toOffset: { orders: { '0': id * 10 } },
  })

  test('a commit that carries the number of a batch is that batch’s', () => {
    const commits = [
      { version: 88, at: ZERO + 5, kind: 'data' as const, batch_id: 1 },
      { version: 89, at: ZERO + 6, kind: 'optimize' as const, batch_id: null },
      { version: 90, at: ZERO + 9, kind: 'data' as const, batch_id: 2 },
    ]
    const evidence = mergeFindings([found('checkpoint', { sightings: [batch(1), batch(2), batch(3)] }), found('delta', { commits })], asked)
    expect(evidence.batches.map((b) => b.commit_version)).toEqual([88, 90, null])
  })

  test('a table that is ahead of the checkpoint: it was rolled back', () => {
    const commits = [{ version: 130, at: ZERO + 9, kind: 'data' as const, batch_id: 120 }]
    const evidence = mergeFindings([found('checkpoint', { sightings: [batch(1), batch(2)] }), found('delta', { commits })], asked)
    expect(evidence.events).toMatchObject([{ kind: 'offsets_reset', text: expect.stringContaining('rolled back') }])
    const near = mergeFindings(
      [
        found('checkpoint', { sightings: [batch(1), batch(2)] }),
        found('delta', { commits: [{ version: 4, at: ZERO, kind: 'data', batch_id: 4 }] }),
      ],
      asked,
    )
    expect(near.events).toEqual([])
  })

  test('the checkpoint of one query beside the UI of another is a gap', () => {
    const other: BatchSighting = { id: 900, query: 'r', run: 'x', sqlStartMs: (ZERO + 9) * 1000, sqlDurationMs: 5, sqlRunning: false }
    const evidence = mergeFindings(
      [found('checkpoint', { sightings: [batch(1), batch(2)] }), found('spark', { sightings: [other] })],
      asked,
    )
    expect(evidence.batches.map((b) => b.id)).toEqual([1, 2])
    expect(evidence.gaps[0]?.reason).toContain('different queries')
  })
})

describe('the pipeline', () => {
  test('where a person can look, without a login', () => {
    const login = {
      ...pipeline,
      spark: 'http://u:s3cret@driver:4040',
      checkpoint: 's3a://k:s3cret@bucket/ckpt',
      table: 's3a://k:s3cret@bucket/table',
    }
    const evidence = mergeFindings([], { ...asked, pipeline: login })
    expect(evidence.pipeline.look).toMatchObject({
      spark: 'http://driver:4040',
      checkpoint: 's3a://bucket/ckpt',
      table: 's3a://bucket/table',
    })
  })

  test.each([
    [false, null, {}],
    [true, null, { security_protocol: 'SSL' }],
    [true, 'scram-sha-512', { security_protocol: 'SASL_SSL', sasl_mechanism: 'SCRAM-SHA-512' }],
    [false, 'plain', { security_protocol: 'SASL_PLAINTEXT', sasl_mechanism: 'PLAIN' }],
  ] as const)("how Kafka's own tools get in, TLS %s and SASL %s, without the login", (tls, mechanism, secured) => {
    const sasl = mechanism === null ? null : { mechanism, username: 'headwater', password: 's3cret' }
    const kafka = { ...pipeline.kafka, tls, sasl }
    const { look } = mergeFindings([], { ...asked, pipeline: { ...pipeline, kafka } }).pipeline
    expect({ security_protocol: look?.security_protocol, sasl_mechanism: look?.sasl_mechanism }).toEqual(secured)
    expect(JSON.stringify(look)).not.toMatch(/s3cret|"headwater"/)
  })

  test('what the sources know of it, and what the owners declare', () => {
    const declared = { ...pipeline, declared: { triggerSeconds: 10, maxOffsetsPerTrigger: 5000 } }
    const evidence = mergeFindings(
      [
        found('kafka', { topics: [{ name: 'orders', partitions: 12, timestamp_type: 'CreateTime' }], reader: { query: 'from-kafka' } }),
        found('checkpoint', { topics: [{ name: 'orders', partitions: 11 }], reader: { kind: 'spark-structured-streaming' } }),
        found('spark-ui', { reader: { query: 'orders-to-delta', slots: 4 } }),
      ],
      { ...asked, pipeline: declared },
    )
    expect(evidence.pipeline).toEqual({
      name: 'orders',
      look: { bootstrap: '127.0.0.1:9092', spark: 'http://127.0.0.1:4040', checkpoint: '/checkpoint', table: '/tables/orders_bronze/' },
      topics: [{ name: 'orders', partitions: 12, timestamp_type: 'CreateTime' }],
      reader: {
        kind: 'spark-structured-streaming',
        query: 'orders-to-delta',
        slots: 4,
        trigger_s: 10,
        trigger_from: 'declared',
        max_offsets_per_trigger: 5000,
      },
      sink: { kind: 'delta', table: 'orders_bronze' },
      objective: { freshness_s: 120 },
    })
  })

  test('nothing seen at all is still evidence', () => {
    const evidence = mergeFindings([], {
      ...asked,
      pipeline: { ...pipeline, spark: null, checkpoint: null, table: null, group: 'g' },
      reported: 'lag',
    })
    expect(evidence.pipeline.reader).toEqual({ kind: 'consumer-group', group: 'g' })
    expect(evidence).toMatchObject({ reported: 'lag', series: [], batches: [], commits: [] })
  })
})
