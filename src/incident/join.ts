/** A trigger opens an incident, or joins the open one of its pipeline. Pure: the same trigger twice changes nothing but a count. */
import type { Incident, Revision, Telling } from './incident.ts'
import { incidentVersion, mostRevisions, mostTriggers } from './incident.ts'
import { incidentRules } from './incident-rules.ts'
import { noteAlert } from './note-alert.ts'
import { requestersOf, withRequester } from './requesters.ts'
import { toldToTheNext } from './tried.ts'
import type { Alert, Command, Trigger } from './trigger.ts'

/** Channel in which an alert is told; null = in none. */
export interface Routing {
  readonly alertChannel: string | null
}

/**
 * @param id of the incident if one has to be opened: unique, and the same when the same trigger is dealt with again
 * @returns with one more revision queued, where no diagnosis that is fresh enough is there or under way
 */
export function join(open: Incident | null, trigger: Trigger, deliveries: number, nowMs: number, id: string, routing: Routing): Incident {
  if (open === null || open.state === 'closed') {
    if (open !== null && trigger.kind === 'alert' && isOfBefore(open, trigger)) return afterwards(open, trigger, deliveries)
    if (trigger.kind === 'alert' && trigger.status === 'resolved') return open ?? nothingOpen(trigger, nowMs, id)
    const next = { ...begun(trigger, nowMs, id), ...(open === null ? {} : toldToTheNext(open, nowMs)) }
    return ask(added(next, trigger, deliveries, routing), trigger, nowMs)
  }
  const known = open.triggers.some((one) => one.key === trigger.key)
  const incident = known ? counted(open, trigger, deliveries) : added(open, trigger, deliveries, routing)
  return known || !asksAgain(open, trigger, nowMs) ? incident : ask(incident, trigger, nowMs)
}

/** With nothing in it yet. */
export function begun(trigger: Trigger, nowMs: number, id: string): Incident {
  return {
    v: incidentVersion,
    id,
    pipeline: trigger.pipeline,
    state: 'open',
    openedAtMs: nowMs,
    closedAtMs: null,
    closedBecause: null,
    triggers: [],
    triggersBefore: 0,
    lastTriggerMs: nowMs,
    alerts: {},
    tellings: [],
    revisions: [],
    verdict: null,
    verdictBefore: null,
    remedy: null,
    proposals: [],
    recovery: null,
  }
}

/**
 * Whether an alert belongs to the incident that is closed: it resolves now, or it fires on for a while after a recovery, as the lag that
 * it watches goes down slower than its cause is mended. One that began after the close is news.
 */
function isOfBefore({ closedBecause, closedAtMs, alerts }: Incident, { status, atMs, fingerprint, startsAtMs }: Alert): boolean {
  if (status === 'resolved') return alerts[fingerprint] !== undefined
  if (closedBecause !== 'recovered' || closedAtMs === null || atMs - closedAtMs > incidentRules.settlesMs) return false
  return startsAtMs === null ? alerts[fingerprint]?.status === 'firing' : startsAtMs < closedAtMs
}

/** It is listed, and told nowhere anew. */
function afterwards(closed: Incident, alert: Alert, deliveries: number): Incident {
  const known = closed.triggers.some(({ key }) => key === alert.key)
  return known ? counted(closed, alert, deliveries) : added(closed, alert, deliveries, { alertChannel: null })
}

/** "Resolved" of an alert that nobody heard firing is no incident: it is kept as a closed one, so that nothing is told. */
function nothingOpen(trigger: Trigger, nowMs: number, id: string): Incident {
  return { ...begun(trigger, nowMs, id), state: 'closed', closedAtMs: nowMs, closedBecause: 'resolved' }
}

export function added(incident: Incident, trigger: Trigger, deliveries: number, routing: Routing): Incident {
  const triggers = [...incident.triggers, remembered(trigger)]
  const gone = Math.max(0, triggers.length - mostTriggers)
  return {
    ...counted(incident, trigger, deliveries),
    // Who began it stays known.
    triggers: [...triggers.slice(0, 1), ...triggers.slice(1 + gone)],
    triggersBefore: incident.triggersBefore + gone,
    requesters: trigger.kind === 'command' ? withRequester(incident, trigger.by) : requestersOf(incident),
    lastTriggerMs: Math.max(incident.lastTriggerMs, trigger.atMs),
    tellings: tellings(incident.tellings, trigger, routing),
  }
}

/** Labels that an incident remembers of an alert, characters in all: 50 alerts with all that they may bring would not fit into a store. */
const mostLabelChars = 2_000

