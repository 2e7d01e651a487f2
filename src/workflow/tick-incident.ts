/** One "tick" job: what only the clock does to an incident. */
import { passTime } from '../incident/pass-time.ts'
import type { AttendPorts } from './attend-pipeline.ts'
import { move } from './diagnose-incident.ts'

/** Too early, twice or too late: it does what is due now. */
export async function tickIncident(id: string, ports: Pick<AttendPorts, 'store' | 'teller' | 'ledgerKey' | 'nowMs'>): Promise<void> {
  await move(id, ports, (incident, _, nowMs) => passTime(incident, nowMs))
}
