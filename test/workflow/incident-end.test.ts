/** An incident comes to its end on time, and one that did not never stands in the way of the next. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Button } from '../../src/incident/input.ts'
import { noteLook } from '../../src/incident/note-look.ts'
import type { Proposal } from '../../src/incident/proposal.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { attendPipeline } from '../../src/workflow/attend-pipeline.ts'
import { move } from '../../src/workflow/diagnose-incident.ts'
import { handOver } from '../../src/workflow/pump.ts'
import { tickIncident } from '../../src/workflow/tick-incident.ts'
import { attendPorts, bundleOf, owner } from '../build/attend-ports.ts'
import { proposal, verdict } from '../build/incident.ts'
import { alert, command, noon, press } from '../build/stored-values.ts'
import { JobList } from '../scenario/job-list.ts'

/** Minutes after noon. */
const minute = (n: number): number => noon + n * 60_000

/** A pipeline whose inputs and ticks are dealt with as the queue gives them out; `ticks` = whether any tick runs. */
function town({ ticks = true } = {}) {
  let now = noon
  const store = memoryStore(() => now)
  const queue = new JobList()
  const ports = attendPorts(store, () => now)
  /** Everything that is due until then, each at its time. */
  const until = async (ms: number): Promise<void> => {
    for (;;) {
      await handOver({ store, queue, clock: { nowMs: () => now, wait: async () => {} } })
      const place = queue.next(now)
      if (place === undefined || place.dueAtMs > ms) break
      now = Math.max(now, place.dueAtMs)
      const { kind, of } = place.job
      if (kind === 'attend') await attendPipeline(of, ports)
      if (kind === 'tick' && ticks) await tickIncident(of, ports)
      queue.done(place, null)
    }
    now = ms
  }
  /** The verdict of the first look, with a proposal. */
  const judgedWith = async (remedy: Proposal): Promise<void> => {
    const { id } = (await all())[0]!
    const bundle = await store.keep(bundleOf('hot_partition'))
    await move(id, ports, (one, edition, nowMs) => conclude(one, verdict({ bundle, edition, atMs: nowMs }), remedy, nowMs))
  }
  const pressed = async (n: number, button: Button): Promise<void> => {
    const { id, proposals } = (await all())[0]!
    const { hash } = proposals[0]!
    await store.put(press(`${button}-${n}`, { atMs: minute(n), incident: id, hash, by: owner, button }))
    await until(minute(n))
  }
  const all = () => store.incidents({ state: 'any', most: 10 })
  const states = async () => (await all()).map(({ state, closedBecause }) => closedBecause ?? state)
  const waiting = async () => (await store.attend('orders', 10)).inputs.length
  return { store, ports, until, judgedWith, pressed, all, states, waiting }
}

test('whoever asks after a day without a tick gets a new incident at once, and the old one is closed', async () => {
  const { store, until, states, waiting } = town({ ticks: false })
  await store.put(command('c1'))
  await until(minute(25 * 60))
  expect(await states()).toEqual(['open'])
  await store.put(command('c2', { atMs: minute(25 * 60) }))
  await until(minute(25 * 60))
  expect(await states()).toEqual(['open', 'quiet'])
  expect(await waiting()).toBe(0)
})

test('a recovery check that lasts beyond the end, and cannot tell, keeps the incident open for the new look, and no longer', async () => {
  const { store, ports, until, judgedWith, pressed, all, states } = town()
  await store.put(alert('a1'))
  await until(minute(1))
  await judgedWith(proposal())
  await pressed(5, 'approve')
  await until(minute(57))
  await store.put(alert('a1r', { atMs: minute(57), status: 'resolved' }))
  await until(minute(58))
  await pressed(58, 'applied')
  // Its end by the clock is minute 72, and the check is under way then.
  await until(minute(90))
  expect(await states()).toEqual(['open'])
  const { id } = (await all())[0]!
  await move(id, ports, (one, _, nowMs) => {
    const plannedMs = one.recovery!.planned.at(-1)!
    const look = { plannedMs, atMs: nowMs, bundle: null, says: 'Nothing could be seen' }
    return noteLook(one, { appliedAtMs: minute(58), look, outcome: 'cannot_tell', reasons: [], chart: null }, nowMs)
  })
  // Of that look nothing is ever heard.
  await until(minute(104))
  expect(await states()).toEqual(['open'])
  await until(minute(105))
  expect(await states()).toEqual(['resolved'])
})

test('a diagnosis whose job is lost makes nobody wait for ever: whoever asks 10 min later gets another one', async () => {
  const { store, until, all } = town()
  await store.put(command('c1'))
  await until(minute(9))
  await store.put(command('c2', { atMs: minute(9) }))
  await until(minute(11))
  await store.put(command('c3', { atMs: minute(11) }))
  await until(minute(11))
  const [incident] = await all()
  expect(incident?.revisions.map(({ number, state, askedBy }) => `${number} ${state} ${askedBy}`)).toEqual(['1 failed c1', '2 queued c3'])
})

test('an approved change is still to be applied when the alerts are long resolved, but not after four hours', async () => {
  const { store, until, judgedWith, pressed, all, states } = town()
  await store.put(alert('a1'))
  await until(minute(1))
  await judgedWith(proposal())
  await pressed(5, 'approve')
  await store.put(alert('a1r', { atMs: minute(6), status: 'resolved' }))
  await until(minute(60))
  expect(await states()).toEqual(['open'])
  await until(minute(246))
  expect(await states()).toEqual(['resolved'])
  expect((await all())[0]?.proposals.map(({ state }) => state)).toEqual(['expired'])
  expect((await store.ledger(1, 10)).map(({ what }) => what)).toEqual(['opened', 'approved', 'expired'])
  await pressed(250, 'applied')
  expect((await store.wanted(`${(await all())[0]!.id}/alone/applied-250`))?.wanted.text).toBe(
    'This proposal expired: the evidence is too old. Ask for a new diagnosis.',
  )
})
