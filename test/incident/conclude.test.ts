import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident, ProposalState } from '../../src/incident/incident.ts'
import { mostVoid } from '../../src/incident/incident.ts'
import { openingOf } from '../../src/incident/openings.ts'
import { passTime } from '../../src/incident/pass-time.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { approval, command, minute, opened, proposal, verdict } from '../build/incident.ts'

const refused = { kind: 'refusal', reason: 'nothing to change', needs: null } as const
const states = (incident: Incident): ProposalState[] => incident.proposals.map((card) => card.state)
const first = conclude(opened(), verdict(), proposal(), minute(1))

test('a verdict brings its proposal, open for an hour, bound to its content, with everyone who asked', () => {
  expect(first.proposals).toMatchObject([
    { state: 'open', hash: proposalHash(proposal()), openedAtMs: minute(1), expiresAtMs: minute(61), requesters: [command().by] },
  ])
  expect(first.revisions.map((one) => one.state)).toEqual(['done'])
})

test('the same change in a later revision keeps the open proposal and its hash, whatever its arithmetic says now', () => {
  const again = conclude(first, verdict({ revision: 2 }), { ...proposal(), arithmetic: ['other numbers'] }, minute(3))
  expect(again.proposals).toEqual([{ ...first.proposals[0], seenAtMs: minute(3), expiresAtMs: minute(63) }])
})

test('what was confirmed a minute ago does not expire: its hour begins anew', () => {
  const again = conclude(first, verdict({ revision: 2 }), proposal(), minute(60))
  expect(states(passTime(again, minute(61)))).toEqual(['open'])
  expect(states(passTime(again, minute(120)))).toEqual(['expired'])
  const unsure = conclude(first, verdict({ revision: 2, outcome: 'inconclusive', cause: null }), refused, minute(60))
  expect(states(passTime(unsure, minute(61)))).toEqual(['expired'])
})

test('another value supersedes it', () => {
  const next = conclude(first, verdict({ revision: 2 }), proposal(36), minute(3))
  expect(states(next)).toEqual(['superseded', 'open'])
})

test('no trouble any more supersedes it; an inconclusive look proves nothing against it', () => {
  expect(states(conclude(first, verdict({ revision: 2, outcome: 'none', cause: null }), refused, minute(3)))).toEqual(['superseded'])
  expect(states(conclude(first, verdict({ revision: 2, outcome: 'inconclusive', cause: null }), refused, minute(3)))).toEqual(['open'])
})

test('one that was approved stays: its owner may be applying it', () => {
  const approved = { ...first, proposals: first.proposals.map((card) => ({ ...card, state: 'approved' as const })) }
  expect(states(conclude(approved, verdict({ revision: 2 }), proposal(36), minute(3)))).toEqual(['approved'])
})

test('one that was applied stands alone until its recovery is judged, and then makes room for the next', () => {
  const applied = first.proposals.map((card) => ({ ...card, state: 'applied' as const }))
  expect(states(conclude({ ...first, proposals: applied }, verdict({ revision: 2 }), proposal(36), minute(3)))).toEqual(['applied'])
  const judged = applied.map((card) => ({ ...card, outcome: 'no_effect' as const }))
  expect(states(conclude({ ...first, proposals: judged }, verdict({ revision: 2 }), proposal(36), minute(3)))).toEqual(['applied', 'open'])
})

test('a proposal knows the evidence that it was made from', () => {
  const again = conclude(first, verdict({ revision: 2, bundle: 'b2' }), proposal(), minute(3))
  expect([first.proposals[0]?.bundle, again.proposals[0]?.bundle]).toEqual(['b1', 'b1'])
})

test('an older verdict that arrives late changes nothing that is told', () => {
  const newer = conclude(opened(), verdict({ revision: 2 }), proposal(), minute(2))
  const late = conclude(newer, verdict({ revision: 1, cause: 'slow_sink' }), proposal(36), minute(3))
  expect(late).toEqual({ ...newer, revisions: [{ ...newer.revisions[0], state: 'done' }] })
})

test('what was concluded before is kept where the conclusion is another', () => {
  const other = conclude(first, verdict({ revision: 2, cause: 'slow_sink' }), refused, minute(3))
  expect(other.verdictBefore?.cause).toBe('hot_partition')
  expect(conclude(first, verdict({ revision: 2 }), proposal(), minute(3)).verdictBefore).toBeNull()
})

test('a proposal that changes with every look does not make its incident grow: of the void ones the newest ten stay, and openings count on', () => {
  let incident = first
  // 24, 36, 24, …: each supersedes the one before.
  for (let look = 2; look <= 200; look++) {
    incident = conclude(incident, verdict({ revision: look }), proposal(look % 2 === 0 ? 36 : 24), minute(look))
  }
  expect(states(incident)).toEqual([...Array.from({ length: mostVoid + 1 }, () => 'superseded'), 'open'])
  const newest = incident.proposals.at(-1)!
  expect([newest.proposal.action.to, openingOf(incident, newest)]).toEqual([36, 100])
  expect(openingOf(incident, incident.proposals.at(-2)!)).toBe(100)
})

test('one that somebody decided on is never let go', () => {
  const [card] = first.proposals
  let incident: Incident = { ...first, proposals: [{ ...card!, state: 'declined', decisions: [approval(2)] }] }
  for (let look = 2; look <= 40; look++) incident = conclude(incident, verdict({ revision: look }), proposal(24 + look), minute(look))
  expect(states(incident)[0]).toBe('declined')
})
