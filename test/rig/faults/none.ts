// Quiet control: the load goes on as it was. A verdict must say that nothing is wrong.
import { drawLoad, drawWorkShare } from '../load.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const none: Fault = {
  kind: 'none',
  draw(draw, plan) {
    return {
      load: drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) }),
      place: somewhere,
      parameters: {},
      demandOverCapacity: null,
      mechanism: 'nothing is injected',
      inject: () => undefined,
    }
  },
}
