// The table's storage gets slow: at each data file (felt in the write tasks) or at each file of _delta_log (felt on the
// driver in the commit). A delay of the file system, not a sleep in the job; intake and cost per record stay.
import { batchSecondsAt, waves } from '../capacity.ts'
import { drawLoad, drawWorkShare, producing, recordSeconds } from '../load.ts'
import { partitionRates } from '../producer-control.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

/** Files that Delta writes per commit: N.json and N.crc. Measured: 3 s a file make the batch 6.1–6.5 s longer. */
const COMMIT_FILES = 2

export const slowSink: Fault = {
  kind: 'slow_sink',
  draw(draw, plan) {
    const phase = draw.pick(['write', 'commit'] as const)
    const key = phase === 'write' ? draw.pick(['data.create', 'data.close']) : draw.pick(['log.create', 'log.close', 'log.rename'])
    const load = drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) })
    const trigger = plan.triggerMs / 1000
    const healthy = batchSecondsAt(partitionRates(producing(load)), recordSeconds(load), trigger)
    const times = phase === 'write' ? waves(plan.partitions) : COMMIT_FILES
    const delayMs = Math.round(((draw.between(1.3, 2.2) * trigger - healthy) / times) * 1000)
    return {
      load,
      place: { ...somewhere, phase },
      parameters: { key, delayMs },
      // at the trigger's own pace: the time that one trigger's records need over the time there is
      demandOverCapacity: (healthy + (times * delayMs) / 1000) / trigger,
      mechanism: null,
      inject: (hands) => hands.delay({ [key]: delayMs }),
    }
  },
}
