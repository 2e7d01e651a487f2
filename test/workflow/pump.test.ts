/** Jobs get from the store into the queue, whatever fails on the way. */
import { expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Job } from '../../src/workflow/incident-ports.ts'
import { handOver, pump } from '../../src/workflow/pump.ts'
import { change, job, noon } from '../build/stored-values.ts'
import { virtualClock } from '../fakes/virtual-clock.ts'

/** A queue that fails so many times before it takes anything. */
function queueOf(failures: number, added: string[]) {
  let left = failures
  return {
    async add(jobs: readonly Job[]) {
      if (left-- > 0) throw new HeadwaterError('queue_unavailable', 'the queue is away')
      added.push(...jobs.map(({ key }) => key))
    },
  }
}

test('a job is handed over once', async () => {
  const store = memoryStore(() => noon)
  const added: string[] = []
  const ports = { store, queue: queueOf(0, added), clock: virtualClock(noon) }
  await store.commit(change({ jobs: [job('a'), job('b')] }))
  expect(await handOver(ports)).toBe(2)
  expect(await handOver(ports)).toBe(0)
  expect(added).toEqual(['a', 'b'])
})

test('a job that the queue did not take stays asked for', async () => {
  const store = memoryStore(() => noon)
  await store.commit(change({ jobs: [job('a')] }))
  await expect(handOver({ store, queue: queueOf(1, []), clock: virtualClock(noon) })).rejects.toThrow('the queue is away')
  expect(await store.asked(noon, 10)).toEqual([job('a')])
})

test('a job whose handing over was not written down is added again', async () => {
  const store = memoryStore(() => noon)
  const added: string[] = []
  const dying = { asked: store.asked, handedOver: () => Promise.reject(new Error('died')) }
  await store.commit(change({ jobs: [job('a')] }))
  await expect(handOver({ store: dying, queue: queueOf(0, added), clock: virtualClock(noon) })).rejects.toThrow('died')
  await handOver({ store, queue: queueOf(0, added), clock: virtualClock(noon) })
  expect(added).toEqual(['a', 'a'])
})

test('the pump goes on after trouble with growing pauses, and ends when it is told to', async () => {
  const clock = virtualClock(noon)
  const store = memoryStore(clock.nowMs)
  const added: string[] = []
  const told: string[] = []
  const stop = new AbortController()
  await store.commit(change({ jobs: Array.from({ length: 450 }, (_, i) => job(`${i}`)) }))
  const queue = queueOf(6, added)
  const going = pump({ store, queue, clock }, stop.signal, (says, again) => told.push(`${clock.nowMs() - noon} ${says} ${again}`))
  await clock.run(clock.wait(20_000, stop.signal))
  stop.abort()
  await clock.run(going)
  const away = 'the queue is away true'
  expect(told).toEqual([0, 200, 600, 1_400, 3_000, 6_200].map((ms) => `${ms} ${away}`))
  expect(added).toHaveLength(450)
})
