/** A diagnosis that breaks behind its verdict: the verdict is told all the same. */
import { describe, expect, test } from 'vitest'
import { usualLimits } from '../../src/store/limits.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { DiagnosePorts } from '../../src/workflow/diagnose-incident.ts'
import { diagnoseIncident } from '../../src/workflow/diagnose-incident.ts'
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

describe('a diagnosis that breaks', () => {
  /** An incident that somebody asked for, `minutes` ago, and what a look at it needs. */
  async function asked(over: Partial<DiagnosePorts> = {}, minutes = 0, limits = usualLimits) {
    let now = noon
    const clock = { nowMs: () => now, wait: async () => {} }
    const store = memoryStore(clock.nowMs, limits)
    const ports = workPorts({ store, chat: slowChat({ nowMs: clock.nowMs }), clock })
    const handle = handlerOf(ports)
    await store.put(command('c'))
    await handle(job('attend', { kind: 'attend', of: 'orders' }), new AbortController().signal)
    const { id } = (await store.attend('orders', 1)).incident!
    now += minutes * 60_000
    if (minutes > 0) await handle(job('tick', { kind: 'tick', of: id }), new AbortController().signal)
    const states = async () => (await store.incident(id))!.value.revisions.map(({ number, state }) => `${number} ${state}`)
    const look = (signal: AbortSignal = new AbortController().signal) => diagnoseIncident(id, 1, { ...ports, ...over }, signal)
    return { store, id, states, look }
  }
  const breaks: Partial<DiagnosePorts> = {
    examine: async () => {
      throw new TypeError('x is undefined')
    },
  }

  test('by an error of our own has failed, so that the next question is looked at', async () => {
    const { look, states } = await asked(breaks)
    await expect(look()).rejects.toMatchObject({ code: 'internal' })
    expect(await states()).toEqual(['1 failed'])
  })

  test('over a verdict that does not fit into the store has failed, too', async () => {
    const { look, states } = await asked({}, 0, { ...usualLimits, mostValueBytes: 3_000 })
    await expect(look()).rejects.toMatchObject({ code: 'value_too_large' })
    expect(await states()).toEqual(['1 failed'])
  })

  test('because its process ends is another one’s to make', async () => {
    const { look, states } = await asked(breaks)
    await expect(look(AbortSignal.abort())).rejects.toThrow('x is undefined')
    expect(await states()).toEqual(['1 queued'])
  })

  test('not, but is late: given up for lost, and told all the same', async () => {
    const { look, states, store, id } = await asked({}, 11)
    expect(await states()).toEqual(['1 failed'])
    await look()
    expect(await states()).toEqual(['1 done'])
    expect((await store.incident(id))?.value.verdict).toMatchObject({ revision: 1, cause: 'hot_partition' })
  })
})
