/**
 * Alerts that no pipeline means are kept like an incident that was never open: nothing is looked at and nobody signs, but what came
 * within an hour is one list, so that a storm of them is one message. Pure.
 */
import type { Incident } from './incident.ts'
import { incidentRules } from './incident-rules.ts'
import type { Routing } from './join.ts'
import { added, begun } from './join.ts'
import type { Alert } from './trigger.ts'
import type { Unmapped } from './unmapped.ts'

/** @param id of the list if a new one begins: the same when the same alert is dealt with again */
export function joinUnmapped(
  before: Incident | null,
  unmapped: Unmapped,
  deliveries: number,
  nowMs: number,
  id: string,
  routing: Routing,
): Incident {
  const alert: Alert = { ...unmapped, kind: 'alert', status: 'firing', startsAtMs: null }
  const together = before !== null && nowMs - before.openedAtMs < incidentRules.unmappedTogetherMs
  const list = together ? before : { ...begun(alert, nowMs, id), state: 'closed' as const, closedAtMs: nowMs }
  return added(list, alert, deliveries, routing)
}
