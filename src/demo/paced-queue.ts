/**
 * A queue of real time, for work that is due by the clock of the demo. What is not due yet waits here, in this process: a queue that
 * was told a delay could not be told later that the demo runs faster now. So it is lost with the process, as is the whole demo.
 */
import type { Job, Queue } from '../workflow/incident-ports.ts'
import type { DemoClock } from './demo-clock.ts'

/** Ms of the machine: a job that asked for more time is run again at least so often, because the pace may have changed. */
const againMs = 500
/** Ms of the demo between two tries to hand a job over. */
const pauseMs = 1_000

export function pacedQueue(real: Queue, clock: DemoClock, realNowMs: () => number = Date.now): Queue {
  const closing = new AbortController()
  const waiting = new Set<string>()
  const whenDue = async (job: Job): Promise<void> => {
    if (waiting.has(job.key)) return
    waiting.add(job.key)
    await clock.wait(job.dueAtMs - clock.nowMs(), closing.signal)
    for (let added = false; !added && !closing.signal.aborted; ) {
      added = await real.add([job]).then(
        () => true,
        () => false,
      )
      if (!added) await clock.wait(pauseMs, closing.signal)
    }
    waiting.delete(job.key)
  }
  return {
    async add(jobs) {
      const due = jobs.filter((job) => job.dueAtMs <= clock.nowMs())
      for (const job of jobs) if (!due.includes(job)) void whenDue(job)
      await real.add(due)
    },
    work: (handle) =>
      real.work(async (job, signal) => {
        const again = await handle(job, signal)
        return again === null ? null : realNowMs() + Math.min(againMs, Math.max(0, again - clock.nowMs()) / clock.pace())
      }),
    close(graceMs) {
      closing.abort()
      return real.close(graceMs)
    },
  }
}
