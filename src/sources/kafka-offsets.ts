/**
 * ListOffsets over all partitions of a topic: every leader asked on its own lane, every error code looked at, a short answer
 * counted as incomplete, and what is on the move asked again. What stays unanswered comes back with its reason.
 */

import type { Cluster } from './kafka-cluster.ts'
import type { KafkaFailure } from './kafka-failure.ts'
import { failureOf } from './kafka-failure.ts'
import type { Isolation, Metadata, PartitionState } from './kafka-requests.ts'
import { listOffsetsApi } from './kafka-requests.ts'
import { pause } from './pause.ts'

/** One sweep over the partitions. A broker is asked once per round, so each partition has one time in it. */
export interface Round {
  /** Given back with each answer. */
  readonly name: string
  readonly isolation: Isolation
  /** Partition → epoch ms, or LATEST, EARLIEST. */
  readonly timestamps: ReadonlyMap<number, number>
}

export interface OffsetReading {
  readonly round: string
  readonly partition: number
  /** -1 = no record at or after the time asked. */
  readonly offset: number
  /** Stamp of the record at `offset`, epoch ms; -1 = none given. */
  readonly timestamp: number
  /** Our clock when request left and answer came, epoch ms. */
  readonly sentMs: number
  readonly answeredMs: number
}

export interface Unread {
  readonly round: string
  readonly partition: number
  readonly failure: KafkaFailure
}

/** Waits before each further try, ms; their number is the number of further tries. */
const TRY_AGAIN_AFTER_MS = [250, 500, 750]
/** An election that is going on is over by then; a partition still without a leader has lost its brokers. */
const TRIES_WITHOUT_LEADER = 1
/** Requests kept ready per broker; the cluster's limiter decides how many are really in flight. */
const LANES = 2

/**
 * Asks `rounds` in their order (so the first ones matter most when time runs out) and calls `onReading` with each answer as it
 * comes. Resolves with what could not be read; never rejects.
 */
export async function readOffsets(
  cluster: Cluster,
  topic: string,
  partitions: readonly PartitionState[],
  rounds: readonly Round[],
  signal: AbortSignal,
  onReading: (reading: OffsetReading) => void,
): Promise<readonly Unread[]> {
  let states = byNumber(partitions)
  let todo = rounds
  const settled: Unread[] = []
  for (let attempt = 0; ; attempt += 1) {
    const failures = await sweep(cluster, topic, states, todo, onReading)
    const worthIt = ({ failure }: Unread): boolean => failure.retryable && (failure.kind !== 'leaderless' || attempt < TRIES_WITHOUT_LEADER)
    const again = failures.filter(worthIt)
    settled.push(...failures.filter((entry) => !worthIt(entry)))
    const waitMs = TRY_AGAIN_AFTER_MS[attempt]
    if (again.length === 0 || waitMs === undefined || signal.aborted) return [...settled, ...again]
    await pause(waitMs, signal)
    const fresh = await cluster.metadata([topic])
    if (!fresh.ok) return [...settled, ...again]
    states = byNumber(partitionsOf(fresh.value, topic))
    todo = narrowed(rounds, again)
  }
}

/** The partitions of `topic` in a Metadata answer; none when the answer does not have it. */
export function partitionsOf(metadata: Metadata, topic: string): readonly PartitionState[] {
  const found = metadata.topics.find((state) => state.name === topic)
  return (found?.partitions ?? []).toSorted((a, b) => a.partition - b.partition)
}

function byNumber(partitions: readonly PartitionState[]): ReadonlyMap<number, PartitionState> {
  return new Map(partitions.map((state) => [state.partition, state]))
}

function leaderless(state: PartitionState | undefined): KafkaFailure {
  if (state === undefined) return failureOf(3)
  const copies = state.replicas.toSorted((a, b) => a - b)
  const where = `${copies.length === 1 ? 'broker' : 'brokers'} ${copies.join(', ')}`
  return { ...failureOf(5), sentence: `no leader: no broker with an up-to-date copy is up (copies on ${where})` }
}

function narrowed(rounds: readonly Round[], to: readonly Unread[]): readonly Round[] {
  return rounds.flatMap((round) => {
    const wanted = to.filter((entry) => entry.round === round.name)
    if (wanted.length === 0) return []
    return [{ ...round, timestamps: new Map(wanted.map(({ partition }) => [partition, round.timestamps.get(partition) ?? 0])) }]
  })
}

interface Job {
  readonly round: Round
  readonly partitions: readonly number[]
}

async function sweep(
  cluster: Cluster,
  topic: string,
  states: ReadonlyMap<number, PartitionState>,
  rounds: readonly Round[],
  onReading: (reading: OffsetReading) => void,
): Promise<Unread[]> {
  const unread: Unread[] = []
  const queues = new Map<number, Job[]>()
  for (const round of rounds) {
    const byLeader = Map.groupBy(round.timestamps.keys(), (partition) => states.get(partition)?.leader ?? -1)
    for (const [leader, partitions] of byLeader) {
      if (leader < 0)
        for (const partition of partitions) unread.push({ round: round.name, partition, failure: leaderless(states.get(partition)) })
      else queueOf(queues, leader).push({ round, partitions })
    }
  }
  const lane = async (node: number, queue: Job[]): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      unread.push(...(await askOne(cluster, node, topic, job, onReading)))
    }
  }
  const lanes = [...queues].flatMap(([node, queue]) => Array.from({ length: LANES }, () => lane(node, queue)))
  await Promise.all(lanes)
  return unread
}

function queueOf(queues: Map<number, Job[]>, node: number): Job[] {
  const known = queues.get(node)
  if (known !== undefined) return known
  const fresh: Job[] = []
  queues.set(node, fresh)
  return fresh
}

async function askOne(
  cluster: Cluster,
  node: number,
  topic: string,
  job: Job,
  onReading: (reading: OffsetReading) => void,
): Promise<Unread[]> {
  const { round, partitions } = job
  const name = round.name
  const sentMs = Date.now()
  const outcome = await cluster.ask(node, listOffsetsApi, {
    topic,
    isolation: round.isolation,
    partitions: partitions.map((partition) => ({ partition, timestamp: round.timestamps.get(partition) ?? 0 })),
  })
  const answeredMs = Date.now()
  if (!outcome.ok) return partitions.map((partition) => ({ round: name, partition, failure: outcome.failure }))
  const answers = new Map(outcome.value.map((answer) => [answer.partition, answer]))
  return partitions.flatMap((partition) => {
    const answer = answers.get(partition)
    if (answer === undefined) return [{ round: name, partition, failure: SHORT_ANSWER }]
    if (answer.error !== 0) return [{ round: name, partition, failure: failureOf(answer.error) }]
    onReading({ round: name, partition, offset: answer.offset, timestamp: answer.timestamp, sentMs, answeredMs })
    return []
  })
}

const SHORT_ANSWER: KafkaFailure = { kind: 'short', sentence: 'the broker left the partition out of its answer', retryable: true }
