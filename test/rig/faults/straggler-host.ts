// One host runs its executor only a small share of the time, as a machine that swaps or is overbooked does. Its tasks take
// many times as long, the other host's do not; rows per task and intake stay.
import { slowHostBatchSeconds } from '../capacity.ts'
import { WORKER_HOSTS } from '../layout.ts'
import { drawLoad, drawWorkShare, producing, recordSeconds } from '../load.ts'
import { partitionRates } from '../producer-control.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

/** How many times slower: below, batches stay within the trigger; above, slices get too short to be kept. */
const SLOWER = { least: 3, most: 16, step: 0.5 } as const

export const stragglerHost: Fault = {
  kind: 'straggler_host',
  notYet: true,
  draw(draw, plan) {
    const host = draw.pick(WORKER_HOSTS)
    const load = drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) })
    const trigger = plan.triggerMs / 1000
    const rates = partitionRates(producing(load))
    const ratioAt = (times: number): number => slowHostBatchSeconds(rates, recordSeconds(load), trigger, times) / trigger
    const wanted = draw.between(1.4, 2)
    let times: number = SLOWER.least
    while (times < SLOWER.most && ratioAt(times) < wanted) times += SLOWER.step
    const runningShare = 1 / times
    return {
      load,
      place: { ...somewhere, host },
      parameters: { runningShare, times },
      // at the trigger's own pace, as for a slow sink
      demandOverCapacity: ratioAt(times),
      mechanism: null,
      inject: (hands) => hands.slowHost(host, runningShare),
    }
  },
}
