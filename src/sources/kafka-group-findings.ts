/** One look at a consumer group as findings: commits, members, owners, state. Pure. */
import type { Gap, Series } from '../incident/evidence.ts'
import type { Findings } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { KafkaAccess } from '../incident/pipeline.ts'
import type { Outcome } from './kafka-failure.ts'
import { failureOf } from './kafka-failure.ts'
import { pointSeries } from './kafka-findings.ts'
import { gapsByFailure, partitionsInWords } from './kafka-gaps.ts'
import type { CommittedOffset, GroupDescription, GroupMember } from './kafka-group-requests.ts'

export interface GroupLook {
  readonly source: string
  readonly topic: string
  readonly group: string
  readonly access: KafkaAccess
  /** All partitions of the topic. */
  readonly partitions: readonly number[]
  readonly offsets: readonly CommittedOffset[]
  readonly description: Outcome<GroupDescription>
  /** When the commits were read, epoch ms. */
  readonly atMs: number
}

const COMMITTED = 'partition.committed_offset'

/** group.state: stable 0, rebalancing 1, empty 2, dead 3. */
const STATES: Readonly<Record<string, number>> = {
  Stable: 0,
  PreparingRebalance: 1,
  CompletingRebalance: 1,
  Assigning: 1,
  Reconciling: 1,
  Empty: 2,
  Dead: 3,
}

export function groupFindings(look: GroupLook): Findings {
  const { source, topic, group, access, offsets, description, atMs } = look
  const committed = offsets.filter((row) => row.error === 0 && row.offset >= 0)
  const described = description.ok && !(description.value.state === 'Dead' && description.value.epoch === null) ? description.value : null
  if (committed.length === 0 && described === null && isUnknown(description)) {
    return {
      ...emptyFindings(source),
      gaps: [
        {
          source,
          signal: null,
          reason: `group ${group} is not known to its coordinator: it never committed, or its commits have expired`,
          mend: 'group in the configuration',
        },
      ],
    }
  }
  const refused = offsets.filter((row) => row.error !== 0).map((row) => ({ partition: row.partition, failure: failureOf(row.error) }))
  return {
    ...emptyFindings(source),
    series: [
      ...committed.map((row) => pointSeries(source, COMMITTED, { topic, partition: row.partition, group }, atMs, row.offset)),
      ...(described === null ? [] : stateSeries(look, described)),
    ],
    gaps: [
      ...missingCommits(look),
      ...gapsByFailure(refused, { source, signal: COMMITTED, topic, access }),
      ...(described === null ? [stateGap(look)] : []),
    ],
    reader: {
      kind: 'consumer-group',
      group,
      ...(described === null ? {} : { protocol: described.epoch === null ? 'classic' : 'consumer' }),
    },
  }
}

function stateSeries({ source, topic, group, atMs }: GroupLook, { state, epoch, members }: GroupDescription): Series[] {
  const code = STATES[state]
  return [
    pointSeries(source, 'group.members', { group }, atMs, members.length),
    ...(code === undefined ? [] : [pointSeries(source, 'group.state', { group }, atMs, code)]),
    ...(epoch === null ? [] : [pointSeries(source, 'group.generation', { group }, atMs, epoch)]),
    ...inStableOrder(members).flatMap((member, index) => memberSeries(source, topic, group, atMs, member, index)),
  ]
}

/** Member ids change with every rebalance of a classic group; client id and host do not, so they name the k of `m<k>`. */
function inStableOrder(members: readonly GroupMember[]): GroupMember[] {
  const name = (member: GroupMember): string => `${member.clientId}\u0000${member.host}\u0000${member.id}`
  return members.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
}

function memberSeries(source: string, topic: string, group: string, atMs: number, member: GroupMember, index: number): Series[] {
  const owned = member.assigned.filter((entry) => entry.topic === topic).flatMap((entry) => entry.partitions)
  const entity = { group, member: `m${index}`, client: member.clientId, host: member.host.replace(/^\//, '') }
  return [
    pointSeries(source, 'member.assigned_partitions', entity, atMs, owned.length),
    ...owned.map((partition) => pointSeries(source, 'member.partition_owner', { topic, partition }, atMs, index)),
  ]
}

/** Without permission on the topic its rows are left out without an error; so a missing row is "not seen", a row of -1 is "no commit". */
function missingCommits({ source, topic, group, partitions, offsets }: GroupLook): Gap[] {
  const rows = new Map(offsets.map((row) => [row.partition, row]))
  const absent = partitions.filter((partition) => !rows.has(partition))
  const without = partitions.filter((partition) => rows.get(partition)?.error === 0 && (rows.get(partition)?.offset ?? 0) < 0)
  const gap = (some: readonly number[], reason: string): Gap[] =>
    some.length === 0 ? [] : [{ source, signal: COMMITTED, reason: `${partitionsInWords(some)} of ${topic}: ${reason}` }]
  return [
    ...gap(absent, `the coordinator told nothing about group ${group} here (it leaves out what this login may not see)`),
    ...gap(without, `group ${group} has not committed an offset`),
  ]
}

function isUnknown(description: Outcome<GroupDescription>): boolean {
  return description.ok || description.failure.kind === 'missing'
}

function stateGap({ source, group, description }: GroupLook): Gap {
  const why = isUnknown(description)
    ? 'its coordinator describes neither a classic group nor one of the new protocol by that name'
    : description.ok
      ? ''
      : description.failure.sentence
  return { source, signal: 'group.state', reason: `members and state of group ${group} are not known: ${why}` }
}
