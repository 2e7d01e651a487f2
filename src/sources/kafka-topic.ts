/** What is known of a topic before its offsets are read: partitions and leaders from Metadata, clock and retention from its configuration. */
import type { Gap, Topic } from '../incident/evidence.ts'
import type { KafkaAccess } from '../incident/pipeline.ts'
import type { Cluster } from './kafka-cluster.ts'
import { failureOf } from './kafka-failure.ts'
import { allow, mendFor, withMend } from './kafka-gaps.ts'
import { partitionsOf } from './kafka-offsets.ts'
import type { PartitionState, TopicConfig } from './kafka-requests.ts'
import { describeConfigsApi } from './kafka-requests.ts'
import { pause } from './pause.ts'

/** A broker that has just started may not have heard of the topic yet. */
const ASK_AGAIN_AFTER_MS = 250

/** The topic's partitions, or the gap that says why there are none. Never rejects. */
export async function findTopic(
  cluster: Cluster,
  source: string,
  topic: string,
  access: KafkaAccess,
  signal: AbortSignal,
): Promise<{ readonly partitions: readonly PartitionState[] } | { readonly gap: Gap }> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await cluster.metadata([topic])
    if (!outcome.ok)
      return { gap: withMend({ source, signal: null, reason: outcome.failure.sentence }, mendFor(outcome.failure, access, topic)) }
    const error = outcome.value.topics.find((state) => state.name === topic)?.error ?? 3
    const partitions = partitionsOf(outcome.value, topic)
    if (error === 0 && partitions.length > 0) return { partitions }
    const failure = failureOf(error)
    if (!failure.retryable || attempt > 0 || signal.aborted) {
      if (error === 3)
        return {
          gap: {
            source,
            signal: null,
            reason: `there is no topic ${topic} in this cluster, or this login may not see it`,
            mend: 'topic and kafka.brokers in the configuration',
          },
        }
      return { gap: withMend({ source, signal: null, reason: `topic ${topic}: ${failure.sentence}` }, mendFor(failure, access, topic)) }
    }
    await pause(ASK_AGAIN_AFTER_MS, signal)
  }
}

const WANTED = ['message.timestamp.type', 'retention.ms', 'retention.bytes', 'cleanup.policy']

export interface TopicFacts {
  readonly topic: Partial<Topic>
  readonly compacted: boolean
  readonly gap: Gap | null
}

/** Reads the topic's configuration; without permission the clock of its records is not known and counts as CreateTime. */
export async function readTopicFacts(cluster: Cluster, source: string, topic: string, access: KafkaAccess): Promise<TopicFacts> {
  const outcome = await cluster.ask('any', describeConfigsApi, { topic, names: WANTED })
  if (outcome.ok && outcome.value.error === 0) return { ...factsOf(outcome.value), gap: null }
  const failure = outcome.ok ? failureOf(outcome.value.error) : outcome.failure
  const why = failure.kind === 'forbidden' ? "no permission to read the topic's configuration" : failure.sentence
  return {
    topic: {},
    compacted: false,
    gap: withMend(
      {
        source,
        signal: null,
        reason: `configuration of topic ${topic}: ${why}; whether its records bear the producers' or the brokers' time is not known, nor how long they are kept`,
      },
      failure.kind === 'forbidden' ? allow(access, 'DescribeConfigs', 'topic', topic) : null,
    ),
  }
}

/** Pure part of `readTopicFacts`. Retention of -1 (kept for ever) is left out. */
export function factsOf({ values }: TopicConfig): { readonly topic: Partial<Topic>; readonly compacted: boolean } {
  const type = values.get('message.timestamp.type')
  const limit = (name: string): number | null => {
    const value = Number(values.get(name) ?? Number.NaN)
    return Number.isSafeInteger(value) && value >= 0 ? value : null
  }
  const [retentionMs, retentionBytes] = [limit('retention.ms'), limit('retention.bytes')]
  return {
    topic: {
      ...(type === 'CreateTime' || type === 'LogAppendTime' ? { timestamp_type: type } : {}),
      ...(retentionMs === null ? {} : { retention_ms: retentionMs }),
      ...(retentionBytes === null ? {} : { retention_bytes: retentionBytes }),
    },
    compacted: (values.get('cleanup.policy') ?? '')
      .split(',')
      .map((part) => part.trim())
      .includes('compact'),
  }
}
