/**
 * What all sources brought home becomes the evidence of one diagnosis: one axis (seconds since `window.from`), no reading twice, one
 * order. Pure: the same findings in any order give the same evidence, so its bytes can be compared and its hash signed.
 */
import { withoutLogin } from '../incident/address.ts'
import { canonical } from '../incident/canonical.ts'
import type { Batch, Commit, Evidence, EvidencePipeline, Gap, LookHere, Reader, Sink } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import type { KafkaAccess, Pipeline } from '../incident/pipeline.ts'
import { joinBatches } from './batches.ts'
import { driverAhead } from './clocks.ts'
import { inOrder, mergeClocks, mergeCommits, mergeEvents, mergeGaps, mergeSeries, mergeTopics } from './overlap.ts'
import { rolledBack } from './rollback.ts'
import { queriesSeen, queryOf } from './sightings.ts'
import { inferTrigger } from './trigger.ts'

/** What was asked, as far as the evidence keeps it. All times epoch milliseconds. */
export interface Asked {
  readonly pipeline: Pipeline
  readonly askedAtMs: number
  readonly fromMs: number
  readonly toMs: number
  readonly reported?: string
  readonly engine?: string
  readonly configHash?: string
}

/** Who is believed first about the reader where two sources tell different things: the driver knows itself best. */
const BELIEVED = ['spark-ui', 'event-log', 'checkpoint', 'kafka']

/** Joins findings of any number of looks into evidence. */
export function mergeFindings(findings: readonly Findings[], asked: Asked): Evidence {
  const zeroS = asked.fromMs / 1000
  const ordered = [...findings].sort(byBelief)
  const sightings = ordered.flatMap((found) => found.sightings)
  const { declared } = asked.pipeline
  const commits = mergeCommits(
    ordered.flatMap((found) => found.commits),
    zeroS,
  )
  const clocks = mergeClocks(ordered.flatMap((found) => found.clocks))
  const batches = joinBatches(sightings, {
    zeroS,
    askedAtMs: asked.askedAtMs,
    declaredTriggerS: declared.triggerSeconds,
    driverAheadS: driverAhead(clocks),
  })
  const events = mergeEvents(
    ordered.flatMap((found) => found.events),
    zeroS,
  )
  return {
    bundle: 1,
    ...(asked.engine === undefined ? {} : { engine: asked.engine }),
    ...(asked.configHash === undefined ? {} : { config_hash: asked.configHash }),
    pipeline: pipelineOf(ordered, asked.pipeline),
    asked_at: new Date(asked.askedAtMs).toISOString(),
    ...(asked.reported === undefined ? {} : { reported: asked.reported }),
    window: { from: new Date(asked.fromMs).toISOString(), to: new Date(asked.toMs).toISOString() },
    clocks,
    series: mergeSeries(
      ordered.flatMap((found) => found.series),
      zeroS,
    ),
    batches: withCommits(batches, commits),
    commits,
    events: inOrder([...events, ...rolledBack(batches, commits)]),
    gaps: mergeGaps([...ordered.flatMap((found) => found.gaps), ...otherQuery(ordered)], zeroS),
  }
}

function byBelief(a: Findings, b: Findings): number {
  const rank = (found: Findings) => (BELIEVED.includes(found.source) ? BELIEVED.indexOf(found.source) : BELIEVED.length)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a.source !== b.source) return a.source < b.source ? -1 : 1
  const [x, y] = [canonical([a.reader, a.sink]), canonical([b.reader, b.sink])]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The first commit that carries a batch's number is that batch's (OPTIMIZE and VACUUM carry none). */
function withCommits(batches: readonly Batch[], commits: readonly Commit[]): Batch[] {
  const versions = new Map<number, number>()
  for (const { batch_id: id, version } of commits) {
    if (typeof id === 'number' && !versions.has(id)) versions.set(id, version)
  }
  return batches.map((batch) => {
    const version = versions.get(batch.id)
    return version === undefined ? batch : { ...batch, commit_version: version }
  })
}

