/** Every implementation of the queue, each as a test can open it: the same tests run over all of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { bullmqQueue } from '../../src/queue/bullmq-queue.ts'
import { inProcessQueue } from '../../src/queue/in-process-queue.ts'
import type { AtOnce } from '../../src/queue/lanes.ts'
import type { Trouble } from '../../src/queue/trouble.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import type { Queue } from '../../src/workflow/incident-ports.ts'
import { noon } from '../build/stored-values.ts'
import type { TestRedis } from '../rig/redis.ts'
import { startRedis } from '../rig/redis.ts'
import { redisProgram } from '../rig/toolchain.ts'
import { virtualClock } from './virtual-clock.ts'

/** A failed job pauses 100, 200, 400, 400 … ms. */
export const shortPauses = { firstMs: 100, mostMs: 400 }

export interface OpenQueue {
  readonly queue: Queue
  readonly clock: Clock
  /** What was told of trouble, in words. */
  readonly told: readonly string[]
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** Closes it, letting the time pass that this takes. */
  readonly close: (graceMs: number) => Promise<void>
  /** The same queue in another process; null where there can be none. */
  readonly another: (() => Promise<OpenQueue>) | null
}

export interface QueueKind {
  readonly name: string
  /** false = what it needs is missing on this machine. */
  readonly here: boolean
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  /** A new, empty one. */
  readonly open: (atOnce?: AtOnce) => Promise<OpenQueue>
}

const few: AtOnce = { quick: 2, slow: 1 }

export function inProcessKind(): QueueKind {
  return {
    name: 'in process',
    here: true,
    begin: async () => {},
    end: async () => {},
    async open(atOnce = few) {
      const told: string[] = []
      const clock = virtualClock(noon)
      const queue = inProcessQueue({ clock, atOnce, pauses: shortPauses, troubled: (trouble) => told.push(words(trouble)) })
      const forever = new AbortController().signal
      return {
        queue,
        clock,
        told,
        pass: (ms) => clock.run(clock.wait(ms, forever)),
        close: (graceMs) => clock.run(queue.close(graceMs)),
        another: null,
      }
    },
  }
}

const wallClock: Clock = {
  nowMs: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
}

export function bullmqKind(): QueueKind {
  let redis: TestRedis
  let count = 0
  const opened: OpenQueue[] = []
  const openAt = async (prefix: string, atOnce: AtOnce): Promise<OpenQueue> => {
    const told: string[] = []
    const troubled = (trouble: Trouble): void => void told.push(words(trouble))
    const queue = await bullmqQueue({ url: redis.url, prefix, clock: wallClock, atOnce, pauses: shortPauses, troubled })
    const one: OpenQueue = {
      queue,
      clock: wallClock,
      told,
      pass: async (ms) => {
        await sleep(ms)
      },
      close: queue.close,
      another: () => openAt(prefix, atOnce),
    }
    opened.push(one)
    return one
  }
  return {
    name: 'of BullMQ',
    here: redisProgram() !== null,
    async begin() {
      redis = await startRedis()
    },
    async end() {
      await Promise.all(opened.map(({ close }) => close(0)))
      await redis.stop()
    },
    open: (atOnce = few) => openAt(`test-${count++}`, atOnce),
  }
}

function words({ job, says, again }: Trouble): string {
  return `${job ?? 'the queue'}: ${says}${again ? ', again' : ''}`
}
