/** What Kafka itself tells of its topics and groups, asked with its own tools. */
import { grouped, partitionsNamed } from '../../incident/format.ts'
import { ON_TIME_SECONDS } from '../../timeline/arrival.ts'
import { rateIn } from '../../timeline/level.ts'
import { heldAt, indexAt } from '../../timeline/line.ts'
import type { PartitionFlow } from '../../timeline/timeline.ts'
import type { Check, NoCheck } from '../attribution.ts'
import type { Facts } from '../facts.ts'
import { option } from './shell.ts'

/** Two looks by hand are about this far apart, s. */
const LOOK_AGAIN = 10
/** The rate that such looks will see is the one of the last seconds. */
const RATE_OVER = 30
const NO_TOPIC: NoCheck = { none: 'no topic is named' }

/** Which partition is meant; a number alone names one of every topic. */
type Of = Pick<PartitionFlow, 'topic' | 'partition'>

/** A command of Kafka with all it needs to get in. */
function kafka(facts: Facts, tool: string, rest: readonly string[], expect: string): Check {
  const { look } = facts.timeline.pipeline
  const secured = look?.security_protocol
  const login = secured === undefined ? [] : ['--command-config client.properties']
  const mechanism = look?.sasl_mechanism === undefined ? '' : `, sasl.mechanism=${look.sasl_mechanism} and your login`
  return {
    command: [tool, option('--bootstrap-server', look?.bootstrap || 'BROKER:9092'), ...login, ...rest].join(' '),
    expect,
    ...(secured === undefined ? {} : { needs: `client.properties: a file of yours with security.protocol=${secured}${mechanism}` }),
  }
}

const topicOf = (facts: Facts) => facts.timeline.partitions[0]?.topic ?? facts.timeline.pipeline.topics[0]?.name

const newest = (flow: PartitionFlow) => flow.arrived.v.at(-1) ?? flow.logEnd.v.at(-1) ?? null

function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, v) => (sum === null || v === null ? null : sum + v), 0)
}

/** Log ends of a partition, or of the whole topic: how far they are, and how far they will be a moment later. */
export function intakeCheck(facts: Facts, of?: Of): Check | NoCheck {
  const topic = of?.topic ?? topicOf(facts)
  if (topic === undefined) return NO_TOPIC
  const { partitions, now } = facts.timeline
  const flows = partitions.filter((flow) => flow.topic === topic && (of === undefined || flow.partition === of.partition))
  const end = flows.length === 0 ? null : sumOf(flows.map(newest))
  const rate = flows.length === 0 ? null : sumOf(flows.map((flow) => rateIn(flow, [now - RATE_OVER, now])))
  const at = end === null ? 'offsets' : `${of === undefined ? 'offsets that add up to' : ''} at least ${grouped(end)}`.trim()
  // Two digits: nobody's watch is better.
  const more = rate === null ? 0 : Number((rate * LOOK_AGAIN).toPrecision(2))
  const later = rate === null ? '' : more < 1 ? `, the same ${LOOK_AGAIN} s later` : `, about ${grouped(more)} more ${LOOK_AGAIN} s later`
  const only = of === undefined ? [] : [`--partitions ${of.partition}`]
  return kafka(facts, 'kafka-get-offsets.sh', [option('--topic', topic), ...only, '--time latest'], `${at}${later}`)
}

/** Of partitions that did not answer: whether they do now. */
export function unreadCheck(facts: Facts, partitions: readonly number[]): Check | NoCheck {
  const topic = topicOf(facts)
  if (topic === undefined) return NO_TOPIC
  const rest = [option('--topic', topic), `--partitions ${partitions.join(',')}`, '--time latest']
  return kafka(facts, 'kafka-get-offsets.sh', rest, `no offset for ${partitionsNamed(partitions)} until its broker answers`)
}

export function leaderCheck(facts: Facts, partitions: readonly number[]): Check | NoCheck {
  const topic = topicOf(facts)
  if (topic === undefined) return NO_TOPIC
  return kafka(facts, 'kafka-topics.sh', ['--describe', option('--topic', topic)], `"Leader: none" for ${partitionsNamed(partitions)}`)
}

/** By the times that records bear: the offset at which they pass a moment, against where the log ended then. */
export function recordTimeCheck(facts: Facts, of: Of, at: number): Check | NoCheck {
  const flow = facts.timeline.partitions.find((one) => one.topic === of.topic && one.partition === of.partition)
  const i = flow === undefined ? -1 : indexAt(flow.made.t, at - ON_TIME_SECONDS)
  const offset = flow?.made.v[i]
  if (flow === undefined || typeof offset !== 'number') return intakeCheck(facts, of)
  const ms = Math.round((facts.timeline.zeroS + (flow.made.t[i] as number)) * 1000)
  const arrived = heldAt(flow.arrived, at)
  const there = arrived === null ? '' : `; the log ended at ${grouped(arrived)} at {at ${at.toFixed(1)}}`
  const rest = [option('--topic', of.topic), `--partitions ${of.partition}`, `--time ${ms}`]
  return kafka(facts, 'kafka-get-offsets.sh', rest, `about ${grouped(offset)}${there}`)
}

/** What a plain consumer group has committed; null where the reader is none. */
export function groupCheck(facts: Facts): Check | null {
  const { group, kind } = facts.timeline.pipeline.reader
  if (group === undefined || kind !== 'consumer-group') return null
  const lag = facts.timeline.lag.v.at(-1) ?? null
  const expect = `LAG ${lag === null ? 'per partition' : `that adds up to about ${grouped(lag)}`}, and whether CURRENT-OFFSET moves`
  return kafka(facts, 'kafka-consumer-groups.sh', ['--describe', option('--group', group)], expect)
}
