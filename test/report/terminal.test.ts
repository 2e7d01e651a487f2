import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attribution, Check } from '../../src/attribution/attribution.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { columns } from '../../src/report/wrap.ts'
import type { IncidentKind } from '../build/timeline.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const view = { zone: 'Europe/Berlin', color: false, verbose: false }
const kinds: readonly IncidentKind[] = ['quiet', 'hot_partition', 'intake_surge', 'slow_sink', 'executor_loss', 'source_stall']

test('a hot partition, as a person reads it', () => {
  const timeline = timelineOf({ kind: 'hot_partition', unseen: ['freshness'] })
  expect(renderVerdict(verdictOf('hot_partition', timeline), timeline, view)).toMatchInlineSnapshot(`
    "orders: one partition takes more than its reader can work off
    Partition 3 of orders takes 7.9 times what its peers take.

    Cause     Hot partition, very likely
    Where     topic orders, partition 3
    Since     between 14:01:55 and 14:02:05 (4 min ago)
    Cost      lag 130 k records, 2,180 before the onset; without this cause it would
              be 900
    Complete  orders_bronze is complete up to 14:01:50, held back by partition 3
              (others 14:05)
    Deadline  the table is older than its objective of 2 min since 14:04:00
              (2 min ago)
    Next      Find the key or tenant behind it. More executors do not help: one
              partition is read by one task.

    Pressure: demand is 1.9 times capacity, 0.6 times before
      uneven tasks or waiting  ███████████████████████·······   78 %
      more intake              ███████·······················   24 %
      task time per record     ······························   −2 %

    Why
      + partition 3 takes 480 records/s, its 11 peers 61 records/s each (median);
        before the onset all took between 54 and 66 [1]
      + one task of the source stage takes 31 s, the median 0.4 s, in step with its
        rows [2]
      + 97 % of the lag is on partition 3 [1]

    Against
      − total intake rose too, 1.6 times its baseline
      − lag grew from 400 to 48,312 records

    Ruled out
      × Executors lost: 4 task slots before and now, no executor removed
      × Slow sink: writing takes 0.4 s a batch, as before
      × Source stopped: intake is 1.5 times its baseline

    Not seen
      ? table log (table.freshness_s): table path not configured
        → add "table: /path/of/the/table" to the pipeline

    Check it yourself (read-only)
      [1] kafka-get-offsets --bootstrap-server broker-1:9092 --topic orders --time \\
        latest
        → orders:3 rises by about 4,800 in 10 s, each other partition by about 600
        → orders:3 is 46,900 above offset 212,400 of the newest committed batch
      [2] curl -s \\
        http://driver-1:4040/api/v1/applications/app-20261130130000-0001/stages/\\
    812/0/taskSummary?quantiles=0.5,1.0
        → executorRunTime: [ 400, 31000 ] (ms)

    asked 2026-11-30 14:06:00, times in Europe/Berlin
    "
  `)
})

test('inconclusive names the reading that would decide, and how to get it', () => {
  const timeline = timelineOf({ kind: 'slow_sink', unseen: ['slots'] })
  const verdict = verdictOf('slow_sink', timeline, {
    outcome: 'inconclusive',
    cause: null,
    confidenceWords: null,
    reason: 'tie:slow_sink/slow_processing',
    ranking: [
      ['slow_sink', 0.48],
      ['slow_processing', 0.41],
      ['unknown', 0.05],
    ],
    decidingSignal: 'stage.run_ms against cpu_ms',
    howToDecide: 'let Headwater reach the Spark UI',
    headline: 'it cannot be told yet where pressure began',
  })
  expect(renderVerdict(verdict, timeline, view)).toMatchInlineSnapshot(`
    "orders: inconclusive, slow sink and slower processing explain what was seen
    equally well
    It cannot be told yet where pressure began.

    Suspect   topic orders
    Since     between 14:01:55 and 14:02:05 (4 min ago)
    Cost      lag 68 k records, 2,180 before the onset
              the table orders_bronze got its newest data 44 s ago (objective 2 min)
    Complete  orders_bronze is complete up to 14:01:50, held back by partition 3
              (others 14:05)
    Deadline  the table is older than its objective of 2 min since 14:04:00
              (2 min ago)
    Decides   the run time of the stages against their CPU time
    Get it    let Headwater reach the Spark UI

    Best candidates
      ? Slow sink: writing to the table takes longer than before
      ? Slower processing: each record costs more work than before, on every
        partition

    For the first of them
      + addBatch takes 34 s, of which the tasks compute 1.2 s [1]

    Ruled out
      × Executors lost: 4 task slots before and now, no executor removed
      × Source stopped: intake is 1.5 times its baseline

    Not seen
      ? Spark (executor.slots): the driver UI did not answer within 4 s

    Check it yourself (read-only)
      [1] curl -s \\
        http://driver-1:4040/api/v1/applications/app-20261130130000-0001/\\
    sql?details=false
        → duration of the newest finished execution about 34,000 ms

    asked 2026-11-30 14:06:00, times in Europe/Berlin
    "
  `)
})

