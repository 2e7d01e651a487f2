/**
 * Takes the leadership of a topic's partitions away from one broker that is the trouble, by a file that the owner of the cluster runs:
 * the same replicas, the sick one last, so no data moves. Others use that cluster too, so it is never proposed for anything else.
 */
import { listed, partitionsNamed } from '../../incident/format.ts'
import { bounds, mayMove } from '../bounds.ts'
import { levels, located, timing, usualLag } from '../expect.ts'
import type { Grounds } from '../grounds.ts'
import { isSpark } from '../grounds.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { fitting, unfit } from '../lever.ts'

export const partitionReassignment: Lever = {
  knob: 'partitionReassignment',
  title: 'other leaders for its partitions',
  weigh(grounds): Fit | Unfit {
    const { attribution, evidence, timeline, tried, nowMs } = grounds
    const broker = Number(attribution.place.broker)
    const topic = attribution.place.topic ?? evidence.pipeline.topics[0]?.name
    if (attribution.place.broker === null || !Number.isInteger(broker) || topic === undefined) return unfit('the trouble is not one broker')
    const not = mayMove('partitionReassignment', tried, nowMs)
    if (not !== null) return unfit(not)
    const leaders = leadersOf(grounds, topic)
    const led = [...leaders].filter(([, leader]) => leader === broker).map(([partition]) => partition)
    if (led.length === 0) return unfit(`broker ${broker} leads no partition of ${topic}`)
    const replicas = evidence.pipeline.topics.find((one) => one.name === topic)?.replicas
    if (replicas === undefined)
      return unfit(`which brokers hold copies of ${topic} was not seen`, 'let Headwater reach the Kafka brokers (Describe on the topic)')
    const alone = led.filter((partition) => (replicas[String(partition)] ?? []).length < 2)
    if (alone.length > 0) return unfit(`broker ${broker} holds the only copy of ${partitionsNamed(alone)}`)
    const moves = spreadOut(led, leaders, replicas, broker)
    if (moves === null) return unfit(`the other brokers would lead more than ${bounds.largestStep} times what they lead now`)
    const when = timing('partitionReassignment', timeline.triggerS ?? 10, timeline.triggerS ?? 10, bounds.catchUpSeconds)
    const name = isSpark(grounds) ? 'reader.load' : 'reader.flow_ratio'
    const [now, back] =
      name === 'reader.load'
        ? [Math.max(1, ...levels(grounds, name).now), [0, 0.95] as const]
        : [Math.min(1, ...levels(grounds, name).now), [1, 2] as const]
    const file = (order: (partition: number) => readonly number[]) =>
      JSON.stringify({ version: 1, partitions: led.map((partition) => ({ topic, partition, replicas: order(partition) })) })
    const bootstrap = evidence.pipeline.look?.bootstrap ?? 'BROKER:9092'
    const run = (name: string) => `kafka-reassign-partitions.sh --bootstrap-server ${bootstrap} --reassignment-json-file ${name} --execute`
    const elect = led.map(
      (partition) =>
        `kafka-leader-election.sh --bootstrap-server ${bootstrap} --election-type preferred --topic ${topic} --partition ${partition}`,
    )
    return fitting(grounds, 'perhaps', {
      action: {
        knob: 'partitionReassignment',
        from: { value: led.length, provenance: 'read', how: `the brokers say that ${broker} leads ${partitionsNamed(led)}` },
        to: 0,
        scope: `leaders of ${topic} on broker ${broker}`,
      },
      arithmetic: [
        `broker ${broker} leads ${led.length} of ${leaders.size} partitions of ${topic}; each has a copy elsewhere`,
        ...[...moves.gains]
          .sort(([a], [b]) => a - b)
          .map(([to, gained]) => `broker ${to} then leads ${moves.had(to) + gained}, ${moves.had(to)} before`),
        'the copies stay where they are, only their order changes: no data moves',
      ],
      expects: [
        located(grounds, { name, now, predicted: back, timing: when }),
        {
          signal: 'reader.lag',
          from: Math.round(grounds.facts.lag?.now ?? 0),
          to: [0, Math.round(usualLag(grounds))],
          unit: 'records',
          within: [0, bounds.catchUpSeconds],
          located: false,
          says: 'lag: it falls, for the partitions of that broker first',
        },
      ],
      apply: [`Save as leaders.json: ${file((partition) => moves.order(partition))}`, run('leaders.json'), ...elect],
      test: [
        `kafka-topics.sh --bootstrap-server ${bootstrap} --describe --topic ${topic} → no "Leader: ${broker}" for ${partitionsNamed(led)}`,
      ],
      undo: [`Save as before.json: ${file((partition) => replicas[String(partition)] as readonly number[])}`, run('before.json'), ...elect],
      stopIf: [
        `a partition of ${topic} has no leader`,
        `requests to ${listed([...moves.gains.keys()].map((to) => `broker ${to}`))} get slower than those to broker ${broker} are now`,
      ],
      willNotFix: [`what is wrong with broker ${broker}: its other topics stay on it`],
    })
  },
}

/** Newest leader of each partition, in order of the partitions; those without one are left out. */
function leadersOf({ evidence }: Grounds, topic: string): Map<number, number> {
  const leaders = new Map<number, number>()
  const series = evidence.series.filter(
    (one) => one.signal === 'partition.leader' && one.entity.topic === topic && one.entity.partition !== undefined,
  )
  for (const one of series.toSorted((a, b) => (a.entity.partition as number) - (b.entity.partition as number))) {
    const leader = one.v.findLast((value) => value !== null)
    if (typeof leader === 'number' && leader >= 0) leaders.set(one.entity.partition as number, leader)
  }
  return leaders
}

interface Moves {
  /** Leaders that each broker gains. */
  readonly gains: ReadonlyMap<number, number>
  readonly had: (broker: number) => number
  /** Replicas in their new order of preference. */
  readonly order: (partition: number) => readonly number[]
}

/** Each partition goes to the broker among its copies that leads fewest by then; of equal ones the lower id. null = too much for one of them. */
function spreadOut(
  led: readonly number[],
  leaders: ReadonlyMap<number, number>,
  replicas: Readonly<Record<string, readonly number[]>>,
  broker: number,
): Moves | null {
  const had = (id: number) => [...leaders.values()].filter((leader) => leader === id).length
  const gains = new Map<number, number>()
  const order = new Map<number, readonly number[]>()
  for (const partition of led) {
    const copies = (replicas[String(partition)] ?? []).filter((id) => id !== broker)
    const leads = (id: number) => had(id) + (gains.get(id) ?? 0)
    const [next] = copies.toSorted((a, b) => leads(a) - leads(b) || a - b)
    if (next === undefined) return null
    gains.set(next, (gains.get(next) ?? 0) + 1)
    order.set(partition, [next, ...copies.filter((id) => id !== next), broker])
  }
  for (const [id, gained] of gains) if (had(id) + gained > Math.max(1, had(id)) * bounds.largestStep) return null
  return { gains, had, order: (partition) => order.get(partition) ?? [] }
}
