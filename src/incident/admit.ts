/** The app became a member of a channel that had refused it: all that should stand there is wanted anew from now on. */
import type { Incident } from './incident.ts'
import type { Admitted } from './input.ts'

/** @returns the same incident where it is not told in that channel */
export function admit(incident: Incident, { channel }: Admitted, nowMs: number): Incident {
  if (!incident.tellings.some((one) => one.channel === channel)) return incident
  return { ...incident, tellings: incident.tellings.map((one) => (one.channel === channel ? { ...one, admittedAtMs: nowMs } : one)) }
}