test('within baseline says what was looked at', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  expect(renderVerdict(verdictOf('quiet', timeline), timeline, view)).toMatchInlineSnapshot(`
    "orders: nothing here differs from its own baseline
    Nothing is wrong that these signals could show.

    Complete  orders_bronze is complete up to 14:05:54, all partitions alike
    Next      Nothing to do here. If users still see trouble, it begins outside of
              what was looked at.

    Looked at
      · intake: 713 records/s over 12 partitions
      · lag: 3,606 records
      · batches: 120, half of them under 3.9 s of a 5 s trigger
      · scheduling delay: none, every batch began at its trigger
      · executors: 2 executors and 4 task slots
      · table: newest data 1.1 s old (objective 2 min)
      · how far back: intake 1 h

    For it
      + what comes in is read: 720 records/s in, 719 records/s out

    Ruled out
      × Executors lost: 4 task slots before and now, no executor removed
      × Slow sink: writing takes 0.4 s a batch, as before
      × Source stopped: intake is 1.5 times its baseline

    asked 2026-11-30 14:06:00, times in Europe/Berlin
    "
  `)
})

describe('the first screen', () => {
  test.each(kinds)('%s: what, where, since when, how sure and what next within 16 lines', (kind) => {
    const timeline = timelineOf({ kind })
    const first = renderVerdict(verdictOf(kind, timeline), timeline, view).split('\n').slice(0, 16).join('\n')
    expect(first).toContain('orders: ')
    expect(first).toContain('\nNext')
    if (kind === 'quiet') return
    expect(first).toMatch(/\nCause .*very likely/)
    expect(first).toMatch(/\nSince .*ago\)/)
    expect(first).not.toMatch(/\d %.*likely/)
  })
})

test('the zone is named once', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const text = renderVerdict(verdictOf('hot_partition', timeline), timeline, view)
  expect(text.match(/Europe\/Berlin/g)).toHaveLength(1)
  expect(text).toContain('14:06:00')
})

test('times that the engine marked are written in the zone of the reader', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const verdict = verdictOf('quiet', timeline, { headline: `nothing since {at ${timeline.now - 60}}` })
  expect(renderVerdict(verdict, timeline, view)).toContain('Nothing since 14:05:00.')
  expect(renderVerdict(verdict, timeline, { ...view, zone: 'UTC' })).toContain('Nothing since 13:05:00.')
})

test('one command that checks two numbers is printed once, with both', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const text = renderVerdict(verdictOf('hot_partition', timeline), timeline, view)
  expect(text.match(/kafka-get-offsets/g)).toHaveLength(1)
  expect(text.match(/→ orders:3/g)).toHaveLength(2)
})

test('a sentence points at the command that checks its number, what excludes others as well', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const verdict = verdictOf('hot_partition', timeline)
  const check = verdict.supporting[0]?.check as Check
  const ruledOut = [{ cause: 'intake_surge', by: 'the others take 61 records/s', check: { ...check, expect: 'the others as before' } }]
  const text = renderVerdict({ ...verdict, ruledOut }, timeline, view)
  expect(text).toContain('97 % of the lag is on partition 3 [1]')
  expect(text).toContain('Intake surge: the others take 61 records/s [1]')
  expect(text).toMatch(/\[1\] kafka-get-offsets[^[]*→ the others as before/)
  expect(text).toContain('lag grew from 400 to 48,312 records\n')
})

