import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident } from '../../src/incident/incident.ts'
import type { Press } from '../../src/incident/input.ts'
import { join } from '../../src/incident/join.ts'
import { passTime } from '../../src/incident/pass-time.ts'
import type { Command } from '../../src/incident/trigger.ts'
import type { Decided } from '../../src/signoff/decide.ts'
import { decide } from '../../src/signoff/decide.ts'
import type { SignoffPolicy } from '../../src/signoff/policy.ts'
import { alert, command, minute, opened, press, proposal, routing, second, verdict } from '../build/incident.ts'

const policy: SignoffPolicy = {
  team: 'T1',
  owners: { users: ['U-owner', 'U-ann', 'U-two'], groups: ['S-data'] },
  approvals: 1,
  requesterCounts: false,
}
const incident = conclude(opened(), verdict(), proposal(), minute(1))
const hash = incident.proposals[0]!.hash
const by = (user: string) => ({ by: { team: 'T1', user } })

function push(from: Incident, more: Partial<Press>, rule = policy): Decided {
  return decide(from, press(hash, more), rule, minute(5), 1)
}

function after(from: Incident, more: Partial<Press>, rule = policy): Incident {
  const decided = push(from, more, rule)
  if (decided.kind === 'refused') throw new Error(decided.why)
  return decided.incident
}

const approved = after(incident, {})
const applied = after(approved, { button: 'applied' })

test('an owner approves, applies, and both are written down with who, when and the number of the ledger', () => {
  expect(approved.proposals[0]).toMatchObject({
    state: 'approved',
    decisions: [{ what: 'approve', by: { user: 'U-owner' }, atMs: minute(5), ledger: 1 }],
  })
  expect(applied.proposals[0]).toMatchObject({ state: 'applied' })
})

test('an owner takes back what was applied, while it is checked and after it was judged: that is not an approval withdrawn', () => {
  const worse = { ...applied, proposals: applied.proposals.map((card) => ({ ...card, outcome: 'worse' as const })) }
  for (const from of [applied, worse]) {
    const decided = push(from, { button: 'taken_back' })
    expect(decided).toMatchObject({ kind: 'decided', event: 'taken_back', card: { state: 'withdrawn' } })
    expect(decided.kind === 'decided' && decided.card.decisions.map(({ what }) => what)).toEqual(['approve', 'applied', 'taken_back'])
  }
})

test('a member of an owning group is an owner', () => {
  const presser = { bot: false, guest: false, foreign: false, groups: ['S-data'] }
  expect(after(incident, { ...by('U-new'), presser }).proposals[0]?.state).toBe('approved')
})

describe('refused, with the reason', () => {
  const presser = { bot: false, guest: false, foreign: false, groups: [] }
  const judged = { ...applied, proposals: applied.proposals.map((card) => ({ ...card, outcome: 'no_effect' as const })) }
  const superseded = conclude(incident, verdict({ revision: 2 }), proposal(36), minute(3))
  test.each<[string, Incident, Partial<Press>, RegExp]>([
    ['somebody else', incident, by('U-passer'), /Only an owner .*<@U-owner>.*<!subteam\^S-data>/],
    ['an app', incident, { presser: { ...presser, bot: true } }, /an app cannot/i],
    ['a guest who is on the list', incident, { presser: { ...presser, guest: true } }, /guests/i],
    ['an owner of the same id in another workspace', incident, { by: { team: 'T2', user: 'U-owner' } }, /another workspace/],
    ['who asked for it', incident, by('U-ann'), /another owner has to approve/],
    ['a second approval', approved, by('U-two'), /approved already by <@U-owner>/],
    ['"applied" before it is approved', incident, { button: 'applied' }, /not approved yet/],
    ['a decline without a reason', incident, { button: 'decline', reason: ' ' }, /needs a reason/],
    ['the button of a message whose proposal was replaced', superseded, {}, /minPartitions not set → 36 instead of not set → 24/],
    ['"applied" twice', applied, { button: 'applied' }, /was applied already by <@U-owner>; the recovery check is under way/],
    ['"applied" of what was judged', judged, { button: 'applied' }, /the recovery check is over/],
    ['"withdraw" of what is applied', applied, { button: 'withdraw' }, /was applied already/],
    ['"taken back" of what nobody applied', approved, { button: 'taken_back' }, /withdraw the approval instead/],
    ['"taken back" twice', after(applied, { button: 'taken_back' }), { button: 'taken_back' }, /was taken back already by <@U-owner>/],
    ['"need more" without a choice', incident, { button: 'need_more', reason: 'show me the sink' }, /choose first/],
    ['a hash that nobody proposed', incident, { hash: 'f'.repeat(64) }, /not known any more/],
    ['a closed incident', { ...incident, state: 'closed' }, {}, /closed/],
  ])('%s', (_, from, more, why) => {
    const decided = push(from, more)
    expect(decided.kind === 'refused' ? decided.why : 'it was allowed').toMatch(why)
  })

  test('an expired proposal, and how long ago it expired', () => {
    const decided = decide(incident, press(hash), policy, minute(71), 1)
    expect(decided.kind === 'refused' ? decided.why : '').toMatch(/expired 10 min ago/)
  })
})

