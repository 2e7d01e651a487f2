/** What is proposed for which trouble, told by the pipeline in motion: 8 partitions x 50 records/s, a trigger of 5 s, 4 slots, 2 executors. */
import { describe, expect, test } from 'vitest'
import type { Declared } from '../../src/incident/pipeline.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { propose } from '../../src/proposal/propose.ts'
import { changing, lookAt, lookOf, named, proposed, since, undeclared } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { remedyText } from '../build/remedy-text.ts'

const hot: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }
const surge: Motion = { rate: (_, t) => changing(50, 125)(t) }
const text = (motion: Motion) => remedyText(propose(lookAt(motion), undeclared))

describe('the smallest change that helps', () => {
  test('a hot partition is cut in Spark; executors cannot beat its one task', () => {
    const { action, expects, willNotFix } = proposed(propose(lookAt(hot), undeclared))
    expect(action).toEqual({
      knob: 'minPartitions',
      from: {
        value: null,
        provenance: 'inferred',
        how: 'in the last 20 batches Spark made one task for each partition with records (8 in the newest)',
      },
      to: 16,
      scope: 'query orders',
    })
    expect(expects.map((one) => [one.signal, one.located])).toEqual([
      ['stage.idle_slot_share', true],
      ['batch.duration_s', false],
      ['reader.lag', false],
    ])
    expect(willNotFix.join('\n')).toContain('more executors would not help instead: the longest task takes 10 s')
  })

  test('a surge on busy slots gets as many executors as DS2 asks for: 1,000 / 0.7 + 11 k / 30 min + 1,000 x 60 / 30 min', () => {
    const { action, arithmetic, willNotFix } = proposed(propose(lookAt(surge), undeclared))
    expect([action.knob, action.from.value, action.from.provenance, action.to]).toEqual(['executors', 2, 'read', 4])
    expect(arithmetic[1]).toMatch(/^wanted: 1,000 \/ 0\.7 \+ 11 k \/ 30 min \+ 1,000 × 1 min \/ 30 min = 1,46[89] records\/s$/)
    expect(willNotFix[0]).toContain('ask the producer whether it will last')
  })

  test('a surge with slots to spare gets more tasks, not more executors', () => {
    const { action } = proposed(propose(lookAt({ ...surge, slots: () => 16, executors: [[0, 8]], perRecordMs: () => 8 }), undeclared))
    expect([action.knob, action.to]).toEqual(['minPartitions', 12])
  })

  test('of two changes that are both surely enough the one that is more easily taken back', () => {
    // 8 tasks of 2.9 s on 6 slots are two rounds: either 16 tasks of half the size, or slots for all 8 at once.
    const odd = { ...surge, slots: () => 6, executors: [[0, 3]] as [number, number][] }
    expect(proposed(propose(lookAt({ ...odd, perRecordMs: () => 4.5 }), undeclared)).action.knob).toBe('minPartitions')
  })

  test('one that is surely enough comes before one that is more easily taken back and may not be', () => {
    const odd = { ...surge, slots: () => 6, executors: [[0, 3]] as [number, number][] }
    expect(proposed(propose(lookAt({ ...odd, perRecordMs: () => 6 }), undeclared)).action.knob).toBe('executors')
  })

  test('one step at most doubles, and says that it is held', () => {
    const { action, arithmetic } = proposed(propose(lookAt({ ...surge, rate: (_, t) => changing(50, 200)(t) }), undeclared))
    expect([action.knob, action.to]).toEqual(['executors', 4])
    expect(arithmetic.join('\n')).toContain('held at 4: one step at most doubles a setting')
  })

  test('more than one step can bring goes to the producer, with what happens meanwhile', () => {
    const said = text({ ...surge, rate: (_, t) => changing(50, 600)(t) })
    expect(said).toContain('TO THE OWNER OF THE PRODUCER')
    expect(said).toContain('Without a change batches only get longer')
    expect(said).toMatch(/More executors would not help: even 4 executors .* work off at most .* while 4,8.. records\/s arrive/)
  })

  test('executors that did not come back are brought back, no more than there were', () => {
    const { action, apply } = proposed(
      propose(lookAt({ lost: [{ at: since + 1, back: null }], slots: changing(4, 2, since + 1), perRecordMs: () => 7 }), undeclared),
    )
    expect([action.knob, action.from.value, action.to]).toEqual(['executors', 1, 2])
    expect(apply[0]).toContain('Bring back the worker on 10.0.0.2')
  })
})

describe('nothing is changed', () => {
  test.each<[string, Motion, string]>([
    ['in calm', {}, 'Nothing here differs from its own baseline'],
    ['when a lost executor came back by itself', { lost: [{ at: since + 1, back: since + 9 }] }, 'came back by itself after 8 s'],
    ['before the cause is known', { perRecordMs: changing(4, 16), askedAt: 3569 }, 'No change before the cause is known'],
  ])('%s', (_, motion, says) => {
    const remedy = propose(lookAt(motion), undeclared)
    expect(remedy.kind).toBe('refusal')
    expect(remedyText(remedy)).toContain(says)
  })

  test('what would decide is asked for, without a time of day that nobody could read later', () => {
    const remedy = propose(lookAt({ perRecordMs: changing(4, 16), askedAt: 3569 }), undeclared)
    if (remedy.kind !== 'refusal') throw new Error('no refusal')
    expect(remedy.needs).not.toBeNull()
    expect(remedyText(remedy)).not.toContain('{at')
  })

  test('while the check of another change is under way', () => {
    const tried = [{ knob: 'executors', to: 4, appliedAtMs: 0, outcome: null }] as const
    const remedy = propose(lookAt(hot), undeclared, tried)
    expect(remedyText(remedy)).toContain(
      'One change at a time: the number of executors was set to 4, and its recovery check is still under way.',
    )
  })
})

