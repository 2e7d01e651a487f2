/** What a worker needs, in one line: a pipeline in motion, found within 5 s, and a picture that is a word. */
import type { Clock } from '../../src/workflow/clock.ts'
import type { Chat, Store } from '../../src/workflow/incident-ports.ts'
import { teller } from '../../src/workflow/teller.ts'
import type { WorkPorts } from '../../src/workflow/work.ts'
import { attendPorts } from './attend-ports.ts'
import type { CourseName } from './world-evidence.ts'
import { lookFrom, seenAt } from './world-evidence.ts'

const lookMs = 5_000

export interface Around {
  readonly store: Store
  readonly chat: Chat
  readonly clock: Clock
  readonly course?: CourseName
  /** When the change was applied; null = not yet. */
  readonly appliedMs?: () => number | null
}

export function workPorts({ store, chat, clock, course = 'the hot partition is split', appliedMs = () => null }: Around): WorkPorts {
  return {
    ...attendPorts(store, clock.nowMs, { teller: teller({ bytes: store.bytes, judge: lookFrom, zone: 'UTC' }) }),
    chat,
    clock,
    judge: lookFrom,
    async examine({ signal }) {
      await clock.wait(lookMs, signal)
      const bundle = seenAt(course, clock.nowMs(), appliedMs())
      return { ...lookFrom(bundle), bundle }
    },
    draw: async (_, { layout }) => new TextEncoder().encode(`a picture ${layout.width} wide`),
    drawCheck: async () => new TextEncoder().encode('before and after'),
  }
}
