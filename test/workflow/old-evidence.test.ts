/** An approval is given on what is true now: what was seen long ago is looked at again first. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import { decide } from '../../src/signoff/decide.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { handlerOf } from '../../src/workflow/work.ts'
import { owner } from '../build/attend-ports.ts'
import { press as incidentPress, opened, proposal, verdict } from '../build/incident.ts'
import { alert, job, noon, press } from '../build/stored-values.ts'
import { workPorts } from '../build/work-ports.ts'
import { slowChat } from '../fakes/slow-chat.ts'

const { signal } = new AbortController()
const minute = (n: number): number => noon + n * 60_000

test('approved ten minutes after the look: taken; later: looked at again, and the next press is taken if the change still stands', async () => {
  let now = noon
  const store = memoryStore(() => now)
  const clock = { nowMs: () => now, wait: async () => {} }
  const handle = handlerOf(workPorts({ store, chat: slowChat({ nowMs: clock.nowMs }), clock }))
  const the = async () => (await store.attend('orders', 1)).incident!
  const attend = () => handle(job('attend', { kind: 'attend', of: 'orders' }), signal)
  const presses = async (n: number, name: string) => {
    now = minute(n)
    const { id, proposals } = await the()
    await store.put(press(name, { button: 'approve', incident: id, hash: proposals[0]!.hash, by: owner, atMs: now }))
    await attend()
    return (await store.wanted(`${id}/alone/${name}`))?.wanted.text ?? (await the()).proposals[0]!.state
  }
  await store.put(alert('a'))
  await attend()
  await handle(job('d', { of: (await the()).id, with: { revision: 1 } }), signal)
  const [before] = (await the()).proposals

  expect(await presses(11, 'late')).toMatch(/^What this rests on was seen 11 min ago\. I am looking again/)
  expect((await the()).revisions.map(({ state }) => state)).toEqual(['done', 'queued'])
  // Impatience asks for nothing more.
  expect(await presses(11, 'impatient')).toMatch(/^What this rests on was seen/)
  expect((await the()).revisions).toHaveLength(2)
  expect((await store.ledger(1, 10)).map(({ what }) => what)).toEqual(['opened'])

  await handle(job('d', { of: (await the()).id, with: { revision: 2 } }), signal)
  expect((await the()).proposals).toMatchObject([{ hash: before!.hash, state: 'open' }])
  expect(await presses(21, 'again')).toBe('approved')
})

test('a look that could not tell has not seen it: the press is refused, and says so', () => {
  const minute = 60_000
  const proposed = conclude(opened(), verdict(), proposal(), minute)
  const unsure = verdict({ revision: 2, outcome: 'inconclusive', cause: null, atMs: 50 * minute })
  const blind = conclude(proposed, unsure, { kind: 'refusal', reason: 'nothing was seen', needs: null }, 50 * minute)
  const policy = { team: 'T1', owners: { users: ['U-owner'], groups: [] }, approvals: 1, requesterCounts: true }
  const pressed = decide(blind, incidentPress(blind.proposals[0]!.hash), policy, 51 * minute, 1)
  expect(pressed).toMatchObject({
    kind: 'refused',
    looksAgain: false,
    why: expect.stringContaining('could not tell whether it still holds'),
  })
  const seen = conclude(blind, verdict({ revision: 3, atMs: 52 * minute }), proposal(), 52 * minute)
  expect(decide(seen, incidentPress(seen.proposals[0]!.hash), policy, 53 * minute, 1).kind).toBe('decided')
})
