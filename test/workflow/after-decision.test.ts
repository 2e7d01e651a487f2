/** What a decision sets going. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { More } from '../../src/incident/more.ts'
import { awaited } from '../../src/incident/note-look.ts'
import { planLooks } from '../../src/recovery/schedule.ts'
import { afterDecision } from '../../src/workflow/after-decision.ts'
import { minute, opened, press, proposal, verdict } from '../build/incident.ts'

const incident = conclude(opened(), verdict(), proposal(), minute(1))
const applied = press(incident.proposals[0]!.hash, { button: 'applied', atMs: minute(6) })

test('"Applied" counts from when it was pressed, however late it is dealt with', () => {
  const { recovery } = afterDecision(incident, applied, minute(40))
  expect(recovery).toMatchObject({ appliedAtMs: minute(6), planned: planLooks(proposal(), minute(6)), looks: [], outcome: null })
})

test('the change that is checked is the newest one of its hash', () => {
  const [card] = incident.proposals
  const twice = {
    ...incident,
    proposals: [
      { ...card!, state: 'declined' },
      { ...card!, state: 'applied', openedAtMs: minute(3) },
    ],
  } as const
  const { recovery } = afterDecision(twice, applied, minute(6))
  expect(awaited({ ...twice, recovery }, recovery!.planned[0]!)?.card.openedAtMs).toBe(minute(3))
})

test('of a closed incident nothing is checked any more, so nothing waits for a look that nobody makes', () => {
  const closed = { ...incident, state: 'closed', closedAtMs: minute(5), closedBecause: 'resolved' } as const
  expect(afterDecision(closed, applied, minute(7))).toBe(closed)
})

test('what was taken back is judged no longer, and looked at again; what was judged before stays told', () => {
  const checking = afterDecision(incident, applied, minute(6))
  const back = press(applied.hash, { key: 'b', button: 'taken_back', atMs: minute(9) })
  const over = afterDecision(checking, back, minute(9))
  expect(over).toMatchObject({ recovery: null, revisions: [{ number: 1 }, { number: 2, askedBy: 'b', state: 'queued' }] })
  const judged = { ...checking, recovery: { ...checking.recovery!, outcome: 'worse' } } as const
  expect(afterDecision(judged, back, minute(30))).toMatchObject({ recovery: { outcome: 'worse' }, revisions: [{}, { askedBy: 'b' }] })
})

test('whoever needs more gets it: three hours instead of one, a thorough look, or an answer from the verdict that is there', () => {
  const more = (choice: More) => afterDecision(incident, press('', { key: 'p', button: 'need_more', more: choice }), minute(200))
  expect(more({ want: 'longer_window' }).revisions.at(-1)).toEqual({
    number: 2,
    askedAtMs: minute(200),
    askedBy: 'p',
    sinceMs: minute(20),
    state: 'queued',
  })
  expect(more({ want: 'deciding_reading' }).revisions.at(-1)).toMatchObject({ number: 2, sinceMs: null, thorough: true })
  expect(more({ want: 'why_not', cause: 'slow_sink' })).toBe(incident)
})
