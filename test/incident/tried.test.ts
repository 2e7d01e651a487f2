/** What an incident knows of changes that were made in it. */
import { expect, test } from 'vitest'
import { conclude } from '../../src/incident/conclude.ts'
import type { Decision, ProposalCard } from '../../src/incident/incident.ts'
import { triedIn } from '../../src/incident/tried.ts'
import { minute, opened, proposal, verdict } from '../build/incident.ts'

const [card] = conclude(opened(), verdict(), proposal(), minute(1)).proposals
const applied = (n: number): Decision => ({
  what: 'applied',
  by: { team: 'T1', user: 'U-owner' },
  atMs: minute(n),
  reason: '',
  ledger: n,
  anchor: '',
})

function cardOf(to: number, state: ProposalCard['state'], outcome: ProposalCard['outcome'], ...decisions: Decision[]): ProposalCard {
  return { ...card!, proposal: proposal(to), state, outcome, decisions }
}

test('what was applied, oldest first, with its outcome; the last time counts where it was said twice', () => {
  const proposals = [cardOf(36, 'applied', null, applied(9), applied(40)), cardOf(24, 'applied', 'no_effect', applied(7))]
  expect(triedIn({ proposals })).toEqual([
    { knob: 'minPartitions', to: 24, appliedAtMs: minute(7), outcome: 'no_effect' },
    { knob: 'minPartitions', to: 36, appliedAtMs: minute(40), outcome: null },
  ])
})

test('what was taken back is known as tried, judged or not', () => {
  const back = { ...applied(12), what: 'taken_back' } as const
  const proposals = [cardOf(24, 'withdrawn', 'worse', applied(7), back), cardOf(36, 'withdrawn', null, applied(9), back)]
  expect(triedIn({ proposals })).toEqual([
    { knob: 'minPartitions', to: 24, appliedAtMs: minute(7), outcome: 'worse', takenBack: true },
    { knob: 'minPartitions', to: 36, appliedAtMs: minute(9), outcome: null, takenBack: true },
  ])
})

test('what was not to be seen in the pipeline, and what was only approved or declined, was never tried', () => {
  const proposals = [cardOf(24, 'approved', null, applied(7)), cardOf(36, 'declined', null), cardOf(48, 'open', null)]
  expect(triedIn({ proposals })).toEqual([])
})
