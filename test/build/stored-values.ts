/** What a store keeps, in one line each. Everything that a test does not name is a plain default. */
import { createHash } from 'node:crypto'
import type { Incident } from '../../src/incident/incident.ts'
import type { Press } from '../../src/incident/input.ts'
import type { Alert, Command } from '../../src/incident/trigger.ts'
import type { Entry, Head, LedgerEvent } from '../../src/signoff/ledger.ts'
import type { Change, Job, Wanted } from '../../src/workflow/incident-ports.ts'

/** 2026-11-30 12:00:00 UTC. */
export const noon = Date.UTC(2026, 10, 30, 12)

const someone = { team: 'T1', user: 'U1' }

export function command(key: string, over: Partial<Command> = {}): Command {
  return { kind: 'command', key, atMs: noon, by: someone, channel: 'C1', pipeline: 'orders', sinceMs: null, ...over }
}

export function alert(key: string, over: Partial<Alert> = {}): Alert {
  const told = { name: 'LagHigh', labels: { topic: 'orders' }, summary: '', url: null, startsAtMs: null }
  const plain = { pipeline: 'orders', format: 'json', status: 'firing', fingerprint: 'lag' } as const
  return { kind: 'alert', key, atMs: noon, ...plain, ...told, ...over }
}

export function press(key: string, over: Partial<Press> = {}): Press {
  const presser = { bot: false, guest: false, foreign: false, groups: [] }
  const on = { incident: 'i-1', channel: 'C1', message: '1.1', hash: '', reason: '', more: null, answerTo: null }
  return { kind: 'press', key, atMs: noon, pipeline: 'orders', button: 'approve', by: someone, presser, ...on, ...over }
}

export function incident(id: string, over: Partial<Incident> = {}): Incident {
  const triggers = { triggers: [], triggersBefore: 0, lastTriggerMs: noon, alerts: {}, tellings: [] }
  const nothingYet = { revisions: [], verdict: null, verdictBefore: null, remedy: null, proposals: [], recovery: null }
  const open = { state: 'open', openedAtMs: noon, closedAtMs: null, closedBecause: null } as const
  return { v: 1, id, pipeline: 'orders', ...open, ...triggers, ...nothingYet, ...over }
}

export function wantedMessage(slot: string, over: Partial<Wanted> = {}): Wanted {
  const at = { channel: 'C1', under: null, notBeforeMs: noon, onlyAfterEdit: null, alone: null, incident: 'i-1' }
  return { slot, edition: 1, ...at, text: 'orders is behind', body: [], picture: null, ...over }
}

export function job(key: string, over: Partial<Job> = {}): Job {
  return { key, kind: 'diagnose', of: 'i-1', dueAtMs: noon, with: {}, ...over }
}

export function change(over: Partial<Change> = {}): Change {
  return { inputs: [], aside: [], incident: null, messages: [], jobs: [], ledger: null, ...over }
}

/** Entries chained to a head; their digests are plain SHA-256, a store does not check them. */
export function entriesAfter(head: Head, whats: readonly LedgerEvent[]): { after: Head; entries: Entry[] } {
  const entries: Entry[] = []
  let { number, digest } = head
  for (const what of whats) {
    digest = createHash('sha256').update(`${digest}${what}`).digest('hex')
    const about = { incident: 'i-1', pipeline: 'orders', who: '', proposal: '', details: {} }
    entries.push({ v: 1, number: ++number, atMs: noon, digest, what, ...about })
  }
  return { after: head, entries }
}