test('commands are few and for what decides; the rest is counted', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const ruledOut = Array.from({ length: 6 }, (_, i) => ({
    cause: `cause_${i}`,
    by: `number ${i}`,
    check: { command: `cat ${i}`, expect: 'x' },
  }))
  const opposing = [{ id: 'o', group: 'o', says: 'little', weight: -0.3, check: { command: 'cat little', expect: 'x' } }]
  const text = renderVerdict(verdictOf('hot_partition', timeline, { ruledOut, opposing }), timeline, view)
  expect(text).toMatch(/\[4\] cat 1\n[^[]*… and 4 more \(--verbose\)/)
  expect(text).toContain('number 1 [4]')
  expect(text).toContain('number 2\n')
  expect(text).not.toContain('cat little')
})

test('a file that a command needs is named once, before what it shows', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const needs = 'client.properties: a file of yours'
  const checked = ['a', 'b'].map((id) => ({
    id,
    group: id,
    says: id,
    weight: 2,
    check: { command: `kafka ${id}`, expect: `see ${id}`, needs },
  }))
  const text = renderVerdict(verdictOf('hot_partition', timeline, { supporting: checked, opposing: [] }), timeline, view)
  expect(text).toContain('  [1] kafka a\n    → client.properties: a file of yours\n    → see a\n  [2] kafka b\n    → see b\n')
})

test('gaps of one reason are said once, with the line that mends them', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const reason = 'not authorised'
  const gaps = ['partition.log_end_offset', 'partition.log_start_offset'].map((signal) => ({
    source: 'kafka',
    signal,
    reason,
    mend: 'kafka-acls --add …',
  }))
  const text = renderVerdict(
    verdictOf('quiet', timeline, { gaps: [...gaps, { source: 'spark', signal: null, from: 60, to: 120, reason: 'slow' }] }),
    timeline,
    view,
  )
  expect(text).toContain('Kafka (partition.log_end_offset and partition.log_start_offset): not')
  expect(text.match(/kafka-acls/g)).toHaveLength(1)
  expect(text).toContain('Spark, 13:07:00 to 13:08:00: slow')
})

test('a bundle with a thousand gaps leaves room for the verdict', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const gaps = Array.from({ length: 1000 }, (_, i) => ({ source: `source-${i}`, signal: null, reason: `reason ${i}` }))
  const names = Array.from({ length: 1000 }, (_, i) => ({ source: 'one', signal: `signal-${i}`, reason: 'not exported' }))
  const text = renderVerdict(verdictOf('quiet', timeline, { gaps: [...names, ...gaps] }), timeline, view)
  expect(text).toMatch(/signal-6\s+and 993 more\): not exported/)
  expect(text).toContain('… and 989 more (--verbose)')
  expect(text.split('\n').length).toBeLessThan(60)
})

describe('inconclusive', () => {
  const timeline = timelineOf({ kind: 'slow_sink' })
  const undecided = (more: Partial<Attribution>) =>
    renderVerdict(
      verdictOf('slow_sink', timeline, { outcome: 'inconclusive', cause: null, reason: 'unexplained', ...more }),
      timeline,
      view,
    )
  const nothing = { supporting: [], opposing: [] }

  test('what nothing speaks for is no suspect and no candidate', () => {
    const text = undecided({
      ...nothing,
      ranking: [
        ['slow_sink', 0.2],
        ['intake_surge', 0.1],
      ],
    })
    expect(text).not.toContain('Best candidates')
    expect(text).not.toContain('Suspect')
  })

  test('calm is no candidate of an incident: what was seen speaks for it or against it', () => {
    const says = (text: string, weight: number) => [{ id: text, group: text, says: text, weight }]
    const text = undecided({
      ranking: [
        ['none', 0.5],
        ['slow_sink', 0.1],
      ],
      supporting: says('Records arrive.', 1),
      opposing: says('A batch took 55 s.', -2),
    })
    expect(text).toContain('\nLooks normal\n  + Records arrive.\n\nLooks wrong\n  − A batch took 55 s.\n')
    expect(text).not.toContain('Best candidates')
  })

  test('what was ruled out is no candidate either', () => {
    expect(
      undecided({
        ranking: [
          ['slow_sink', 0.6],
          ['intake_surge', 0.04],
        ],
      }),
    ).not.toContain('Intake surge: ')
  })
})

