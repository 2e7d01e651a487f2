// The injector's hands on a running session: each call adds to what is on and leaves the rest of the load as it is.
import { setTimeout as sleep } from 'node:timers/promises'
import { FIXED_SECONDS } from './capacity.ts'
import { readBatches } from './checkpoint.ts'
import { executors } from './cluster.ts'
import type { Hands, TruthPlace } from './faults/fault.ts'
import { writeAppControl } from './job.ts'
import type { Rig } from './layout.ts'
import type { Load } from './load.ts'
import { producing, working } from './load.ts'
import { signal } from './processes.ts'
import type { ProducerControl } from './producer-control.ts'
import { writeProducerControl } from './producer-control.ts'
import type { Session } from './session.ts'
import type { SlowHost } from './slow-host.ts'
import { slowDown } from './slow-host.ts'

export interface RigHands extends Hands {
  /** The part of the truth that is known only once hands were laid on. */
  place(): Partial<TruthPlace>
  /** Lets go of processes at once, so that none stays stopped. Control files are put back by others. */
  release(): void
}

const LOOK_MS = 100
/** With every trigger comes a batch in whose midst an executor can be killed. */
const PATIENCE_TRIGGERS = 4

export function handsOn(rig: Rig, session: Session, load: Load): RigHands {
  let control: ProducerControl = producing(load)
  let delays: Readonly<Record<string, number>> = {}
  let executor: string | undefined
  let slow: SlowHost | undefined
  const executorsOn = (host: string) => executors(rig).filter((one) => one.host === host)
  return {
    produce(change) {
      control = { ...control, ...change }
      writeProducerControl(rig.producerControl, control)
    },
    delay(more) {
      delays = { ...delays, ...more }
      writeAppControl(rig.appControl, { ...working(load), delays })
    },
    async killExecutor(host) {
      const until = Date.now() + PATIENCE_TRIGGERS * session.plan.triggerMs
      while (!tasksRun(session)) {
        if (Date.now() > until) throw new Error(`no batch was seen at work within ${PATIENCE_TRIGGERS} triggers`)
        await sleep(LOOK_MS)
      }
      const [victim] = executorsOn(host)
      if (victim === undefined || !signal(victim, 'SIGKILL')) throw new Error(`no executor runs on ${host}`)
      executor = victim.id
    },
    slowHost(host, runningShare) {
      executor = executorsOn(host)[0]?.id
      if (executor === undefined) throw new Error(`no executor runs on ${host}`)
      slow = slowDown(() => executorsOn(host), runningShare)
    },
    place: () => (executor === undefined ? {} : { executor }),
    release: () => slow?.release(),
  }
}

/** True while a batch is in its tasks: after planning and Delta's snapshot, which together make the fixed part of a batch. */
function tasksRun({ checkpoint, topic }: Session): boolean {
  const last = readBatches(checkpoint, topic, 1).at(-1)
  return last !== undefined && last.endMs === undefined && Date.now() - last.startMs > FIXED_SECONDS * 1000
}
