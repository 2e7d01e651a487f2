/** Workers that overtake each other, and a Slack that does not show all at once: one copy of a message is left, never none. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Chat } from '../../src/workflow/incident-ports.ts'
import { send } from '../../src/workflow/send.ts'
import { change, noon, wantedMessage } from '../build/stored-values.ts'

const slot = 'i-1/home'

/** A post of unknown outcome that Slack has carried out twice, as "1.1" and "1.2", some seconds ago. */
async function doubled() {
  let nowMs = noon
  const store = memoryStore(() => nowMs)
  await store.commit(change({ messages: [wantedMessage(slot)] }))
  const stands = new Set(['1.1', '1.2'])
  const run = (more: Partial<Chat>) => {
    const chat: Partial<Chat> = {
      post: async () => ({ kind: 'unknown', why: 'no answer' }),
      edit: async () => ({ kind: 'done', value: null }),
      find: async () => ({ kind: 'done', value: [...stands].map((ts) => ({ ts, edition: 1 })) }),
      remove: async (_, ts) => {
        stands.delete(ts)
        return { kind: 'done', value: null }
      },
      ...more,
    }
    const clock = { nowMs: () => nowMs, wait: async () => {} }
    return send(slot, 1, { store, chat: chat as Chat, clock }, new AbortController().signal)
  }
  await run({})
  nowMs += 11_000
  const shown = (...ts: string[]): Partial<Chat> => ({
    find: async () => ({ kind: 'done', value: ts.map((one) => ({ ts: one, edition: 1 })) }),
  })
  const delivery = async () => (await store.wanted(slot))!.delivery
  return { run, shown, stands, delivery, later: (ms: number) => (nowMs += ms) }
}

test('who is overtaken while he looks removes nothing', async () => {
  const { run, shown, stands, delivery, later } = await doubled()
  let shownToSlow = (): void => {}
  const waits = new Promise<void>((resolve) => {
    shownToSlow = resolve
  })
  const slow = run({
    find: async () => {
      await waits
      return {
        kind: 'done',
        value: [
          { ts: '1.1', edition: 1 },
          { ts: '1.2', edition: 1 },
        ],
      }
    },
  })
  // Slack shows the other one only the later of the two copies yet.
  await run(shown('1.2'))
  shownToSlow()
  await slow
  expect([(await delivery()).ts, stands.has('1.2')]).toEqual(['1.2', true])
  later(95_000)
  await run({})
  expect([[...stands], await delivery()]).toMatchObject([['1.2'], { ts: '1.2', removed: 1 }])
})

test('of two that are seen at once one is kept, and the other removed and counted', async () => {
  const { run, stands, delivery } = await doubled()
  await run({})
  expect([[...stands], await delivery()]).toMatchObject([['1.1'], { ts: '1.1', removed: 1 }])
})

test('where ours was deleted and a copy of it stands, the copy takes its place', async () => {
  const { run, shown, stands, delivery, later } = await doubled()
  await run(shown('1.1'))
  stands.delete('1.1')
  later(95_000)
  await run({})
  expect([[...stands], (await delivery()).ts]).toEqual([['1.2'], '1.2'])
  later(10_000)
  expect(await run({})).toBe(null)
  expect([...stands]).toEqual(['1.2'])
})

test('where ours is only not shown yet, one of the two is left in the end', async () => {
  const { run, shown, stands, later } = await doubled()
  await run(shown('1.1'))
  later(95_000)
  await run(shown('1.2'))
  expect(stands.size).toBe(2)
  later(10_000)
  expect(await run({})).toBe(null)
  expect(stands.size).toBe(1)
})