test('the place is told by what is done there', () => {
  const timeline = timelineOf({ kind: 'slow_sink' })
  const where = (phase: string) => renderVerdict(verdictOf('slow_sink', timeline, { place: { ...nowhere, phase } }), timeline, view)
  expect(where('sink')).toMatch(/\nWhere +writing to the sink\n/)
  expect(where('processing')).toMatch(/\nWhere +the work on records\n/)
  expect(where('walCommit')).toMatch(/\nWhere +phase walCommit\n/)
})

test('one of a kind is no plural', () => {
  const timeline = timelineOf({ kind: 'quiet' })
  const one = { t: [timeline.now], v: [1] }
  const batches = timeline.batches.filter((batch) => !batch.open).slice(-1)
  const text = renderVerdict(verdictOf('quiet', timeline), { ...timeline, slots: one, executors: one, batches }, view)
  expect(text).toContain('executors: 1 executor and 1 task slot\n')
  expect(text).toMatch(/batches: 1, it took [\d.]+ s of a 5 s trigger\n/)
})

test('what is left out is counted, and shown when asked for', () => {
  const timeline = timelineOf({ kind: 'hot_partition' })
  const ruledOut = Array.from({ length: 9 }, (_, i) => ({ cause: `cause_${i}`, by: `number ${i}` }))
  const verdict = verdictOf('hot_partition', timeline, { ruledOut })
  expect(renderVerdict(verdict, timeline, view)).toContain('… and 3 more (--verbose)')
  const all = renderVerdict(verdict, timeline, { ...view, verbose: true })
  expect(all).toContain('cause 8: number 8')
  expect(all).not.toContain('more (--verbose)')
  expect(all).toContain('All candidates, best first')
})

test('colour changes nothing but colour', () => {
  const timeline = timelineOf({ kind: 'hot_partition', unseen: ['slots'] })
  const verdict = verdictOf('hot_partition', timeline)
  const plain = renderVerdict(verdict, timeline, view)
  const colored = renderVerdict(verdict, timeline, { ...view, color: true })
  expect(colored).not.toBe(plain)
  expect(colored.replace(/\p{Cc}\[[\d;]*m/gu, '')).toBe(plain)
})

describe('whatever others wrote', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 260 }),
    fc.constantFrom('x'.repeat(249), '\u001b[31mred\u001b[0m\nsecond line', '注文'.repeat(80), "it's; rm -rf /", '🔥'.repeat(60)),
  )

  test('no line is wider than the terminal, and nothing in it is obeyed', () => {
    fc.assert(
      fc.property(
        name,
        name,
        fc.constantFrom(40, 80, 120),
        fc.constantFrom(...kinds),
        fc.boolean(),
        (topic, words, width, kind, verbose) => {
          const timeline = {
            ...timelines[kind],
            pipeline: { ...timelines[kind].pipeline, name: topic, sink: { kind: 'delta', table: topic } },
          }
          const verdict = verdictOf(kind, timeline, {
            place: { ...nowhere, topic, executor: words },
            headline: words,
            supporting: [{ id: 'a', group: 'a', says: words, weight: 1, check: { command: `cat ${topic}`, expect: words } }],
            ruledOut: [{ cause: words, by: topic }],
            also: [words],
            consequences: [{ cause: words, of: topic, share: 0.1 }],
            gaps: [{ source: topic, signal: words, reason: words, mend: topic }],
            pressure: { [topic]: 1 },
            pressureNow: 0.5,
          })
          const lines = renderVerdict(verdict, timeline, { ...view, width, verbose }).split('\n')
          for (const line of lines) {
            expect(columns(line)).toBeLessThanOrEqual(width)
            expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  const timelines = Object.fromEntries(kinds.map((kind) => [kind, timelineOf({ kind, lengthS: 120, agoS: 60 })])) as Record<
    IncidentKind,
    ReturnType<typeof timelineOf>
  >
})
