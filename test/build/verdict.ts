/** A verdict that fits a built timeline, filled as the engine fills it. Override what a test is about. */

import type { Attribution, Evidence } from '../../src/attribution/attribution.ts'
import { nowhere } from '../../src/attribution/attribution.ts'
import type { Timeline } from '../../src/timeline/timeline.ts'
import type { IncidentKind } from './timeline.ts'

export function verdictOf(
  kind: IncidentKind,
  timeline: Timeline,
  change: Partial<Attribution> & { readonly agoS?: number } = {},
): Attribution {
  const { agoS = 240, ...rest } = change
  const topic = timeline.pipeline.topics[0]?.name ?? 'orders'
  const table = timeline.pipeline.sink?.table ?? 'table'
  const at = timeline.now - agoS
  const said = sayings(topic)[kind]
  return {
    outcome: kind === 'quiet' ? 'none' : 'cause',
    cause: kind === 'quiet' ? null : kind,
    place:
      kind === 'hot_partition'
        ? { ...nowhere, topic, partitions: [3] }
        : kind === 'executor_loss'
          ? { ...nowhere, executor: '1', host: 'worker-1' }
          : kind === 'quiet'
            ? nowhere
            : { ...nowhere, topic },
    also: [],
    consequences: [],
    onset: kind === 'quiet' ? null : [at - 5, at + 5],
    confidence: kind === 'quiet' ? null : 0.94,
    confidenceWords: kind === 'quiet' ? null : 'very likely',
    reason: null,
    decidingSignal: null,
    howToDecide: null,
    ranking: [
      [kind === 'quiet' ? 'none' : kind, 0.94],
      ['slow_processing', 0.03],
      ['unknown', 0.03],
    ],
    headline: said.headline,
    supporting: said.supporting,
    opposing: said.opposing,
    ruledOut: [
      { cause: 'executor_loss', by: '4 task slots before and now, no executor removed' },
      { cause: 'slow_sink', by: 'writing takes 0.4 s a batch, as before' },
      { cause: 'source_stall', by: 'intake is 1.5 times its baseline' },
    ].filter((one) => one.cause !== kind),
    pressure: kind === 'hot_partition' ? { skew_or_wait: 0.78, intake: 0.24, cost: -0.02 } : {},
    pressureNow: kind === 'hot_partition' ? Math.log(1.9) : null,
    pressureBefore: kind === 'hot_partition' ? Math.log(0.58) : null,
    counterfactual: kind === 'hot_partition' ? { lagNow: 48_312, lagWithout: 900, between: [900, 900], removed: 0.9 } : null,
    closure: timeline.closure,
    schedulingDelay: null,
    completeTo: {
      table,
      at: kind === 'quiet' ? timeline.now - 6 : at - 10,
      heldBackBy: kind === 'quiet' ? [] : [3],
      others: kind === 'quiet' ? null : timeline.now - 6,
      byRecordTime: timeline.recordClock,
      lateness: timeline.recordClock ? { longest: 42, over: 500 } : null,
    },
    deadlines:
      kind === 'quiet'
        ? []
        : [{ kind: 'objective_broken', at: at + 120, partition: null, what: 'the table is older than its objective of 2 min' }],
    gaps: timeline.gaps,
    ...rest,
  }
}

interface Sayings {
  readonly headline: string
  readonly supporting: readonly Evidence[]
  readonly opposing: readonly Evidence[]
}

function sayings(topic: string): Readonly<Record<IncidentKind, Sayings>> {
  const offsets = `kafka-get-offsets --bootstrap-server broker-1:9092 --topic ${topic} --time latest`
  const executors = 'curl -s http://driver-1:4040/api/v1/applications/app-20261130130000-0001/executors'
  const lagUp: Evidence = { id: 'lag.up', group: 'lag', says: 'lag grew from 400 to 48,312 records', weight: 0 }
  return {
    quiet: {
      headline: 'nothing is wrong that these signals could show',
      supporting: [{ id: 'flow.closed', group: 'flow', says: 'what comes in is read: 720 records/s in, 719 records/s out', weight: 1.2 }],
      opposing: [],
    },
    hot_partition: {
      headline: `Partition 3 of ${topic} takes 7.9 times what its peers take`,
      supporting: [
        {
          id: 'place.share',
          group: 'place',
          says: 'partition 3 takes 480 records/s, its 11 peers 61 records/s each (median); before the onset all took between 54 and 66',
          weight: 2.6,
          check: { command: offsets, expect: `${topic}:3 rises by about 4,800 in 10 s, each other partition by about 600` },
        },
        {
          id: 'place.lag',
          group: 'lag',
          says: '97 % of the lag is on partition 3',
          weight: 1.9,
          check: { command: offsets, expect: `${topic}:3 is 46,900 above offset 212,400 of the newest committed batch` },
        },
        {
          id: 'task.skew',
          group: 'task',
          says: 'one task of the source stage takes 31 s, the median 0.4 s, in step with its rows',
          weight: 2.1,
          check: {
            command: `${executors.replace('/executors', '')}/stages/812/0/taskSummary?quantiles=0.5,1.0`,
            expect: 'executorRunTime: [ 400, 31000 ] (ms)',
          },
        },
      ],
      opposing: [{ id: 'flow.total', group: 'flow', says: 'total intake rose too, 1.6 times its baseline', weight: -0.4 }, lagUp],
    },
    intake_surge: {
      headline: `${topic} takes 2.4 times its usual intake, on all partitions`,
      supporting: [
        {
          id: 'flow.intake_up',
          group: 'flow',
          says: 'intake rose from 720 to 1,740 records/s',
          weight: 2.4,
          check: { command: offsets, expect: 'the sum rises by about 17,400 in 10 s' },
        },
      ],
      opposing: [lagUp],
    },
    slow_sink: {
      headline: `Writing takes 34 s a batch, before 0.4 s`,
      supporting: [
        {
          id: 'phase.addBatch',
          group: 'phase',
          says: 'addBatch takes 34 s, of which the tasks compute 1.2 s',
          weight: 2.2,
          check: {
            command: executors.replace('/executors', '/sql?details=false'),
            expect: 'duration of the newest finished execution about 34,000 ms',
          },
        },
      ],
      opposing: [],
    },
    executor_loss: {
      headline: 'One of two executors went away and was not replaced',
      supporting: [
        {
          id: 'exec.down',
          group: 'exec',
          says: '2 of 4 task slots left; executor 1 on worker-1 was removed (exit code 137)',
          weight: 2.8,
          check: { command: executors, expect: 'one entry besides the driver' },
        },
      ],
      opposing: [],
    },
    source_stall: {
      headline: `Nothing has come into ${topic} since the onset`,
      supporting: [
        {
          id: 'flow.zero',
          group: 'flow',
          says: 'intake fell from 720 to 0 records/s, lag is 0',
          weight: 2.9,
          check: { command: offsets, expect: 'the same numbers twice' },
        },
      ],
      opposing: [],
    },
  }
}
