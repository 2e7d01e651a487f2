import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident } from '../../src/incident/incident.ts'
import { askFor, join } from '../../src/incident/join.ts'
import { beginCheck } from '../../src/incident/note-look.ts'
import { nextDueMs, passTime } from '../../src/incident/pass-time.ts'
import { alert, approval, minute, opened, proposal, routing, verdict } from '../build/incident.ts'

const proposed = conclude(opened(), verdict(), proposal(), minute(1))
/** Approved at minute 5, and nothing was said of it since. */
const approved: Incident = {
  ...proposed,
  proposals: proposed.proposals.map((card) => ({ ...card, state: 'approved' as const, decisions: [approval(5)] })),
}
const resolved = join(opened(alert()), alert({ key: 'r', status: 'resolved', atMs: minute(7) }), 1, minute(7), 'x', routing)

describe('what only the clock does', () => {
  test.each<[string, Incident, number, Partial<Incident>]>([
    ['nothing for 24 h closes it', opened(), minute(24 * 60), { state: 'closed', closedBecause: 'quiet', closedAtMs: minute(24 * 60) }],
    ['a minute before it does not', opened(), minute(24 * 60 - 1), { state: 'open' }],
    [
      'all alerts resolved and quiet for 15 min closes it',
      resolved,
      minute(22),
      { state: 'closed', closedBecause: 'resolved', closedAtMs: minute(22) },
    ],
    ['a minute before it does not, either', resolved, minute(21), { state: 'open' }],
  ])('%s', (_, incident, nowMs, expected) => {
    expect(passTime(incident, nowMs)).toMatchObject(expected)
  })

  test('a proposal expires after an hour', () => {
    expect(passTime(proposed, minute(61)).proposals.map((card) => card.state)).toEqual(['expired'])
    expect(passTime(proposed, minute(60)).proposals.map((card) => card.state)).toEqual(['open'])
  })

  test('an approved change is waited for, for four hours: until then nothing closes its incident', () => {
    const one = { ...resolved, proposals: approved.proposals }
    const at = (n: number) => {
      const { state, closedAtMs, proposals } = passTime(one, minute(n))
      return [state, closedAtMs, proposals.map((card) => card.state)]
    }
    expect(at(244)).toEqual(['open', null, ['approved']])
    expect(at(245)).toEqual(['closed', minute(245), ['expired']])
    expect(at(600)).toEqual(['closed', minute(245), ['expired']])
    expect(passTime(approved, minute(245)).state).toBe('open')
  })

  test('who was told that Headwater looks again is told what it saw: the incident waits for that, and a quiet time after it', () => {
    const looking = askFor(resolved, 'recovery-1', null, minute(21))
    const state = (incident: Incident, n: number) => passTime(incident, minute(n)).state
    expect([state(resolved, 22), state(looking, 22), state(looking, 30)]).toEqual(['closed', 'open', 'open'])
    const told = conclude(looking, verdict({ revision: 2 }), proposal(), minute(22))
    expect([state(told, 35), state(told, 36)]).toEqual(['open', 'closed'])
  })

  test('a decision, and a look after a change, are no quiet', () => {
    const [card] = proposed.proposals
    const asked = { ...resolved, proposals: [{ ...card!, decisions: [{ ...approval(20), what: 'need_more' as const }] }] }
    expect([passTime(asked, minute(34)).state, passTime(asked, minute(35)).state]).toEqual(['open', 'closed'])
    const check = beginCheck('h', minute(7), [minute(21)])
    const look = { plannedMs: minute(21), atMs: minute(21), bundle: null, says: '' }
    const worse = { ...resolved, recovery: { ...check, looks: [look], outcome: 'worse' as const } }
    expect([passTime(worse, minute(35)).state, passTime(worse, minute(36)).state]).toEqual(['open', 'closed'])
  })

  test('a diagnosis of which nothing is heard for 10 min counts as failed', () => {
    const states = (n: number) => passTime(opened(), minute(n)).revisions.map((one) => one.state)
    expect([states(9), states(10)]).toEqual([['queued'], ['failed']])
  })

  test('an applied change keeps the incident open until its recovery is judged', () => {
    const recovery = beginCheck('h', minute(7), [minute(9)])
    expect(passTime({ ...resolved, recovery }, minute(60)).state).toBe('open')
    expect(passTime({ ...resolved, recovery: { ...recovery, outcome: 'recovered' } }, minute(60)).state).toBe('closed')
  })
})

test('law: whoever wakes when told misses nothing, and nothing happens before', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(proposed, approved, { ...resolved, proposals: approved.proposals }, resolved, opened(), opened(alert())),
      fc.integer({ min: 0, max: 2 * 86_400_000 }),
      (incident, later) => {
        const due = nextDueMs(incident)
        const nowMs = minute(0) + later
        const moved = passTime(incident, nowMs)
        expect(moved !== incident).toBe(due !== null && nowMs >= due)
        expect(passTime(moved, nowMs)).toEqual(moved)
      },
    ),
  )
})
