/** Incidents of every kind that the simulated pipeline can play, 45 s old when asked, and calm ones beside them: for laws that hold over all. */
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import { evidenceOf } from './pipeline.ts'

const since = 3600 - 45
const changing =
  <T>(before: T, now: T) =>
  (t: number) =>
    t < since ? before : now

/** Executor 1 has work at two looks and finishes nothing, while executor 0 has done its part. */
function standing(evidence: Evidence): Evidence {
  const rate = (executor: string, value: number): Series => ({
    signal: 'executor.task_rate',
    entity: { executor, host: `10.0.0.${Number(executor) + 1}` },
    source: 'spark',
    t: [3600],
    v: [value],
  })
  return { ...evidence, series: [...evidence.series, rate('0', 2), rate('1', 0)] }
}

/** Partition 0 has no leader, partition 5 did not answer. */
function leaderless(evidence: Evidence): Evidence {
  const ill = [0, 5]
  const read = evidence.series.filter((s) => !(s.signal === 'partition.log_end_offset' && ill.includes(s.entity.partition ?? -1)))
  const leaders = Array.from({ length: 8 }, (_, partition): Series => {
    const entity = { topic: 'orders', partition }
    return { signal: 'partition.leader', entity, source: 'kafka', t: [3600], v: [partition === 0 ? -1 : 1] }
  })
  return { ...evidence, series: [...read, ...leaders] }
}

const plainGroup = (evidence: Evidence): Evidence => ({
  ...evidence,
  pipeline: { ...evidence.pipeline, reader: { kind: 'consumer-group', group: 'etl' } },
})

const dstreams = (evidence: Evidence): Evidence => ({
  ...evidence,
  pipeline: { ...evidence.pipeline, reader: { kind: 'spark-dstreams', trigger_s: 5, slots: 4 } },
})

/** Batches of a reader that keeps no checkpoint: nothing to look them up in. */
const otherReader = (evidence: Evidence): Evidence => ({
  ...evidence,
  pipeline: { ...evidence.pipeline, reader: { kind: 'other', trigger_s: 5 } },
})

const arrivalOnly = (evidence: Evidence): Evidence => ({ ...evidence, series: evidence.series.filter((s) => s.clock !== 'record') })

export const incidents: Readonly<Record<string, () => Evidence>> = {
  calm: () => evidenceOf(),
  'calm with a rise two minutes ago': () => evidenceOf({ rate: (_, t) => (t < 3480 ? 16 : 50) }),
  'a surge': () => evidenceOf({ rate: (_, t) => changing(50, 125)(t) }),
  'a surge, told from checkpoint and Kafka alone': () => evidenceOf({ rate: (_, t) => changing(50, 125)(t), without: ['spark', 'delta'] }),
  'a surge seen by arrival only': () => arrivalOnly(evidenceOf({ rate: (_, t) => changing(50, 125)(t) })),
  'a hot partition': () => evidenceOf({ rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }),
  'a hot partition while its long task runs': () => evidenceOf({ rate: (p, t) => (p === 3 ? changing(50, 900)(t) : 50), askedAt: 3585 }),
  'a slow commit': () => evidenceOf({ commitS: changing(0.4, 4.4) }),
  'a commit that has not ended': () => evidenceOf({ commitS: changing(0.4, 60) }),
  'slow files': () => evidenceOf({ rate: (p) => 20 + 10 * p, perTaskMs: changing(50, 2550) }),
  'slow records': () => evidenceOf({ rate: (p) => 20 + 10 * p, perRecordMs: changing(4, 16) }),
  'slow records with even tasks': () => evidenceOf({ perRecordMs: changing(4, 16), askedAt: 3569 }),
  'a lost executor': () => evidenceOf({ lost: [{ at: since + 1, back: since + 9 }] }),
  'a lost executor, not replaced': () => evidenceOf({ lost: [{ at: since + 1, back: null }], slots: changing(4, 2) }),
  'a standing executor': () => standing(evidenceOf({ perTaskMs: changing(50, 60_000) })),
  'a stopped producer': () => evidenceOf({ rate: (_, t) => changing(50, 0)(t) }),
  'a stopped producer of a plain group': () =>
    plainGroup(evidenceOf({ rate: (_, t) => changing(50, 0)(t), without: ['checkpoint', 'spark', 'delta'] })),
  'a silent topic': () => evidenceOf({ rate: () => 0 }),
  'old records at once': () =>
    evidenceOf({
      rate: (p, t) => (p >= 6 ? (t > since - 600 && t < since ? 30 : 0) : 60),
      late: (p, t) => (p >= 6 ? Math.max(0, since - t) : 0),
    }),
  'a capped reader': () => evidenceOf({ cap: 2800, rate: (_, t) => changing(50, 100)(t) }),
  'partitions that nobody could read': () => leaderless(evidenceOf()),
  'slow records of a DStreams reader': () => dstreams(evidenceOf({ rate: (p) => 20 + 10 * p, perRecordMs: changing(4, 16) })),
  'calm batches of another reader': () => otherReader(evidenceOf()),
  'nothing seen': () => evidenceOf({ without: ['kafka', 'checkpoint', 'spark', 'delta'] }),
}
