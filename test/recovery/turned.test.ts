import { describe, expect, test } from 'vitest'
import type { Knob } from '../../src/incident/knob.ts'
import { judgedWindow } from '../../src/recovery/judged-window.ts'
import type { Turned } from '../../src/recovery/turned.ts'
import { turnedOf } from '../../src/recovery/turned.ts'
import { changing, lookAt, lookOf, msAt, named, withSeries } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const before = lookAt({})
const restarts = [{ at: 3625, back: 3650 }]

function turned(knob: Knob, from: number | null, to: number, motion: Motion): Turned['is'] {
  const now = lookAt({ askedAt: 4000, ...motion })
  const action = { knob, from: { value: from, provenance: 'read', how: '' }, to, scope: 'query orders' } as const
  return turnedOf(action, now, judgedWindow(now, before, msAt(3620)), before).is
}

describe('a setting shows in what the reader does', () => {
  test.each<[string, Knob, number | null, number, Motion, Turned['is']]>([
    [
      'sixteen tasks for eight partitions',
      'minPartitions',
      null,
      16,
      { restarts, minPartitions: changing<number | null>(null, 16, 3625) },
      'turned',
    ],
    ['one task for each', 'minPartitions', null, 16, { restarts }, 'old'],
    ['fewer pieces than before', 'minPartitions', 24, 32, { restarts, minPartitions: changing<number | null>(24, 32, 3625) }, 'turned'],
    ['tasks that were not seen', 'minPartitions', null, 16, { restarts, without: ['spark'] }, 'unknown'],
    ['no restart, so no new option', 'minPartitions', null, 16, {}, 'old'],
    ['batches beyond a cap that was lowered', 'maxOffsetsPerTrigger', null, 1000, { restarts }, 'old'],
    ['batches pinned at the new cap', 'maxOffsetsPerTrigger', null, 1000, { restarts, cap: changing(1e9, 1000, 3625) }, 'turned'],
    ['no batch reached the new cap', 'maxOffsetsPerTrigger', null, 50_000, { restarts }, 'unknown'],
    ['four executors are listed', 'executors', 2, 4, { executors: [[3650, 4]] }, 'turned'],
    ['two as before', 'executors', 2, 4, {}, 'old'],
    ['a part of them came', 'executors', 2, 4, { executors: [[3650, 3]] }, 'turned'],
    ['executors that were not seen', 'executors', 2, 4, { without: ['spark'] }, 'unknown'],
    ['a trigger of half the time', 'triggerInterval', 10, 5, { restarts }, 'turned'],
    ['a trigger as long as before', 'triggerInterval', 5, 2.5, { restarts }, 'old'],
    ['batches one after the other show no trigger', 'triggerInterval', 10, 5, { restarts, perRecordMs: () => 20 }, 'unknown'],
  ])('%s', (_, knob, from, to, motion, is) => {
    expect(turned(knob, from, to, motion)).toBe(is)
  })

  test('leaders that are elsewhere', () => {
    const was = named(before, 'broker_degraded', { broker: '2' })
    const led = (...leaders: readonly number[]) =>
      lookOf(
        withSeries(
          evidenceOf({ askedAt: 4000 }),
          ...leaders.map((leader, partition) => ({
            signal: 'partition.leader',
            entity: { topic: 'orders', partition },
            source: 'kafka',
            t: [3999],
            v: [leader],
          })),
        ),
      )
    const action = { knob: 'partitionReassignment', from: { value: 2, provenance: 'read', how: '' }, to: 0, scope: 'leaders' } as const
    const is = (now: ReturnType<typeof led>) => turnedOf(action, now, judgedWindow(now, was, msAt(3620)), was).is
    expect([is(led(1, 3, 1)), is(led(1, 2, 1)), is(led())]).toEqual(['turned', 'old', 'unknown'])
  })
})
