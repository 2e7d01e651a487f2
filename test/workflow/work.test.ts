/** Each kind of job has its handler, and none is lost to a clock that is wrong. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Job } from '../../src/workflow/incident-ports.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { alert, change, incident, job, noon } from '../build/stored-values.ts'
import { workPorts } from '../build/work-ports.ts'
import { slowChat } from '../fakes/slow-chat.ts'
import { virtualClock } from '../fakes/virtual-clock.ts'

function worker(startMs: number) {
  const clock = virtualClock(startMs)
  const store = memoryStore(clock.nowMs)
  return { store, clock, handle: handlerOf(workPorts({ store, chat: slowChat({ nowMs: clock.nowMs }), clock })) }
}

const { signal } = new AbortController()

test('a job that a faster clock brings too early is run again when it is due, so an incident does close', async () => {
  const { store, clock, handle } = worker(noon)
  const quiet = incident('i-1', { alerts: { lag: { status: 'resolved', atMs: noon, deliveries: 1 } } })
  await store.commit(change({ incident: { value: quiet, version: 0 } }))
  const due = noon + 15 * 60_000
  const tick = job('i-1/tick', { kind: 'tick', dueAtMs: due })
  expect(await handle(tick, signal)).toBe(due)
  await clock.run(clock.wait(15 * 60_000, signal))
  expect(await handle(tick, signal)).toBe(null)
  expect((await store.incident('i-1'))?.value).toMatchObject({ state: 'closed', closedBecause: 'resolved' })
})

test('a message that changes all the time is sent by whichever job finds it due; what is not due is left to the newest one', async () => {
  const { store, clock, handle } = worker(noon)
  const attend = async (name: string): Promise<Job> => {
    await store.put(alert(name, { name, fingerprint: name }))
    await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
    return (await store.asked(clock.nowMs(), 100)).findLast(({ kind, of }) => kind === 'send' && of.endsWith('/home'))!
  }
  const first = await attend('a')
  await clock.run(clock.wait(4_000, signal))
  const second = await attend('b')
  expect(Number(second.with.edition)).toBeGreaterThan(Number(first.with.edition))
  const early = { dueAtMs: noon }
  expect(await handle({ ...first, ...early }, signal)).toBe(null)
  expect(await handle({ ...second, ...early }, signal)).toBe(noon + 8_000)
  expect((await store.wanted(first.of))?.delivery.state).toBe('planned')
  await clock.run(clock.wait(4_000, signal))
  expect(await handle(first, signal)).toBe(null)
  expect((await store.wanted(first.of))?.delivery).toMatchObject({ state: 'sent', edition: second.with.edition })
  // A copy of it is looked for 6 s later.
  expect(await handle(second, signal)).toBe(noon + 14_000)
})

test('a verdict keeps its story twice: for the message, and whole for the details', async () => {
  const { store, clock, handle } = worker(noon)
  await store.put(alert('a'))
  await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const look = (await store.asked(noon, 10)).find(({ kind }) => kind === 'diagnose')!
  await clock.run(handle(look, signal))
  const [found] = await store.incidents({ state: 'open', most: 1 })
  const text = async (key: string | null) => new TextDecoder().decode((key === null ? null : await store.bytes(key)) ?? undefined)
  expect(await text(found!.verdict!.chart)).toBe('a picture 800 wide')
  expect(await text(found!.verdict!.wholeChart)).toBe('a picture 1600 wide')
})
