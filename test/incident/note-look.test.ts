/** What a look after a change does to its incident. */
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Incident, ProposalCard, RecoveryOutcome } from '../../src/incident/incident.ts'
import { keptFor } from '../../src/incident/kept-for.ts'
import type { LookNote } from '../../src/incident/note-look.ts'
import { awaited, noteLook } from '../../src/incident/note-look.ts'
import { checked, looked, minute, opened, proposal, verdict } from '../build/incident.ts'

const known = conclude(opened(), verdict(), proposal(), minute(1))
const card: ProposalCard = { ...known.proposals[0]!, state: 'applied' }
const planned = [8, 12, 20, 30].map(minute)
const applied: Incident = { ...known, proposals: [card], recovery: checked({ hash: card.hash, planned }) }

function note(n: number, outcome: RecoveryOutcome | null, more: Partial<LookNote> = {}): LookNote {
  return { appliedAtMs: minute(6), look: looked(n, 'says'), outcome, reasons: ['a reason'], chart: null, ...more }
}

describe('an outcome', () => {
  test.each<[RecoveryOutcome, Incident['state'], ProposalCard['state'], number]>([
    ['recovered', 'closed', 'applied', 1],
    ['by_itself', 'closed', 'applied', 1],
    ['moved', 'open', 'applied', 2],
    ['no_effect', 'open', 'applied', 2],
    ['cannot_tell', 'open', 'applied', 2],
    ['worse', 'open', 'applied', 1],
    ['not_applied', 'open', 'approved', 1],
  ])('%s: the incident is %s, its proposal %s, revisions %i', (outcome, state, cardState, revisions) => {
    const after = noteLook(applied, note(12, outcome), minute(12))
    expect([after.state, after.closedBecause]).toEqual([state, state === 'closed' ? 'recovered' : null])
    expect(after.proposals.map((one) => [one.state, one.outcome])).toEqual([[cardState, outcome === 'not_applied' ? null : outcome]])
    expect(after.recovery).toMatchObject({ outcome, says: 'says', reasons: ['a reason'] })
    expect(after.revisions).toHaveLength(revisions)
    if (revisions === 2) expect(after.revisions[1]).toMatchObject({ state: 'queued', askedBy: `recovery-${minute(6)}` })
    expect(noteLook(after, note(20, 'recovered'), minute(20))).toBe(after)
  })
})

test('a look that cannot say it yet is noted, in the order of the plan, and only once', () => {
  const late = noteLook(noteLook(applied, note(12, null), minute(13)), note(8, null), minute(14))
  expect(late.recovery?.looks.map(({ plannedMs }) => plannedMs)).toEqual([minute(8), minute(12)])
  expect(late.recovery).toMatchObject({ outcome: null, says: '', reasons: [] })
  expect(noteLook(late, note(12, 'recovered'), minute(15))).toBe(late)
})

describe('nobody waits for a look', () => {
  const withCard = (state: ProposalCard['state']): Incident => ({ ...applied, proposals: [{ ...card, state }] })
  test.each<[string, Incident, LookNote]>([
    ['that was not planned', applied, note(9, 'recovered')],
    ['of an incident that is closed', { ...applied, state: 'closed' }, note(12, 'recovered')],
    ['of what was taken back', withCard('withdrawn'), note(12, 'recovered')],
    ['of an application before the last one', applied, note(12, 'recovered', { appliedAtMs: minute(5) })],
    ['where nothing was applied', known, note(12, 'recovered')],
  ])('%s', (_, incident, one) => {
    expect(noteLook(incident, one, minute(12))).toBe(incident)
  })

  test('but for one that is planned', () => {
    expect(awaited(applied, minute(8))?.card).toBe(card)
  })
})

test('an incident speaks of its evidence, its pictures, and of those of its proposals and looks', () => {
  const looks = [looked(8), { ...looked(12), bundle: null }]
  const recovery = checked({ hash: card.hash, planned, looks, chart: { blob: 'c9', alt: '' } })
  const both = [
    { ...card, bundle: 'b0' },
    { ...card, bundle: 'gone', state: 'declined' as const },
  ]
  expect(keptFor({ ...applied, verdict: verdict({ chart: 'c1' }), proposals: both, recovery })).toEqual(['b1', 'c1', 'b0', 'b8', 'c9'])
  expect(keptFor(opened())).toEqual([])
})
