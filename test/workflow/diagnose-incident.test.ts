/** A diagnosis that breaks behind its verdict: the verdict is told all the same. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { command, job, noon } from '../build/stored-values.ts'
import { workPorts } from '../build/work-ports.ts'
import { slowChat } from '../fakes/slow-chat.ts'

test('a proposal that cannot be worked out is a refusal that says so, and an error for whoever runs Headwater', async () => {
  const store = memoryStore(() => noon)
  const clock = { nowMs: () => noon, wait: async () => {} }
  const ports = workPorts({ store, chat: slowChat({ nowMs: clock.nowMs }), clock })
  const handle = handlerOf({
    ...ports,
    examine: async (order) => ({ ...(await ports.examine(order)), evidence: {} as never }),
  })
  const { signal } = new AbortController()
  await store.put(command('c'))
  await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const { id } = (await store.attend('orders', 1)).incident!
  const diagnosis = handle(job('diagnose', { of: id, with: { revision: 1 } }), signal)
  await expect(diagnosis).rejects.toMatchObject({ code: 'internal', retryable: false })
  const { incident } = await store.attend('orders', 1)
  expect(incident).toMatchObject({
    verdict: { cause: 'hot_partition' },
    revisions: [{ state: 'done' }],
    remedy: { kind: 'refusal', reason: expect.stringContaining('by an error of Headwater itself') },
  })
})