/** The shortest labels, as many as fit: names are short, and what is long is no name. */
function remembered(trigger: Trigger): Trigger {
  if (trigger.kind === 'command') return trigger
  const size = ([name, value]: readonly [string, string]): number => name.length + value.length
  const fit = new Set<string>()
  let left = mostLabelChars
  for (const label of Object.entries(trigger.labels).toSorted((a, b) => size(a) - size(b) || (a[0] < b[0] ? -1 : 1))) {
    left -= size(label)
    if (left >= 0) fit.add(label[0])
  }
  return { ...trigger, labels: Object.fromEntries(Object.entries(trigger.labels).filter(([name]) => fit.has(name))) }
}

function counted(incident: Incident, trigger: Trigger, deliveries: number): Incident {
  return trigger.kind === 'alert' ? noteAlert(incident, trigger, deliveries) : incident
}

function tellings(before: readonly Telling[], trigger: Trigger, { alertChannel }: Routing): readonly Telling[] {
  const channel = trigger.kind === 'command' ? trigger.channel : alertChannel
  if (channel === null) return before
  const wait = trigger.kind === 'command' ? 0 : incidentRules.alertPostMs
  const there = before.find((one) => one.channel === channel)
  if (there === undefined) {
    return [
      ...before,
      {
        channel,
        role: before.length === 0 ? 'home' : 'companion',
        sinceMs: trigger.atMs,
        notBeforeMs: trigger.atMs + wait,
        admittedAtMs: null,
      },
    ]
  }
  // A person who asks in the alert's channel does not wait for the alert's patience.
  return before.map((one) => (one === there ? { ...one, notBeforeMs: Math.min(one.notBeforeMs, trigger.atMs + wait) } : one))
}

function asksAgain(incident: Incident, trigger: Trigger, nowMs: number): boolean {
  const newest = incident.revisions.at(-1)
  if (newest === undefined) return true
  if (trigger.kind === 'command') return commandAsks(incident, trigger, nowMs)
  return alertAsks(incident, newest, trigger, nowMs)
}

/**
 * Another window, or a more thorough look, is another question; else only what is not fresh any more is looked at again. What a newer verdict has overtaken is
 * told no more, so it answers nobody.
 */
function commandAsks({ revisions, verdict }: Incident, { sinceMs, thorough }: Command, nowMs: number): boolean {
  if (revisions.filter(isQueued).length >= mostRevisions) return false
  const telling = revisions.filter(({ number }) => number >= (verdict?.revision ?? 0))
  const asThorough = telling.filter((one) => thorough !== true || one.thorough === true)
  const answers = asThorough.filter((one) => sinceMs === null || sameWindow(sinceMs, one.sinceMs))
  return !answers.some((one) => isQueued(one) || nowMs - one.askedAtMs <= incidentRules.freshForMs)
}

const isQueued = ({ state }: Revision): boolean => state === 'queued'

/** "last 2h" asked again some seconds later begins some seconds later. */
function sameWindow(sinceMs: number, other: number | null): boolean {
  return other !== null && Math.abs(sinceMs - other) <= incidentRules.freshForMs
}

function alertAsks(incident: Incident, newest: Revision, alert: Alert, nowMs: number): boolean {
  if (alert.status === 'resolved' || newest.state === 'queued') return false
  const age = nowMs - newest.askedAtMs
  // Of a storm that has outgrown the list nobody can tell which are new.
  const isNew = incident.alerts[alert.fingerprint] === undefined && (incident.alertsBeyond?.firing ?? 0) === 0
  return age > (isNew ? incidentRules.freshForMs : incidentRules.repeatEveryMs)
}

function ask(incident: Incident, trigger: Trigger, nowMs: number): Incident {
  if (trigger.kind === 'alert') return askFor(incident, trigger.key, null, nowMs, { byAlert: true })
  const how = trigger.thorough === true ? ({ thorough: true } as const) : {}
  return askFor(incident, trigger.key, trigger.sinceMs, nowMs, { byAlert: false, ...how })
}

/** Asks for the next diagnosis. @param by key of the trigger, or why Headwater itself asks */
export function askFor(
  incident: Incident,
  by: string,
  sinceMs: number | null,
  nowMs: number,
  how: Pick<Revision, 'byAlert' | 'thorough'> = {},
): Incident {
  const number = (incident.revisions.at(-1)?.number ?? 0) + 1
  const next: Revision = { number, askedAtMs: nowMs, askedBy: by, sinceMs, state: 'queued', ...how }
  return { ...incident, revisions: newest([...incident.revisions, next]) }
}

/** One that is not made yet is not let go: its job would find nothing to do, and nobody would hear of it. */
function newest(revisions: readonly Revision[]): readonly Revision[] {
  const gone = new Set(revisions.filter((one) => !isQueued(one)).slice(0, Math.max(0, revisions.length - mostRevisions)))
  return revisions.filter((one) => !gone.has(one))
}
