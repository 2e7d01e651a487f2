// kill -9 of one executor; its worker starts another some seconds later. An event of ten seconds, then a cold JVM.
import { WORKER_HOSTS } from '../layout.ts'
import { drawLoad, drawWorkShare } from '../load.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

export const executorLoss: Fault = {
  kind: 'executor_loss',
  draw(draw, plan) {
    const host = draw.pick(WORKER_HOSTS)
    return {
      load: drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan) }),
      place: { ...somewhere, host },
      parameters: { signal: 'SIGKILL' },
      demandOverCapacity: null,
      mechanism: 'an executor is gone: Spark lists it as removed with exit code 137',
      inject: (hands) => ({ executor: hands.killExecutor(host).id }),
    }
  },
}
