/** What an incident remembers of its alerts, by fingerprint: as many as it has room for, and of the others how many they are. Pure. */
import type { Incident } from './incident.ts'
import { mostAlerts } from './incident.ts'
import type { Alert } from './trigger.ts'

/**
 * Deliveries overtake each other: the newest state counts, whatever arrives last. Where there is no room for an alert, the one that
 * resolved longest ago makes some; where all of them fire, the new one is only counted.
 */
export function noteAlert(incident: Incident, { fingerprint, status, atMs }: Alert, deliveries: number): Incident {
  const { alerts, alertsBeyond: beyond = { count: 0, firing: 0 } } = incident
  const before = alerts[fingerprint]
  const newest = before === undefined || atMs >= before.atMs ? { status, atMs } : before
  const alert = { status: newest.status, atMs: newest.atMs, deliveries: (before?.deliveries ?? 0) + deliveries }
  if (before !== undefined || Object.keys(alerts).length < mostAlerts) return { ...incident, alerts: { ...alerts, [fingerprint]: alert } }
  // Most likely one of those that are only counted; one that nobody heard firing has nothing to say.
  if (status === 'resolved') return { ...incident, alertsBeyond: { ...beyond, firing: Math.max(0, beyond.firing - 1) } }
  const gone = longestResolved(incident)
  if (gone === null) return { ...incident, alertsBeyond: { count: beyond.count + 1, firing: beyond.firing + 1 } }
  const { [gone]: _, ...rest } = alerts
  return { ...incident, alerts: { ...rest, [fingerprint]: alert }, alertsBeyond: { ...beyond, count: beyond.count + 1 } }
}

function longestResolved({ alerts }: Incident): string | null {
  const resolved = Object.entries(alerts).filter(([, { status }]) => status === 'resolved')
  // Equal times: by name, so that every store that reads them back finds the same one.
  const [oldest] = resolved.toSorted(([a, x], [b, y]) => x.atMs - y.atMs || (a < b ? -1 : 1))
  return oldest?.[0] ?? null
}

/** How many alerts an incident is about, however often each was delivered. */
export function countAlerts({ alerts, alertsBeyond }: Pick<Incident, 'alerts' | 'alertsBeyond'>): number {
  return Object.keys(alerts).length + (alertsBeyond?.count ?? 0)
}
