/**
 * Everyone who asked for an incident: none of them approves alone where the policy says so. Of triggers only the newest are kept; of
 * people all, as there are only so many.
 */
import type { Incident } from './incident.ts'
import type { Actor } from './trigger.ts'

type Asked = Pick<Incident, 'requesters' | 'triggers' | 'proposals'>

/** In the order in which they first asked. */
export function requestersOf({ requesters, triggers, proposals }: Asked): readonly Actor[] {
  if (requesters !== undefined) return requesters
  // Stored by a version that did not keep them: those who can still be told.
  const told = [
    ...proposals.flatMap((card) => card.requesters),
    ...triggers.flatMap((trigger) => (trigger.kind === 'command' ? [trigger.by] : [])),
  ]
  return told.reduce<readonly Actor[]>(withOne, [])
}

export function withRequester(incident: Asked, by: Actor): readonly Actor[] {
  return withOne(requestersOf(incident), by)
}

function withOne(all: readonly Actor[], by: Actor): readonly Actor[] {
  return all.some((one) => one.user === by.user && one.team === by.team) ? all : [...all, by]
}
