/**
 * More members for a plain consumer group that is behind on all its partitions. A partition is read by one member, so members beyond
 * the partitions that have lag would stand idle, and a single hot partition is not helped at all.
 */
import { count, duration, rate, times } from '../../incident/format.ts'
import { heldAt, known } from '../../timeline/line.ts'
import { median } from '../../timeline/robust.ts'
import { bounds, mayMove, stepUp, tightest } from '../bounds.ts'
import { draining, drainsHow, flowExpected, timing } from '../expect.ts'
import type { Grounds } from '../grounds.ts'
import { isSpark } from '../grounds.ts'
import { counts } from '../interval.ts'
import type { Fit, Lever, Unfit } from '../lever.ts'
import { elsewhere, fitting, notKnown, scopeOf, unfit } from '../lever.ts'
import { consumers as consumersNow, isKnown } from '../settings.ts'
import { terms } from '../terms.ts'

/** A group divides its partitions anew within this, s, and reads nothing meanwhile (rig-kafka.md §6: 10 s at most). */
const REBALANCE_SECONDS = 10
/** Consumption is read over the newest minutes, s. */
const RECENT_SECONDS = 300

export const consumers: Lever = {
  knob: 'consumers',
  title: 'more members of the group',
  weigh(grounds): Fit | Unfit {
    const { timeline, tried, nowMs, attribution } = grounds
    if (isSpark(grounds)) return elsewhere('the reader is a Spark query, and no consumer group')
    if (attribution.cause === 'hot_partition') return unfit('one member reads one partition: more of them leave the hot one where it is')
    const from = consumersNow(grounds)
    if (!isKnown(from)) return notKnown(from)
    const not = mayMove('consumers', tried, nowMs)
    if (not !== null) return unfit(not)
    const flow = consumption(grounds)
    if (flow === null)
      return unfit('how fast the group reads could not be seen', 'add "group: <consumer group>" to the pipeline, or look again in a minute')
    const members = from.value as number
    const behind = partitionsBehind(grounds)
    const limits = [{ at: behind, why: `${behind} partitions have lag, and one member reads one` }]
    const lag = timeline.lag.v.at(-1) ?? 0
    const need = flow.intake / bounds.utilisation + (lag + flow.intake * REBALANCE_SECONDS) / bounds.catchUpSeconds
    const perMember = flow.read / members
    const step = stepUp(members, need / perMember, limits)
    if (step === null) return unfit(tightest(members, limits).why)
    const rates = [perMember * step.to, perMember * step.to * bounds.hiddenCapacity] as const
    if (rates[1] <= flow.intake) return unfit(`even ${step.to} members read at most ${rate(rates[1])} while ${rate(flow.intake)} arrive`)
    const drains = draining(grounds, rates, flow.intake, REBALANCE_SECONDS, [0, 0])
    const when = timing('consumers', REBALANCE_SECONDS, REBALANCE_SECONDS, drains?.latest ?? bounds.catchUpSeconds)
    const group = scopeOf(grounds)
    return fitting(grounds, drainsHow(drains, rates[0], flow.intake), {
      action: { knob: 'consumers', from, to: step.to, scope: group },
      arithmetic: [
        `${rate(flow.intake)} arrive, and ${members} members read ${rate(flow.read)}: ${rate(perMember)} each, or up to ${times(bounds.hiddenCapacity)} that`,
        `wanted: ${count(flow.intake)} / ${bounds.utilisation} + (${count(lag)} + ${count(flow.intake)} × ${duration(REBALANCE_SECONDS)}) / ${duration(bounds.catchUpSeconds)} = ${rate(need)}: ${counts([Math.ceil(need / perMember / bounds.hiddenCapacity), Math.ceil(need / perMember)])} members`,
        ...(step.heldBy === null ? [] : [`held at ${step.to}: ${step.heldBy}`]),
        ...(drains === null ? [] : [drains.line]),
      ],
      expects: [
        flowExpected(grounds, flow.read / flow.intake, rates, flow.intake, when),
        {
          signal: 'group.members',
          from: members,
          to: [step.to, step.to],
          unit: 'members',
          within: [0, 60],
          located: false,
          says: `the coordinator of ${group} lists ${step.to} members within a minute; that alone is no recovery`,
        },
        ...(drains === null ? [] : [drains.expects]),
      ],
      apply: [
        `Start ${step.to - members} more instance${step.to - members === 1 ? '' : 's'} of the consumer in ${group}, one after the other.`,
      ],
      test: [
        `kafka-consumer-groups.sh --describe --group ${group.replace('group ', '')} --members → ${step.to} members, each with a partition`,
      ],
      undo: ['Stop the added instances again, one after the other.'],
      stopIf: [
        'the group keeps dividing its partitions for more than a minute',
        `the group reads less than ${rate(flow.read)} after a minute: whatever it writes to is the limit`,
      ],
      willNotFix: ['why there is more work than before', 'one partition that is hotter than one member can read'],
    })
  },
}

/** A partition has lag that has at least this part of an even share of it: a few records in flight are none. */
const PART_OF_EVEN = 0.1

function partitionsBehind({ timeline: { partitions, now } }: Grounds): number {
  const lags = partitions.map((one) => heldAt(one.lag, now) ?? 0)
  const even = lags.reduce((a, b) => a + b, 0) / Math.max(1, lags.length)
  return lags.filter((lag) => lag > 0 && lag >= PART_OF_EVEN * even).length
}

/** Records/s that the group reads and that arrive; null = not seen for long enough. */
function consumption(grounds: Grounds): { readonly read: number; readonly intake: number } | null {
  const { timeline } = grounds
  const from = timeline.now - RECENT_SECONDS
  const ratios = terms['reader.flow_ratio'].read(grounds, from).map((one) => one.value)
  const rates = known(timeline.intake, from, timeline.now).map(([, value]) => value)
  if (ratios.length === 0 || rates.length === 0) return null
  const intake = median(rates)
  return intake <= 0 ? null : { intake, read: intake * median(ratios) }
}
