/** What goes wrong in the queue, as lines of the log: the same of its connection at most once in half a minute. */
import { incidentIn } from '../incident/incident-in.ts'
import type { Log } from '../log.ts'
import type { Trouble } from '../queue/trouble.ts'

const silenceMs = 30_000

export function queueTrouble(log: Log): (trouble: Trouble) => void {
  let spokenMs = Number.NEGATIVE_INFINITY
  return ({ job, says, again }) => {
    if (job !== null) {
      const fields = { ...incidentIn(job), job, why: says }
      if (again) log.warn('a job could not be done now; it is tried again', fields)
      else log.error('a job is given up', fields)
      return
    }
    if (performance.now() - spokenMs < silenceMs) return
    spokenMs = performance.now()
    log.warn('the queue is in trouble; it goes on by itself when Redis does', { why: says })
  }
}
