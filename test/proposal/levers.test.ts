/** Levers for causes that are named by hand here: what a cap, memory, a group or a broker would get. */
import { describe, expect, test } from 'vitest'
import type { Series } from '../../src/incident/evidence.ts'
import { propose } from '../../src/proposal/propose.ts'
import { changing, lookAt, lookOf, named, proposed, undeclared, withSeries } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { remedyText } from '../build/remedy-text.ts'

const gauge = (signal: string, value: number, entity: Series['entity'] = {}): Series => ({
  signal,
  entity,
  source: 'test',
  t: [3599],
  v: [value],
})

/** 400 → 700 records/s, of which a cap takes 2,000 every 5 s; such a batch takes 2.9 s. */
const capped: Motion = { rate: (_, t) => changing(50, 87.5, 3400)(t), cap: 2000 }

describe('a cap that holds a reader with time to spare', () => {
  test('is inferred from batches that are pinned and leave records behind, and raised within the trigger', () => {
    const { action, arithmetic, expects } = proposed(propose(named(lookAt(capped), 'rate_cap'), undeclared))
    expect([action.knob, action.from.value, action.from.provenance]).toEqual(['maxOffsetsPerTrigger', 2000, 'inferred'])
    expect(action.from.how).toMatch(/^the last \d+ batches took (1,99\d to )?2,000 records each and left [\d,]+ in the log$/)
    // (0.95 x 5 − 0.87) / 1 ms = 3,870 records fit; twice 2,000 is the step, so the trigger holds it
    expect(action.to).toBeGreaterThan(3700)
    expect(action.to).toBeLessThanOrEqual(4000)
    expect(arithmetic[0]).toMatch(/^now: 2,000 records a batch are 400 records\/s, while 70\d records\/s arrive$/)
    expect(expects[0]).toMatchObject({ signal: 'reader.flow_ratio', located: true })
  })

  test('is not raised where memory is short: the same batches, more often', () => {
    const look = named(lookOf(withSeries(evidenceOf(capped), gauge('executor.heap_share', 0.8))), 'rate_cap')
    const { action, arithmetic } = proposed(propose(look, undeclared))
    expect([action.knob, action.from.value, action.to]).toEqual(['triggerInterval', 5, 3.5])
    expect(arithmetic[2]).toBe('that is 2,000 / 3.5 s = 571 records/s, with batches as large as now')
    expect(arithmetic[3]).toMatch(/^even so the lag grows by 1\d\d records\/s, 30\d records\/s before$/)
  })

  test('that twice as much would not satisfy is raised all the same, and what is left of the growth is said', () => {
    const wide: Motion = { rate: (_, t) => changing(50, 125, 3400)(t), cap: 1000, perRecordMs: () => 1 }
    const proposal = proposed(propose(named(lookAt(wide), 'rate_cap'), { ...undeclared, maxOffsetsPerTrigger: 1000 }))
    expect([proposal.action.from.provenance, proposal.action.to]).toEqual(['declared', 2000])
    expect(proposal.arithmetic.at(-1)).toMatch(/^even so the lag grows by 6\d\d records\/s, 8\d\d records\/s before: a second step follows/)
    expect(proposal.expects.at(-1)).toMatchObject({
      signal: 'reader.lag_growth',
      says: expect.stringMatching(/^lag: it still grows, by 6\d\d records\/s$/),
    })
  })

  test('is not denied where batches of one size may be a steady intake: nobody else saw the log', () => {
    const remedy = propose(named(lookAt({ without: ['kafka'] }), 'rate_cap'), undeclared)
    expect(remedy).toMatchObject({ kind: 'refusal', needs: 'add "max_offsets_per_trigger: <its maxOffsetsPerTrigger>" to the pipeline' })
  })

  test('that cannot be told is asked for', () => {
    const evidence = evidenceOf(capped)
    const blind = { ...evidence, batches: evidence.batches.map(({ to_offset: _to, from_offset: _from, ...batch }) => batch) }
    const remedy = propose(named(lookOf(blind), 'rate_cap'), undeclared)
    if (remedy.kind !== 'refusal') throw new Error('no refusal')
    expect(remedy.needs).toBe('add "max_offsets_per_trigger: <its maxOffsetsPerTrigger>" to the pipeline')
  })
})

test('tasks that maxRecordsPerPartition cuts already are cut smaller, where the owners say that it is set', () => {
  // 990 records/s in one partition: 4,950 a trigger, two tasks of 10 s on four slots; four of 5 s are all that one step allows.
  const hot = named(lookAt({ rate: (p, t) => (p === 3 ? changing(50, 990)(t) : 50), minPartitions: () => 9 }), 'hot_partition', {
    partitions: [3],
  })
  const { action, arithmetic } = proposed(propose(hot, { ...undeclared, minPartitions: 0, maxRecordsPerPartition: 2500 }))
  expect([action.knob, action.from.value, action.from.provenance, action.to]).toEqual(['maxRecordsPerPartition', 2500, 'declared', 1250])
  expect(arithmetic.join('\n')).toMatch(/with at most 1,250 records a task: \d+ tasks, the longest 5(\.\d)? s/)
  expect(arithmetic.join('\n')).toContain('one step at most halves a setting')
})

describe('batches that fill the heap', () => {
  test('are made smaller by at most half, and a cap that makes the lag grow says by how much', () => {
    const surge: Motion = { rate: (_, t) => changing(50, 200)(t) }
    const look = named(
      lookOf(withSeries(evidenceOf(surge), gauge('executor.heap_share', 0.9), gauge('executor.gc_share', 0.4, { executor: '0' }))),
      'memory_gc',
    )
    const { action, arithmetic, willNotFix } = proposed(propose(look, undeclared))
    expect([action.knob, action.from.value]).toEqual(['maxOffsetsPerTrigger', null])
    expect(arithmetic.join('\n')).toMatch(/a cap at this size takes .* arrive: the lag grows by .* as long as that much arrives/)
    expect(willNotFix).toContain('the lag: it grows until less arrives')
  })
})

