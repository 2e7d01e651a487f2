/** Each kind of job has its handler, and none is lost to a clock that is wrong. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
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

test('a job of an older edition leaves the message to the newer one', async () => {
  const { store, clock, handle } = worker(noon)
  await store.put(alert('a'))
  await handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const home = (await store.asked(noon, 10)).find(({ kind }) => kind === 'send')!
  await clock.run(clock.wait(8_000, signal))
  expect(await handle({ ...home, with: { edition: 0 } }, signal)).toBe(null)
  expect((await store.wanted(home.of))?.delivery.state).toBe('planned')
  // A copy of it is looked for 6 s later.
  expect(await handle(home, signal)).toBe(noon + 14_000)
  expect((await store.wanted(home.of))?.delivery.state).toBe('sent')
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
