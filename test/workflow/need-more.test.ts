/** "Need more": what was chosen is kept, named in the thread and in the ledger, and done. */
import { describe, expect, test } from 'vitest'
import type { Incident } from '../../src/incident/incident.ts'
import type { More } from '../../src/incident/more.ts'
import { ledgerTable } from '../../src/report/ledger-table.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { DiagnosePorts } from '../../src/workflow/diagnose-incident.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { owner } from '../build/attend-ports.ts'
import { messageText } from '../build/message-text.ts'
import { command, job, noon, press } from '../build/stored-values.ts'
import { workPorts } from '../build/work-ports.ts'
import { slowChat } from '../fakes/slow-chat.ts'

const { signal } = new AbortController()

/** A proposal of which somebody needs more. */
async function needed(more: More, reason = '') {
  let now = noon
  const store = memoryStore(() => now)
  const clock = { nowMs: () => now, wait: async () => {} }
  const ports = workPorts({ store, chat: slowChat({ nowMs: clock.nowMs }), clock })
  const orders: (boolean | undefined)[] = []
  const examine: DiagnosePorts['examine'] = (order) => {
    orders.push(order.thorough)
    return ports.examine(order)
  }
  const handle = handlerOf({ ...ports, examine })
  const the = async (): Promise<Incident> => (await store.attend('orders', 1)).incident!
  const diagnose = async (revision: number) => handle(job('d', { of: (await the()).id, with: { revision } }), signal)
  await store.put(command('c'))
  await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  await diagnose(1)
  now += 60_000
  const { id, proposals } = await the()
  await store.put(press('p', { button: 'need_more', incident: id, hash: proposals[0]!.hash, by: owner, more, reason }))
  await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const thread = async (slot: string): Promise<string> => {
    const found = await store.wanted(`${id}/home/${slot}`)
    return found === null ? 'nothing' : messageText(found.wanted)
  }
  /** Somebody asks again an hour later, and there is another verdict. */
  const later = async (): Promise<void> => {
    now += 3_600_000
    await store.put(command('later', { atMs: now }))
    await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
    await diagnose((await the()).revisions.at(-1)!.number)
  }
  return { store, the, thread, diagnose, later, orders }
}

const choices: readonly (readonly [More, string, string])[] = [
  [{ want: 'longer_window' }, 'longer_window', 'Wanted: a look at the last 3 hours'],
  [{ want: 'deciding_reading' }, 'deciding_reading', 'Wanted: a thorough look, for the reading that would decide'],
  [{ want: 'why_not', cause: 'slow_sink' }, 'why_not:slow_sink', 'Wanted: why it is not "Slow sink"'],
]

describe.each(choices)('%o', (more, text, words) => {
  test('is kept with the decision, and named in the thread and in the ledger; what was written is kept beside it', async () => {
    const { store, the, thread } = await needed(more, 'longer_window please')
    const { proposals, verdict } = await the()
    expect(proposals[0]).toMatchObject({
      state: 'open',
      decisions: [{ what: 'need_more', more: { choice: more, evidence: verdict?.bundle }, reason: 'longer_window please' }],
    })
    const entries = await store.ledger(2, 1)
    expect(entries).toMatchObject([{ what: 'more_wanted', details: { more: text, reason: 'longer_window please' } }])
    expect(ledgerTable(entries, { clock: wallClock('UTC'), person: () => null }).join('\n')).toContain(
      `${text.replace(':', ' ').replaceAll('_', ' ')}; “longer_window please”`,
    )
    expect(await thread('sign-off-2')).toContain(words)
    expect(await thread('sign-off-2')).toContain('longer_window please')
  })
})

test('a longer window and a thorough look are made; why not another cause is answered without one', async () => {
  const asked = await Promise.all(
    choices.map(async ([more]) => {
      const { the, diagnose, orders } = await needed(more)
      await diagnose(2)
      return [(await the()).revisions.map(({ sinceMs }) => (sinceMs === null ? null : noon + 60_000 - sinceMs)), orders]
    }),
  )
  expect(asked).toEqual([
    [
      [null, 3 * 3_600_000],
      [undefined, undefined],
    ],
    [
      [null, null],
      [undefined, true],
    ],
    [[null], [undefined]],
  ])
})

test('why not another cause is answered in the thread by the reading that rules it out, from the verdict that stood then', async () => {
  const { the, thread, later } = await needed({ want: 'why_not', cause: 'slow_sink' })
  const answer = await thread('sign-off-2-answer')
  expect(answer).toMatch(/^Why not "Slow sink": Ruled out: .*\d/m)
  expect(answer).toContain('From the verdict of 12:00:00 UTC')
  const before = (await the()).verdict
  await later()
  expect((await the()).verdict).toMatchObject({ revision: 2 })
  expect((await the()).verdict?.bundle).not.toBe(before?.bundle)
  expect(await thread('sign-off-2-answer')).toBe(answer)
})
