/** What a worker needs, in one line: evidence that is a word, found within 5 s, and a recovery check that sees it recover. */
import { closed } from '../../src/incident/pass-time.ts'
import type { Clock } from '../../src/workflow/clock.ts'
import { move } from '../../src/workflow/diagnose-incident.ts'
import type { Chat, Store } from '../../src/workflow/incident-ports.ts'
import type { WorkPorts } from '../../src/workflow/work.ts'
import { attendPorts, bundleOf, judgedOf } from './attend-ports.ts'
import { proposal } from './incident.ts'

const lookMs = 5_000

export function workPorts({ store, chat, clock }: { store: Store; chat: Chat; clock: Clock }): WorkPorts {
  const bundle = bundleOf('hot_partition')
  const ports = attendPorts(store, clock.nowMs)
  return {
    ...ports,
    chat,
    clock,
    async examine({ signal }) {
      await clock.wait(lookMs, signal)
      return { ...judgedOf(bundle), bundle }
    },
    propose: () => proposal(),
    draw: async () => new TextEncoder().encode('a picture'),
    async look(id, plannedMs) {
      await move(id, ports, (incident, _, nowMs) => {
        const { recovery } = incident
        if (recovery === null || recovery.outcome !== null || recovery.looks.some(({ atMs }) => atMs === plannedMs)) return incident
        const looks = [...recovery.looks, { atMs: plannedMs, bundle: '', says: 'batches take 5 s' }]
        if (looks.length < recovery.planned.length) return { ...incident, recovery: { ...recovery, looks } }
        return closed({ ...incident, recovery: { ...recovery, looks, outcome: 'recovered', says: 'It recovered.' } }, 'recovered', nowMs)
      })
      return null
    },
  }
}
