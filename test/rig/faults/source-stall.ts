// The producer stops: no record arrives in any partition.
import { drawLoad, drawWorkShare } from '../load.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const sourceStall: Fault = {
  kind: 'source_stall',
  draw(draw, plan) {
    return {
      load: drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) }),
      place: somewhere,
      parameters: {},
      demandOverCapacity: null,
      mechanism: 'intake is zero',
      inject: (hands) => hands.produce({ paused: true }),
    }
  },
}
