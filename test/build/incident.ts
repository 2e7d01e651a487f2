/** An incident in one line: what tests of its way start from. Minute 0 is 2026-11-30T14:00:00Z. */
import type { Decision, Incident, RecoveryCheck, RecoveryLook, VerdictNote } from '../../src/incident/incident.ts'
import type { Press } from '../../src/incident/input.ts'
import { join } from '../../src/incident/join.ts'
import { beginCheck } from '../../src/incident/note-look.ts'
import type { Proposal } from '../../src/incident/proposal.ts'
import type { Alert, Command } from '../../src/incident/trigger.ts'

const zero = Date.UTC(2026, 10, 30, 14)
export const minute = (n: number): number => zero + n * 60_000
export const second = (n: number): number => zero + n * 1000
export const routing = { alertChannel: 'C-alerts' }

export function command(more: Partial<Command> = {}): Command {
  const by = { team: 'T1', user: 'U-ann' }
  return { kind: 'command', key: 'cmd-1', atMs: minute(0), by, channel: 'C-inc', pipeline: 'orders', sinceMs: null, ...more }
}

export function alert(more: Partial<Alert> = {}): Alert {
  const labels = { alertname: 'LagHigh', topic: 'orders' }
  const shape = { kind: 'alert', key: 'al-1', atMs: minute(0), pipeline: 'orders', format: 'alertmanager', status: 'firing' } as const
  return { ...shape, fingerprint: 'f1', name: 'LagHigh', labels, summary: 'lag is high', url: null, startsAtMs: minute(-2), ...more }
}

/** The incident that a trigger opens. */
export function opened(trigger: Command | Alert = command()): Incident {
  return join(null, trigger, 1, trigger.atMs, 'i-1', routing)
}

export function verdict(more: Partial<VerdictNote> = {}): VerdictNote {
  const place = { topic: 'orders', partitions: [3], executor: null, host: null, broker: null, phase: null }
  const outcome = { outcome: 'cause', cause: 'hot_partition', place, headline: 'partition 3 takes 5 times its share' } as const
  return { revision: 1, sameSince: 1, atMs: minute(1), bundle: 'b1', chart: null, wholeChart: null, edition: 2, ...outcome, ...more }
}

/** minPartitions, not set → `to`. */
export function proposal(to = 24): Proposal {
  return {
    kind: 'proposal',
    pipeline: 'orders',
    cause: 'hot_partition',
    place: 'partition 3 of orders',
    action: {
      knob: 'minPartitions',
      from: { value: null, provenance: 'inferred', how: '12 source tasks = 12 partitions' },
      to,
      scope: 'query orders',
    },
    arithmetic: ['12 partitions, the hot one takes 5 shares of 16'],
    expects: [
      {
        signal: 'batch.duration_s',
        from: 14,
        to: [4, 6],
        unit: 's',
        within: [60, 180],
        located: true,
        says: 'batches take 4 to 6 s within 3 min',
      },
      {
        signal: 'reader.lag',
        from: 90_000,
        to: [0, 5000],
        unit: 'records',
        within: [60, 600],
        located: false,
        says: 'lag drains within 10 min',
      },
    ],
    apply: ['set minPartitions to 24 and restart the query'],
    test: ['watch three batches'],
    undo: ['remove minPartitions and restart the query'],
    stopIf: ['batches take longer than 14 s'],
    willNotFix: ['the key that fills partition 3'],
  }
}

export function press(hash: string, more: Partial<Press> = {}): Press {
  return {
    kind: 'press',
    key: 'press-1',
    atMs: minute(5),
    pipeline: 'orders',
    incident: 'i-1',
    button: 'approve',
    by: { team: 'T1', user: 'U-owner' },
    presser: { bot: false, guest: false, foreign: false, groups: [] },
    channel: 'C-inc',
    message: '1.1',
    hash,
    reason: '',
    more: null,
    answerTo: null,
    ...more,
  }
}

/** An owner's approval at a minute. */
export function approval(n: number): Decision {
  return { what: 'approve', by: { team: 'T1', user: 'U-owner' }, atMs: minute(n), reason: '', ledger: 2, anchor: '9f2c51d8a07b' }
}

/** A recovery check of what was applied at minute 6. */
export function checked(more: Partial<RecoveryCheck> = {}): RecoveryCheck {
  return { ...beginCheck('h', minute(6), []), ...more }
}

/** A look that was planned for a minute and made at it. */
export function looked(n: number, says = ''): RecoveryLook {
  return { plannedMs: minute(n), atMs: minute(n), bundle: `b${n}`, says }
}