function pipelineOf(ordered: readonly Findings[], pipeline: Pipeline): EvidencePipeline {
  const sink = sinkOf(ordered, pipeline)
  const { freshnessSeconds, lagSeconds } = pipeline.objective
  const objective = {
    ...(freshnessSeconds === null ? {} : { freshness_s: freshnessSeconds }),
    ...(lagSeconds === null ? {} : { lag_s: lagSeconds }),
  }
  return {
    name: pipeline.name,
    look: lookHere(ordered, pipeline),
    topics: mergeTopics([{ name: pipeline.topic }, ...ordered.flatMap((found) => found.topics)]),
    reader: readerOf(ordered, pipeline),
    ...(sink === null ? {} : { sink }),
    ...(Object.keys(objective).length === 0 ? {} : { objective }),
  }
}

/** Addresses without secrets, so that the verdict can print commands that check its numbers, in a replay too. */
function lookHere(ordered: readonly Findings[], pipeline: Pipeline): LookHere {
  const started = ordered.flatMap((found) => found.events).filter((e) => e.kind === 'app_started' && e.entity?.app !== undefined)
  const app = started.sort((a, b) => a.at - b.at).at(-1)?.entity?.app
  return {
    bootstrap: pipeline.kafka.brokers.join(','),
    ...securityOf(pipeline.kafka),
    ...(pipeline.spark === null ? {} : { spark: withoutLogin(pipeline.spark) }),
    ...(app === undefined ? {} : { app }),
    ...(pipeline.checkpoint === null ? {} : { checkpoint: withoutLogin(pipeline.checkpoint) }),
    ...(pipeline.table === null ? {} : { table: withoutLogin(pipeline.table) }),
  }
}

/** What the settings file of Kafka's own tools must hold beside a login. */
function securityOf({ tls, sasl }: KafkaAccess): LookHere {
  if (sasl === null) return tls ? { security_protocol: 'SSL' } : {}
  return { security_protocol: tls ? 'SASL_SSL' : 'SASL_PLAINTEXT', sasl_mechanism: sasl.mechanism.toUpperCase() }
}

function readerOf(ordered: readonly Findings[], pipeline: Pipeline): Reader {
  const told: Partial<Reader> = Object.assign({}, ...ordered.map((found) => found.reader).reverse())
  const streaming = pipeline.spark !== null || pipeline.checkpoint !== null
  const kind = told.kind ?? (streaming ? 'spark-structured-streaming' : pipeline.group !== null ? 'consumer-group' : 'other')
  const query = told.query ?? pipeline.query
  const trigger = inferTrigger(
    ordered.flatMap((found) => found.sightings),
    pipeline.declared.triggerSeconds,
  )
  const { maxOffsetsPerTrigger: cap, minPartitions, maxRecordsPerPartition } = pipeline.declared
  return {
    ...told,
    kind,
    ...(query === null ? {} : { query }),
    ...(pipeline.group === null ? {} : { group: pipeline.group }),
    ...(trigger.from === 'unknown' ? {} : { trigger_s: trigger.seconds, trigger_from: trigger.from }),
    ...(cap === null ? {} : { max_offsets_per_trigger: cap }),
    ...(minPartitions === undefined ? {} : { min_partitions: minPartitions }),
    ...(maxRecordsPerPartition === undefined ? {} : { max_records_per_partition: maxRecordsPerPartition }),
  }
}

function sinkOf(ordered: readonly Findings[], pipeline: Pipeline): Sink | null {
  const told: Partial<Sink> = Object.assign({}, ...ordered.map((found) => found.sink).reverse())
  if (told.kind !== undefined) return { ...told, kind: told.kind }
  if (pipeline.table === null) return null
  const name = pipeline.table.replace(/\/+$/, '').split('/').at(-1)
  return { kind: 'delta', ...(name === undefined || name === '' ? {} : { table: name }) }
}

/** The checkpoint of one query beside the UI of another: their batches must not be taken for each other. */
function otherQuery(ordered: readonly Findings[]): Gap[] {
  const sightings = ordered.flatMap((found) => found.sightings)
  const meant = queryOf(sightings)
  const others = queriesSeen(sightings).filter((query) => query !== meant)
  if (meant === undefined || others.length === 0) return []
  return [
    {
      source: 'checkpoint',
      signal: null,
      reason: `the checkpoint and the Spark UI are of different queries; the batches shown are those of ${meant}, those of ${others.join(', ')} are left out`,
      mend: 'checkpoint: the checkpointLocation of the query in the Spark UI, or spark: the driver that runs this checkpoint',
    },
  ]
}
