/**
 * The source "kafka-group": what a plain consumer group has committed, who its members are, and whether it is stable. The group is
 * asked for by name at its coordinator. A listing of groups is never used: a coordinator that has just resigned lists none, without an
 * error, and "not listed" would read as "gone".
 */
import type { Gap } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import type { Question, Source } from '../workflow/ports.ts'
import type { Cluster } from './kafka-cluster.ts'
import { openCluster } from './kafka-cluster.ts'
import type { KafkaFailure, Outcome } from './kafka-failure.ts'
import { failed, failureOf } from './kafka-failure.ts'
import { gapFindings } from './kafka-findings.ts'
import { allow, withMend } from './kafka-gaps.ts'
import { groupFindings } from './kafka-group-findings.ts'
import type { CommittedOffset, GroupDescription } from './kafka-group-requests.ts'
import { consumerGroupDescribeApi, describeGroupsApi, findCoordinatorApi, offsetFetchApi } from './kafka-group-requests.ts'
import { findTopic } from './kafka-topic.ts'
import { pause } from './pause.ts'

const SOURCE = 'kafka-group'
/** Waits before each further try, ms. A coordinator that moved answers after one or two of them. */
const TRY_AGAIN_AFTER_MS = [250, 500, 750]
const OFFSETS_TOPIC = '__consumer_offsets'

/** The second look reads the same again: whether commits move, and whether the group rebalanced in between. */
export const kafkaGroup: Source = {
  name: SOURCE,
  applies: (pipeline) => pipeline.group !== null && pipeline.kafka.brokers.length > 0,
  absent: () => null,
  collect: look,
  lookAgain: (question) => look(question),
}

async function look(question: Question): Promise<Findings> {
  const { pipeline, signal } = question
  const cluster = openCluster(pipeline.kafka, signal)
  try {
    return { ...(await lookAt(cluster, question, pipeline.group ?? '')), traffic: cluster.traffic() }
  } catch (cause) {
    return gapFindings(
      SOURCE,
      { source: SOURCE, signal: null, reason: `the group could not be read: ${cause instanceof Error ? cause.message : 'unknown error'}` },
      cluster.traffic(),
    )
  } finally {
    cluster.close()
  }
}

async function lookAt(cluster: Cluster, question: Question, group: string): Promise<Findings> {
  const { topic, kafka } = question.pipeline
  const found = await findTopic(cluster, SOURCE, topic, kafka, question.signal)
  if ('gap' in found) return gapFindings(SOURCE, found.gap, [])
  // Asking for a coordinator makes the broker create the offsets topic where there is none. We create nothing.
  const offsetsTopic = await cluster.metadata([OFFSETS_TOPIC])
  if (offsetsTopic.ok && offsetsTopic.value.topics.some((state) => state.error === UNKNOWN_TOPIC)) {
    return gapFindings(
      SOURCE,
      {
        source: SOURCE,
        signal: null,
        reason: `group ${group}: no group has ever committed an offset in this cluster`,
        mend: 'group in the configuration',
      },
      [],
    )
  }
  const partitions = found.partitions.map((state) => state.partition)
  const outcome = await askGroup(cluster, question, group, partitions)
  if (!outcome.ok) return gapFindings(SOURCE, groupGap(outcome.failure, question, group), [])
  const { atMs, offsets, description } = outcome.value
  question.progress(
    `Kafka: group ${group}, ${offsets.filter((row) => row.offset >= 0).length} of ${partitions.length} partitions committed`,
  )
  return groupFindings({ source: SOURCE, topic, group, access: kafka, partitions, offsets, description, atMs })
}

const UNKNOWN_TOPIC = 3

function groupGap(failure: KafkaFailure, question: Question, group: string): Gap {
  const access = question.pipeline.kafka
  return withMend(
    { source: SOURCE, signal: null, reason: `group ${group}: ${failure.sentence}` },
    failure.kind === 'forbidden' ? allow(access, 'Describe', 'group', group) : null,
  )
}

/** What the coordinator told; `description` carries its own failure, because commits are worth having without it. */
export interface GroupAnswer {
  readonly atMs: number
  readonly offsets: readonly CommittedOffset[]
  readonly description: Outcome<GroupDescription>
}

/** Coordinator, commits, members; again from the start where the coordinator is on the move. */
async function askGroup(cluster: Cluster, question: Question, group: string, partitions: readonly number[]): Promise<Outcome<GroupAnswer>> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await askOnce(cluster, question.pipeline.topic, group, partitions)
    const moving = outcome.ok ? !outcome.value.description.ok && outcome.value.description.failure.retryable : outcome.failure.retryable
    const waitMs = TRY_AGAIN_AFTER_MS[attempt]
    if (!moving || waitMs === undefined || question.signal.aborted) return outcome
    await pause(waitMs, question.signal)
    await cluster.metadata([])
  }
}

async function askOnce(cluster: Cluster, topic: string, group: string, partitions: readonly number[]): Promise<Outcome<GroupAnswer>> {
  const found = await cluster.ask('any', findCoordinatorApi, [group])
  if (!found.ok) return found
  const coordinator = found.value.find((entry) => entry.key === group)
  if (coordinator === undefined) return failed('short', 'no broker names its coordinator', true)
  if (coordinator.error !== 0) return { ok: false, failure: failureOf(coordinator.error) }
  const fetched = await cluster.ask(coordinator.node, offsetFetchApi, { group, topic, partitions })
  const atMs = Date.now()
  if (!fetched.ok) return fetched
  const answer = fetched.value.find((entry) => entry.group === group)
  if (answer === undefined) return failed('short', 'the coordinator left the group out of its answer', true)
  if (answer.error !== 0) return { ok: false, failure: failureOf(answer.error) }
  const offsets = answer.topics.find((entry) => entry.topic === topic)?.partitions ?? []
  return { ok: true, value: { atMs, offsets, description: await describe(cluster, coordinator.node, group) } }
}

/** New protocol first: the old request, in its older versions, calls such a group dead without an error. */
async function describe(cluster: Cluster, node: number, group: string): Promise<Outcome<GroupDescription>> {
  if (await cluster.knows(node, consumerGroupDescribeApi.key)) {
    const modern = one(await cluster.ask(node, consumerGroupDescribeApi, [group]), group)
    if (modern.ok || modern.failure.retryable || modern.failure.kind === 'forbidden') return modern
  }
  return one(await cluster.ask(node, describeGroupsApi, [group]), group)
}

function one(outcome: Outcome<readonly GroupDescription[]>, group: string): Outcome<GroupDescription> {
  if (!outcome.ok) return outcome
  const found = outcome.value.find((entry) => entry.group === group)
  if (found === undefined) return failed('short', 'the coordinator left the group out of its answer', true)
  return found.error === 0 ? { ok: true, value: found } : { ok: false, failure: failureOf(found.error) }
}