describe('a proposal that was changed in the store is decided on by nobody', () => {
  const inStore = (from: Incident, over: object): Incident => ({
    ...from,
    proposals: from.proposals.map((card) => ({ ...card, proposal: { ...card.proposal, ...over } })),
  })
  const { action } = proposal()
  test.each<[string, object]>([
    ['its value', { action: { ...action, to: 9999 } }],
    ['what it is about', { action: { ...action, scope: 'every query' } }],
    ['how it is applied', { apply: ['turn off the checkpoint'] }],
    ['what it promises', { expects: [] }],
    ['a line that it did not have', { note: 'harmless' }],
  ])('%s', (_, over) => {
    const pressed = {
      open: ['approve', 'decline', 'need_more', 'withdraw'],
      approved: ['applied', 'withdraw'],
      applied: ['taken_back'],
    } as const
    const presses = [
      ...pressed.open.map((one) => [incident, one] as const),
      ...pressed.approved.map((one) => [approved, one] as const),
      ...pressed.applied.map((one) => [applied, one] as const),
    ]
    for (const [from, button] of presses) {
      const decided = push(inStore(from, over), { button, reason: 'because' })
      expect(decided.kind === 'refused' ? decided.why : `${button} was allowed`).toMatch(
        /not what was put before its owners.*new diagnosis/,
      )
    }
  })

  test('and a new diagnosis takes its place, also when it was approved', () => {
    for (const from of [incident, approved]) {
      const changed = inStore(from, { apply: ['turn off the checkpoint'] })
      const next = conclude(changed, verdict({ revision: 2 }), proposal(), minute(9))
      expect(next.proposals.map(({ state }) => state)).toEqual(['superseded', 'open'])
    }
  })
})

test('the same change put before its owners again, after it was declined or expired, is a proposal like any other', () => {
  const declined = after(incident, { button: 'decline', reason: 'not now' })
  const expired = passTime(incident, minute(62))
  for (const before of [declined, expired]) {
    const again = conclude(before, verdict({ revision: 2, bundle: 'b2' }), proposal(), minute(63))
    expect(again.proposals.map((card) => [card.hash === hash, card.state])).toEqual([
      [true, before.proposals[0]!.state],
      [true, 'open'],
    ])
    const decided = decide(again, press(hash), policy, minute(64), 9)
    expect(decided.kind === 'decided' && decided.incident.proposals.map(({ state }) => state)).toEqual([
      before.proposals[0]!.state,
      'approved',
    ])
  }
})

test('where two owners are needed, one is not enough, and the same one twice is one', () => {
  const two = { ...policy, approvals: 2 }
  const once = after(incident, {}, two)
  expect(once.proposals[0]?.state).toBe('open')
  expect(push(once, { key: 'again' }, two)).toMatchObject({ kind: 'refused' })
  expect(after(once, by('U-two'), two).proposals[0]?.state).toBe('approved')
})

describe('who asked does not approve, whatever came between', () => {
  const asks = (from: Incident, n: number, more: Partial<Command> = {}) =>
    join(from, command({ key: `c-${n}`, atMs: second(n), ...more }), 1, second(n), '', routing)
  const storm = (from: Incident): Incident =>
    Array.from({ length: 60 }, (_, n) => alert({ key: `a-${n}`, fingerprint: `f-${n}`, atMs: second(n) })).reduce(
      (at, one) => join(at, one, 1, one.atMs, '', routing),
      from,
    )
  const proposed = (from: Incident, revision = 1): Incident => conclude(from, verdict({ revision }), proposal(), minute(revision))
  const refusedFor = (from: Incident, user: string, rule = policy) => push(from, by(user), rule)
  const theirs = { kind: 'refused', why: expect.stringContaining('another owner has to approve') }

  test.each<[string, () => Incident]>([
    ['60 alerts before the proposal', () => proposed(storm(opened()))],
    ['60 alerts after it', () => storm(proposed(opened()))],
    [
      '60 other people who asked',
      () => Array.from({ length: 60 }, (_, n) => n).reduce((at, n) => asks(at, n, by(`U-${n}`)), proposed(opened())),
    ],
    ['a question that came after the proposal', () => asks(proposed(opened(alert())), 90)],
    ['a question whose look confirmed the proposal', () => proposed(asks(proposed(opened(alert())), 90), 2)],
    ['a question, and a storm behind it', () => storm(asks(proposed(opened(alert())), 1))],
  ])('%s', (_, incidentOf) => {
    const from = incidentOf()
    expect(refusedFor(from, 'U-ann')).toMatchObject(theirs)
    expect(refusedFor(from, 'U-two').kind).toBe('decided')
    expect(refusedFor(from, 'U-ann', { ...policy, requesterCounts: true }).kind).toBe('decided')
  })

  test('in an incident that was stored before they were kept', () => {
    const { requesters: _, ...older } = proposed(opened())
    expect([refusedFor(older, 'U-ann'), refusedFor(storm(older), 'U-ann')]).toMatchObject([theirs, theirs])
    const { requesters: __, ...younger } = asks(older, 90, by('U-two'))
    expect([refusedFor(storm(asks(older, 90, by('U-two'))), 'U-ann'), refusedFor(younger, 'U-two')]).toMatchObject([theirs, theirs])
  })
})

test('who asked may decline and withdraw: only an approval wants another pair of eyes', () => {
  expect(after(incident, { ...by(command().by.user), button: 'decline', reason: 'we roll back instead' }).proposals[0]?.state).toBe(
    'declined',
  )
})
