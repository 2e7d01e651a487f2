// The injector's hands on a running session: each call adds to what is on and leaves the rest of the load as it is.
import { executors } from './cluster.ts'
import type { Hands } from './faults/fault.ts'
import { writeAppControl } from './job.ts'
import type { Rig } from './layout.ts'
import type { Load } from './load.ts'
import { producing, working } from './load.ts'
import { signal } from './processes.ts'
import type { ProducerControl } from './producer-control.ts'
import { writeProducerControl } from './producer-control.ts'

export function handsOn(rig: Rig, load: Load): Hands {
  let control: ProducerControl = producing(load)
  let delays: Readonly<Record<string, number>> = {}
  return {
    produce(change) {
      control = { ...control, ...change }
      writeProducerControl(rig.producerControl, control)
    },
    delay(more) {
      delays = { ...delays, ...more }
      writeAppControl(rig.appControl, { ...working(load), delays })
    },
    killExecutor(host) {
      const victim = executors(rig).find((executor) => executor.host === host)
      if (victim === undefined || !signal(victim, 'SIGKILL')) throw new Error(`no executor runs on ${host}`)
      return victim
    },
  }
}
