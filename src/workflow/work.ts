/** What a worker does: each kind of job has its handler, and the pump brings the jobs. Any number of workers may run. */
import type { AttendPorts } from './attend-pipeline.ts'
import { attendPipeline } from './attend-pipeline.ts'
import type { CheckPorts } from './check-change.ts'
import { checkChange } from './check-change.ts'
import type { DiagnosePorts } from './diagnose-incident.ts'
import { diagnoseIncident } from './diagnose-incident.ts'
import type { Handle, Job } from './incident-ports.ts'
import type { SendPorts } from './send.ts'
import { send } from './send.ts'
import { tickIncident } from './tick-incident.ts'

export interface WorkPorts extends AttendPorts, DiagnosePorts, CheckPorts, SendPorts {
  readonly store: AttendPorts['store']
}

export function handlerOf(ports: WorkPorts): Handle {
  return async (job, signal) => {
    // The clock of the queue is ahead of ours: what is due by time would be found not due, and never be asked for again.
    if (job.dueAtMs > ports.clock.nowMs()) return job.dueAtMs
    return run(job, ports, signal)
  }
}

async function run(job: Job, ports: WorkPorts, signal: AbortSignal): Promise<number | null> {
  switch (job.kind) {
    case 'attend':
      await attendPipeline(job.of, ports)
      return null
    case 'diagnose':
      await diagnoseIncident(job.of, Number(job.with.revision), ports, signal)
      return null
    case 'look':
      await checkChange(job.of, Number(job.with.planned), ports, signal)
      return null
    case 'tick':
      await tickIncident(job.of, ports)
      return null
    case 'send':
      return send(job.of, Number(job.with.edition), ports, signal)
  }
}
