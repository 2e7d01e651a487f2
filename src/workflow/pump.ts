/**
 * Carries the jobs that commits and inputs asked for from the store into the queue. A commit only writes down what it asks for, in
 * the same step as everything else; the pump adds it to the queue and then says so. When it dies in between, the next round adds
 * the same jobs again, which the queue takes as one. Any number of pumps may run at a time.
 */
import { HeadwaterError, messageOf } from '../errors.ts'
import type { Clock } from './clock.ts'
import type { Queue, Store } from './incident-ports.ts'

/** Jobs of one round. */
const mostJobs = 200

/** Ms between two looks at an empty list, and between two tries while store or queue is away. */
const pauseMs = { idle: 100, first: 200, most: 5_000 }

export interface PumpPorts {
  readonly store: Pick<Store, 'asked' | 'handedOver'>
  readonly queue: Pick<Queue, 'add'>
  readonly clock: Clock
}

/** One round. @returns how many jobs were handed over */
export async function handOver({ store, queue, clock }: PumpPorts): Promise<number> {
  const jobs = await store.asked(clock.nowMs(), mostJobs)
  if (jobs.length === 0) return 0
  await queue.add(jobs)
  await store.handedOver(jobs.map((job) => job.key))
  return jobs.length
}

/**
 * Round after round until the signal aborts. Never rejects: what goes wrong is told, and tried again after a growing pause.
 * @param troubled one sentence for the log; `again` = trying again can help
 */
export async function pump(ports: PumpPorts, signal: AbortSignal, troubled: (says: string, again: boolean) => void): Promise<void> {
  let pause = pauseMs.first
  while (!signal.aborted) {
    try {
      const moved = await handOver(ports)
      pause = pauseMs.first
      if (moved < mostJobs) await ports.clock.wait(pauseMs.idle, signal)
    } catch (error) {
      troubled(messageOf(error), error instanceof HeadwaterError && error.retryable)
      await ports.clock.wait(pause, signal)
      pause = Math.min(pause * 2, pauseMs.most)
    }
  }
}
