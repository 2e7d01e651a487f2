/** One look after a change: made once, for whoever waits for it, and never silent about what it could not do. */
import { describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import type { Incident } from '../../src/incident/incident.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { CheckPorts } from '../../src/workflow/check-change.ts'
import { checkChange } from '../../src/workflow/check-change.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { owner } from '../build/attend-ports.ts'
import { change, command, job, noon, press } from '../build/stored-values.ts'
import { workPorts } from '../build/work-ports.ts'
import type { CourseName } from '../build/world-evidence.ts'
import { slowChat } from '../fakes/slow-chat.ts'

const { signal } = new AbortController()

/** An incident whose change was applied at noon and 90 s. */
async function applied(course: CourseName = 'the hot partition is split') {
  let now = noon
  const store = memoryStore(() => now)
  const clock = { nowMs: () => now, wait: async () => {} }
  const appliedMs = noon + 90_000
  const ports = workPorts({
    store,
    chat: slowChat({ nowMs: clock.nowMs }),
    clock,
    course,
    appliedMs: () => (now > appliedMs ? appliedMs : null),
  })
  const handle = handlerOf(ports)
  const attend = () => handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const the = async (): Promise<Incident> => (await store.attend('orders', 1)).incident!
  await store.put(command('c'))
  await attend()
  await handle(job('diagnose', { of: (await the()).id, with: { revision: 1 } }), signal)
  for (const button of ['approve', 'applied'] as const) {
    now = button === 'approve' ? noon + 60_000 : appliedMs
    const { id, proposals } = await the()
    await store.put(press(button, { button, incident: id, hash: proposals[0]!.hash, by: owner, atMs: now }))
    await attend()
  }
  const { id, recovery } = await the()
  const look = async (n: number, over: Partial<CheckPorts> = {}): Promise<Incident> => {
    const plannedMs = recovery!.planned[n]!
    now = Math.max(now, plannedMs + 5_000)
    await checkChange(id, plannedMs, { ...ports, ...over }, signal)
    return await the()
  }
  return { store, ports, the, look, id, planned: recovery!.planned }
}

const outcomes = ({ recovery }: Incident) => [recovery?.looks.length, recovery?.outcome]
const throwing = (error: Error): Partial<CheckPorts> => ({
  examine: async () => {
    throw error
  },
})

test('looks go on until it can be said, and the rest of them are not made', async () => {
  const { look, planned } = await applied()
  expect(planned).toHaveLength(4)
  expect(outcomes(await look(0))).toEqual([1, null])
  expect(outcomes(await look(1))).toEqual([2, null])
  const judged = await look(2)
  expect(outcomes(judged)).toEqual([3, 'recovered'])
  expect(await look(3, throwing(new Error('nobody looks any more')))).toEqual(judged)
})

test('the same look twice is one, and is not even made a second time', async () => {
  const { look } = await applied()
  const once = await look(0)
  expect(await look(0, throwing(new Error('it was made')))).toEqual(once)
})

test('after a long outage the last look decides, and those before it find nothing left to do', async () => {
  const { look } = await applied()
  const judged = await look(3)
  expect(outcomes(judged)).toEqual([1, 'recovered'])
  expect(await look(0)).toEqual(judged)
})

test('against an expectation that was changed in the store nothing is judged', async () => {
  const { look, store } = await applied()
  const { incident, version } = await store.attend('orders', 1)
  const proposals = incident!.proposals.map((card) => ({ ...card, proposal: { ...card.proposal, expects: [] } }))
  await store.commit(change({ incident: { value: { ...incident!, proposals }, version } }))
  const judged = await look(2)
  expect(outcomes(judged)).toEqual([1, 'cannot_tell'])
  expect(judged.recovery?.says).toBe('What is stored as the proposal is not what was signed.')
})

test('an hour of evidence is asked for, and more where the application would not be in it', async () => {
  const { look, ports, planned } = await applied()
  const asked: (number | null)[] = []
  const examine: CheckPorts['examine'] = (order) => {
    asked.push(order.sinceMs)
    return ports.examine(order)
  }
  await look(0, { examine })
  await look(3, { examine, nowMs: () => planned[3]! + 2 * 3_600_000 })
  expect(asked).toEqual([null, noon + 90_000 - 600_000])
})

describe('a look that cannot be made', () => {
  const nothingSeen = new HeadwaterError('config_mistaken', 'no source answered')

  test('saw nothing, says so, and is no last word', async () => {
    const { look } = await applied()
    const incident = await look(0, throwing(nothingSeen))
    expect(outcomes(incident)).toEqual([1, null])
    expect(incident.recovery?.looks).toMatchObject([{ bundle: null, says: 'Nothing could be seen: no source answered.' }])
    await look(1)
    expect(outcomes(await look(2))).toEqual([3, 'recovered'])
  })

  test('as the last one leaves it open whether it recovered, and asks for a new attribution', async () => {
    const { look } = await applied()
    for (const n of [0, 1, 2]) await look(n, throwing(nothingSeen))
    const incident = await look(3, throwing(nothingSeen))
    expect(outcomes(incident)).toEqual([4, 'cannot_tell'])
    expect(incident.recovery?.says).toBe('Nothing could be seen: no source answered.')
    expect(incident.revisions.map(({ state }) => state)).toEqual(['done', 'queued'])
  })

  test('because the store is away, or the process has to go, is made again', async () => {
    const { look, the } = await applied()
    const before = await the()
    for (const code of ['store_unavailable', 'interrupted'] as const) {
      await expect(look(0, throwing(new HeadwaterError(code, 'not now')))).rejects.toMatchObject({ code, retryable: true })
    }
    expect(await the()).toEqual(before)
  })

  test('because something is broken counts as made, and whoever runs Headwater hears of it', async () => {
    const { look, the } = await applied()
    await expect(look(3, throwing(new TypeError('x is undefined')))).rejects.toMatchObject({ code: 'internal', retryable: false })
    expect(outcomes(await the())).toEqual([1, 'cannot_tell'])
  })

  test('because the evidence of before is gone is the last one: no other could compare', async () => {
    const gone = await applied()
    const store = { ...gone.store, bytes: async () => null }
    const incident = await gone.look(0, { store })
    expect(outcomes(incident)).toEqual([1, 'cannot_tell'])
    expect(incident.recovery?.says).toBe('The evidence of before the change is kept no longer.')
    const foreign = await applied()
    const judge = (): never => {
      throw new HeadwaterError('bundle_mistaken', 'the document should be an object')
    }
    expect((await foreign.look(0, { judge })).recovery?.says).toContain('cannot be read: the document should be an object')
  })
})

test('a picture that cannot be drawn costs nothing but the picture', async () => {
  const { look } = await applied()
  await look(1)
  const incident = await look(2, { drawCheck: async () => null })
  expect([incident.recovery?.outcome, incident.recovery?.chart]).toEqual(['recovered', null])
})

test('the ledger has the outcome once, with the evidence it rests on', async () => {
  const { look, store } = await applied()
  for (const n of [0, 1, 2, 3]) await look(n)
  const entries = await store.ledger(1, 20)
  expect(entries.map(({ what }) => what)).toEqual(['opened', 'approved', 'applied', 'recovery'])
  const evidence = entries.at(-1)!.details.evidence!
  expect(evidence).toMatch(/^[0-9a-f]{64}$/)
  expect(await store.bytes(evidence)).not.toBeNull()
  expect(entries[0]!.details.evidence).not.toBe(evidence)
})
