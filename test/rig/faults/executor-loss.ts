// kill -9 of one executor in the midst of a batch. Its tasks are repeated in the other's slots, Spark has a new one there 7 s
// later, and that is cold for a batch. Measured at a trigger of 6.5 s: batches of 7, 17 and 8 s instead of 3.6, well again
// after 40 s. So it is asked early, within 45 s: at the end of the slow batches or a moment after it. An episode that ended
// less than a minute ago is to be told as such, and Spark lists the dead executor for good.
//
// Why not hold it: without a replacement two slots serve a calm reader well enough (5 s of 6.5 s), and nothing would be
// wrong; killing each replacement costs the machine a cold JVM every time, 35 s of CPU within 50 s for one alone, and Spark
// ends a query when a task has failed four times.
import { WORKER_HOSTS } from '../layout.ts'
import { drawLoad, drawWorkShare } from '../load.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const executorLoss: Fault = {
  kind: 'executor_loss',
  askWithinSeconds: 45,
  draw(draw, plan) {
    const host = draw.pick(WORKER_HOSTS)
    return {
      load: drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) }),
      place: { ...somewhere, host },
      parameters: { signal: 'SIGKILL' },
      demandOverCapacity: null,
      mechanism: 'an executor is gone in the midst of a batch: Spark lists it as removed with exit code 137',
      inject: (hands) => hands.killExecutor(host),
    }
  },
}