describe('somebody else', () => {
  test.each<[string, Motion, string, string[]]>([
    [
      'a slow commit is the store’s',
      { commitS: changing(0.4, 4.4) },
      'SINK',
      ['The commit of the table orders_bronze takes up to 4.4 s a batch, 400 ms before', 'Without a change batches settle at'],
    ],
    [
      'a producer that stopped',
      { rate: (_, t) => changing(50, 0)(t) },
      'PRODUCER',
      ['Nothing has arrived for', 'Restarting or scaling it would change nothing'],
    ],
    [
      'an upload of old records',
      { rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 30 : 0) : 60), late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0) },
      'PRODUCER',
      ['What held them back, and is there more to come?'],
    ],
    [
      'records that cost three times as much',
      { rate: (p) => 20 + 10 * p, perRecordMs: changing(4, 12) },
      'READER',
      ['A record costs 12.14 ms of task time, 4.18 ms before', 'More executors may not be enough'],
    ],
  ])('%s', (_, motion, owner, says) => {
    const said = text(motion)
    expect(said).toContain(`TO THE OWNER OF THE ${owner}`)
    for (const one of says) expect(said).toContain(one)
  })

  test('a hot partition of a plain group goes to whoever makes the key: no member can share it', () => {
    const evidence = evidenceOf(hot)
    const group = {
      ...evidence,
      pipeline: { ...evidence.pipeline, reader: { ...evidence.pipeline.reader, kind: 'consumer-group' as const, group: 'etl' } },
    }
    const said = remedyText(propose(named(lookOf(group), 'hot_partition', { partitions: [3] }), undeclared))
    expect(said).toContain('Which key or tenant is it? Spread over 5 keys')
  })

  test('a change that had no effect is not proposed again; what is left is the producer', () => {
    const look = lookAt(hot)
    const appliedAtMs = Date.parse(look.evidence.asked_at) - 7_200_000
    const tried = [{ knob: 'minPartitions', to: 16, appliedAtMs, outcome: 'no_effect' }] as const
    const said = remedyText(propose(look, undeclared, tried))
    expect(said).toContain('TO THE OWNER OF THE PRODUCER')
    expect(said).toContain('minPartitions was set to 16 before, 2 h ago, and it had no effect')
  })

  test('a release just before slower work is taken back before anything is scaled', () => {
    const evidence = evidenceOf({ rate: (p) => 20 + 10 * p, perRecordMs: changing(4, 12) })
    const deployed = { ...evidence, events: [...evidence.events, { at: since - 60, kind: 'deploy', text: 'orders 4.2' }] }
    const said = remedyText(propose(named(lookOf(deployed), 'slow_processing'), undeclared))
    expect(said).toMatch(/A deployment 1 min .*before it began \(orders 4\.2\) is to be taken back first/)
  })
})

describe('where "from" comes from', () => {
  test('without the Spark UI nobody knows the tasks: the line that would tell is asked for', () => {
    const remedy = propose(named(lookAt({ ...hot, without: ['spark'] }), 'hot_partition', { partitions: [3] }), undeclared)
    if (remedy.kind !== 'refusal') throw new Error('no refusal')
    expect(remedy.needs).toContain('add "spark: <address of the driver UI>"')
  })

  test('tasks that a setting divides already: which one has to be declared, and then it is taken at its word', () => {
    const divided = { ...hot, minPartitions: () => 9 }
    const remedy = propose(lookAt(divided), undeclared)
    if (remedy.kind !== 'refusal') throw new Error('no refusal')
    expect(remedy.needs).toBe('add "min_partitions: <number or none>" and "max_records_per_partition: <number or none>" to the pipeline')
    const { action } = proposed(propose(lookAt(divided), { ...undeclared, minPartitions: 9, maxRecordsPerPartition: 0 }))
    expect([action.knob, action.from.value, action.from.provenance]).toEqual(['minPartitions', 9, 'declared'])
    expect(action.to).toBeGreaterThan(9)
  })
})

describe('what is declared is not believed against what is seen', () => {
  test.each<[string, Motion, string, Partial<Declared>, string]>([
    ['tasks', hot, 'hot_partition', { minPartitions: 24 }, 'correct "min_partitions:" of the pipeline'],
    ['a cap', { rate: () => 87.5 }, 'rate_cap', { maxOffsetsPerTrigger: 200 }, 'correct "max_offsets_per_trigger:" of the pipeline'],
  ])('%s', (_, motion, cause, declared, needs) => {
    const remedy = propose(named(lookAt(motion), cause, { partitions: [3] }), { ...undeclared, ...declared })
    expect(remedy).toMatchObject({ kind: 'refusal', needs })
  })

  test('whoever has to act anyway is told, whatever the configuration leaves open', () => {
    const look = named(lookAt({ commitS: changing(0.4, 4.4) }), 'slow_sink', { phase: 'sink' })
    expect(remedyText(propose(look, { ...undeclared, maxOffsetsPerTrigger: 1 }))).toContain('TO THE OWNER OF THE SINK')
  })
})

test('the same evidence gives the same remedy and the same hash', () => {
  const [a, b] = [proposed(propose(lookAt(hot), undeclared)), proposed(propose(lookAt(hot), undeclared))]
  expect(proposalHash(a)).toBe(proposalHash(b))
  expect(remedyText(a)).toBe(remedyText(b))
})
