// All partitions get a multiple of their records; cost per record and skew stay. The factor is drawn so that the work
// arriving exceeds what the slots can do, fixed cost aside: no batch size catches up.
import { demandOverCapacity } from '../capacity.ts'
import { overloadFor, settledMechanism } from '../held.ts'
import { drawLoad, drawWorkShare, producing, recordSeconds } from '../load.ts'
import { partitionRates } from '../producer-control.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const intakeSurge: Fault = {
  kind: 'intake_surge',
  draw(draw, plan, heldSeconds) {
    const workShare = drawWorkShare(draw, plan)
    const factor = overloadFor(draw.between(1.3, 1.7), plan.triggerMs / 1000, heldSeconds) / workShare
    const load = drawLoad(draw, plan, { workShare, peakFactor: factor })
    const rate = Math.round(load.rate * factor)
    const demand = demandOverCapacity(partitionRates({ ...producing(load), rate }), recordSeconds(load))
    return {
      load,
      place: somewhere,
      parameters: { rate, times: rate / load.rate },
      demandOverCapacity: demand,
      mechanism: settledMechanism(demand, plan.triggerMs / 1000),
      inject: (hands) => hands.produce({ rate }),
    }
  },
}
