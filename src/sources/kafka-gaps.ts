/** What Kafka did not tell, in words for the engineer on call: partitions with the same trouble in one sentence, and the line that mends it. */
import type { Gap } from '../incident/evidence.ts'
import type { KafkaAccess } from '../incident/pipeline.ts'
import { quoted } from '../incident/shell-word.ts'
import type { KafkaFailure } from './kafka-failure.ts'

/** "partition 3", "partitions 0–4, 7": sorted, runs of three and more drawn together. */
export function partitionsInWords(partitions: Iterable<number>): string {
  const sorted = [...new Set(partitions)].sort((a, b) => a - b)
  const runs: [from: number, to: number][] = []
  for (const partition of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && partition === last[1] + 1) last[1] = partition
    else runs.push([partition, partition])
  }
  const words = runs.flatMap(([from, to]) => (to - from >= 2 ? [`${from}–${to}`] : from === to ? [`${from}`] : [`${from}`, `${to}`]))
  return `${sorted.length === 1 ? 'partition' : 'partitions'} ${words.join(', ')}`
}

export interface PartitionFailure {
  readonly partition: number
  readonly failure: KafkaFailure
}

/** One gap per kind of failure over all partitions it struck. */
export function gapsByFailure(
  unread: readonly PartitionFailure[],
  {
    source,
    signal,
    topic,
    access,
    from,
    to,
  }: { source: string; signal: string; topic: string; access: KafkaAccess; from?: number; to?: number },
): Gap[] {
  const bySentence = Map.groupBy(unread, (entry) => entry.failure.sentence)
  return [...bySentence.values()].flatMap((entries) => {
    const failure = entries[0]?.failure
    if (failure === undefined) return []
    const where = partitionsInWords(entries.map((entry) => entry.partition))
    return [
      withMend(
        {
          source,
          signal,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          reason: `${where} of ${topic}: ${failure.sentence}`,
        },
        mendFor(failure, access, topic),
      ),
    ]
  })
}

/** The gap with its mending line, where there is one. */
export function withMend(gap: Gap, mend: string | null): Gap {
  return mend === null ? gap : { ...gap, mend }
}

/** The line that closes a gap about a topic, to be run by somebody who may; null = none is known. */
export function mendFor(failure: KafkaFailure, access: KafkaAccess, topic: string): string | null {
  if (failure.kind === 'forbidden') return allow(access, 'Describe', 'topic', topic)
  if (failure.kind === 'login')
    return 'kafka.sasl and kafka.tls in the configuration: mechanism, user, password and TLS as the listener of that port expects them'
  if (failure.kind === 'certificate')
    return "NODE_EXTRA_CA_CERTS=/path/to/ca.pem in the environment, if your own authority signs the brokers' certificates"
  return null
}

/** A kafka-acls line for the principal we log in as. */
export function allow(access: KafkaAccess, operation: 'Describe' | 'DescribeConfigs', kind: 'topic' | 'group', name: string): string {
  const principal = access.sasl === null ? 'User:<the principal of our connection>' : `User:${access.sasl.username}`
  const server = access.brokers[0] ?? '<broker>'
  return `bin/kafka-acls.sh --bootstrap-server ${server} --add --allow-principal ${quoted(principal)} --operation ${operation} --${kind} ${quoted(name)}`
}