describe('a plain consumer group', () => {
  /** 8 partitions; the group reads 400 of 500 records/s with two members. */
  function group(members: number, behind = 8) {
    const evidence = evidenceOf({ rate: () => 62.5, without: ['spark', 'checkpoint', 'delta'] })
    const t = Array.from({ length: 61 }, (_, i) => 3300 + i * 5)
    const committed = Array.from({ length: 8 }, (_, partition): Series => {
      const rate = partition < behind ? 50 : 62.5
      return {
        signal: 'partition.committed_offset',
        entity: { topic: 'orders', partition, group: 'etl' },
        source: 'kafka',
        t,
        v: t.map((at) => 62.5 * 3300 + (at - 3300) * rate),
      }
    })
    const reader = { kind: 'consumer-group', group: 'etl' } as const
    return lookOf(
      withSeries(
        { ...evidence, pipeline: { ...evidence.pipeline, reader } },
        ...committed,
        gauge('group.members', members, { group: 'etl' }),
      ),
    )
  }

  test('gets as many members as its rate asks for: 500 / 0.7 + (lag + 500 x 10 s) / 30 min over 200 each', () => {
    const { action, arithmetic, expects } = proposed(propose(named(group(2), 'consumer_parallelism'), undeclared))
    expect([action.knob, action.from.value, action.to, action.scope]).toEqual(['consumers', 2, 4, 'group etl'])
    expect(arithmetic[0]).toMatch(/^500 records\/s arrive, and 2 members read 400 records\/s: 200 records\/s each/)
    expect(expects[0]).toMatchObject({ signal: 'reader.flow_ratio', located: true })
  })

  test('never more than partitions that have lag', () => {
    const remedy = propose(named(group(4, 4), 'consumer_parallelism'), undeclared)
    expect(remedyText(remedy)).toContain('More members of the group would not help: 4 partitions have lag, and one member reads one.')
  })

  test('whose members cannot be seen is asked for', () => {
    const look = group(2)
    const unseen = lookOf({ ...look.evidence, series: look.evidence.series.filter((one) => one.signal !== 'group.members') })
    const remedy = propose(named(unseen, 'consumer_parallelism'), undeclared)
    if (remedy.kind !== 'refusal') throw new Error('no refusal')
    expect(remedy.needs).toContain('add "group: <consumer group>"')
  })
})

describe('a broker that is the trouble', () => {
  /** Partitions 0-7 led by brokers 1, 2, 3, 1, 2, 3, 1, 2; each with copies on the two others. */
  function cluster(replicas: Record<string, readonly number[]> | undefined) {
    const evidence = evidenceOf({ commitS: changing(0.4, 4.4) })
    const leaders = Array.from({ length: 8 }, (_, partition) =>
      gauge('partition.leader', (partition % 3) + 1, { topic: 'orders', partition }),
    )
    const topics = evidence.pipeline.topics.map((topic) => ({ ...topic, ...(replicas === undefined ? {} : { replicas }) }))
    const look = { bootstrap: 'kafka:9092' }
    return named(lookOf(withSeries({ ...evidence, pipeline: { ...evidence.pipeline, look, topics } }, ...leaders)), 'broker_degraded', {
      broker: '2',
    })
  }
  const copies = Object.fromEntries(Array.from({ length: 8 }, (_, p) => [p, [0, 1, 2].map((i) => ((p + i) % 3) + 1)]))

  test('hands its leaders to the brokers that lead fewest, by a file that the owner runs; the copies stay where they are', () => {
    const { action, apply, undo, arithmetic } = proposed(propose(cluster(copies), undeclared))
    expect([action.knob, action.from.value, action.to, action.scope]).toEqual([
      'partitionReassignment',
      3,
      0,
      'leaders of orders on broker 2',
    ])
    expect(apply[0]).toBe(
      'Save as leaders.json: {"version":1,"partitions":[{"topic":"orders","partition":1,"replicas":[3,1,2]},{"topic":"orders","partition":4,"replicas":[1,3,2]},{"topic":"orders","partition":7,"replicas":[3,1,2]}]}',
    )
    expect(apply[1]).toBe('kafka-reassign-partitions.sh --bootstrap-server kafka:9092 --reassignment-json-file leaders.json --execute')
    expect(undo[0]).toContain('"partition":1,"replicas":[2,3,1]')
    expect(arithmetic.slice(1, 3)).toEqual(['broker 1 then leads 4, 3 before', 'broker 3 then leads 4, 2 before'])
  })

  test('is left alone where another would lead more than twice as much', () => {
    // With one other copy only, broker 3 would take all three: 5, and 2 x 2 is the most.
    const chain = Object.fromEntries(Object.entries(copies).map(([p, brokers]) => [p, brokers.slice(0, 2)]))
    expect(remedyText(propose(cluster(chain), undeclared))).toContain('would lead more than 2 times what they lead now')
  })

  test.each<[string, Record<string, readonly number[]> | undefined, string]>([
    ['holds the only copy', { ...copies, 4: [2] }, 'broker 2 holds the only copy of partition 4'],
    ['copies were not seen', undefined, 'which brokers hold copies of orders was not seen'],
  ])('%s', (_, replicas, says) => {
    expect(remedyText(propose(cluster(replicas), undeclared))).toContain(says)
  })

  test('no other cause ever moves a leader', () => {
    expect(remedyText(propose(named(cluster(copies), 'slow_sink', { phase: 'sink' }), undeclared))).not.toContain('leaders.json')
  })
})
