/** What an incident needs to be dealt with, in one line: real rules and messages, evidence that is a word. */
import type { Audience } from '../../src/incident/audience.ts'
import type { Judged } from '../../src/report/messages/incident/home.ts'
import type { AttendPorts } from '../../src/workflow/attend-pipeline.ts'
import { housesOf } from '../../src/workflow/house.ts'
import type { Store } from '../../src/workflow/incident-ports.ts'
import { teller } from '../../src/workflow/teller.ts'
import type { IncidentKind } from './timeline.ts'
import { timelineOf } from './timeline.ts'
import { verdictOf } from './verdict.ts'

export const ledgerKey = 'a key of the tests'
export const owner = { team: 'T1', user: 'U-owner' }

export const ordersAudience: Audience = {
  pipeline: 'orders',
  channel: 'C-alerts',
  channels: ['C-alerts', 'C1', 'C2'],
  owners: { users: [owner.user, 'U-second'], groups: [] },
  approvals: 1,
  requesterCounts: false,
  alerts: [[{ name: 'topic', op: '=', value: 'orders' }]],
}

/** Bytes of evidence: what kind of incident it shows. */
export const bundleOf = (kind: IncidentKind): Uint8Array => new TextEncoder().encode(kind)

const seen = new Map<string, Judged>()

export function judgedOf(bundle: Uint8Array): Judged {
  const kind = new TextDecoder().decode(bundle) as IncidentKind
  const known = seen.get(kind)
  if (known !== undefined) return known
  // A quarter of an hour is told as fast as tests of a thousand incidents need.
  const timeline = timelineOf({ kind, lengthS: 900 })
  const judged = { timeline, attribution: verdictOf(kind, timeline) }
  seen.set(kind, judged)
  return judged
}

export function attendPorts(store: Store, nowMs: () => number, over: Partial<AttendPorts> = {}): AttendPorts {
  let salts = 0
  return {
    store,
    nowMs,
    ledgerKey,
    teller: teller({ bytes: store.bytes, judge: judgedOf, zone: 'UTC' }),
    freshSalt: () => `salt-${++salts}`,
    house: housesOf([ordersAudience], 'T1', 'C-unmapped'),
    asideTold: () => {},
    ...over,
  }
}
