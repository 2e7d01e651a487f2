// One partition takes most of the records (a key that suddenly dominates); the total rises only as far as one slot must
// be overloaded. One task then works while the other slots wait.
import { demandOverCapacity, makespan } from '../capacity.ts'
import { overloadFor, settledMechanism } from '../held.ts'
import { drawLoad, drawWorkShare, producing, recordSeconds } from '../load.ts'
import { partitionRates } from '../producer-control.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const hotPartition: Fault = {
  kind: 'hot_partition',
  draw(draw, plan, heldSeconds) {
    const workShare = drawWorkShare(draw, plan)
    const wanted = draw.between(0.7, 0.9)
    const overload = overloadFor(draw.between(1.3, 1.7), plan.triggerMs / 1000, heldSeconds)
    // one slot alone must be overloaded: about four times the slots' share of the work
    const factor = Math.max(1, overload / (workShare * 4 * wanted)) * 1.1
    const load = drawLoad(draw, plan, { workShare, peakFactor: factor })
    const slotShare = makespan(load.weights) / load.weights.reduce((all, weight) => all + weight, 0)
    // a demand that only settles may be less than that share of the usual records already is
    const share = Math.min(wanted, (overload * slotShare) / workShare)
    const rate = Math.round(load.rate * Math.max(1, (overload * slotShare) / (workShare * share)))
    const partition = draw.whole(0, plan.partitions - 1)
    const hot = { partition, share }
    const demand = demandOverCapacity(partitionRates({ ...producing(load), rate, hot }), recordSeconds(load))
    return {
      load,
      place: { ...somewhere, partitions: [partition] },
      parameters: { share, rate, times: rate / load.rate },
      demandOverCapacity: demand,
      mechanism: settledMechanism(demand, plan.triggerMs / 1000),
      inject: (hands) => hands.produce({ rate, hot }),
    }
  },
}
