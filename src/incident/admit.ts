/** The app became a member of a channel that had refused it: what stands there may be posted now. */
import type { Incident } from './incident.ts'
import type { Admitted } from './input.ts'

export function admit(incident: Incident, { channel }: Admitted, nowMs: number): Incident {
  // A new time makes it a new edition, so that it is sent again.
  const tellings = incident.tellings.map((one) => (one.channel === channel ? { ...one, notBeforeMs: nowMs } : one))
  return { ...incident, tellings }
}
