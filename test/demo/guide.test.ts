/** Each step of the way says what a newcomer should do next. */
import { expect, test } from 'vitest'
import type { Situation } from '../../src/demo/guide.ts'
import { guidance } from '../../src/demo/guide.ts'
import type { Incident, ProposalCard, RecoveryCheck } from '../../src/incident/incident.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { alert, opened, proposal, verdict } from '../build/incident.ts'

const turned = { really: 'the query was started anew with minPartitions 24', right: true }
const suggested = proposal()

function card(state: ProposalCard['state']): ProposalCard {
  const times = { openedAtMs: 0, expiresAtMs: 3_600_000 }
  return {
    proposal: suggested,
    hash: proposalHash(suggested),
    revision: 1,
    state,
    ...times,
    requesters: [],
    decisions: [],
    bundle: 'b1',
    outcome: null,
  }
}

function checked(outcome: RecoveryCheck['outcome']): Partial<Incident> {
  const said = { says: '', reasons: [], chart: null }
  const recovery: RecoveryCheck = { hash: card('applied').hash, appliedAtMs: 0, planned: [120_000], looks: [], outcome, ...said }
  return { proposals: [card('applied')], recovery }
}

const at = (more: Partial<Incident> | null, fired = true): Situation => ({
  incident: more === null ? null : { ...opened(alert({ atMs: 0 })), verdict: { ...verdict({ outcome: 'cause' }), atMs: 0 }, ...more },
  fired,
  turned,
  pace: 12,
  wrongKnobToo: true,
})

test.each<[string, Situation, string | undefined, string]>([
  ['nothing has happened', at(null, false), 'Alert', 'Fire its alert'],
  ['the alert is under way', at(null), 'Verdict', 'Headwater reads Kafka, Spark and the table'],
  ['there is no verdict yet', at({ verdict: null }), 'Verdict', 'Headwater reads'],
  ['a verdict without a change', at({}), 'Approve', 'It proposes no change'],
  ['a proposal', at({ proposals: [card('open')] }), 'Approve', 'Only an owner may approve it'],
  ['it is declined', at({ proposals: [card('declined')] }), 'Approve', 'Start over'],
  ['it is approved', at({ proposals: [card('approved')] }), 'Applied', 'started anew with minPartitions 24. Now press Applied'],
  ['it is applied', at(checked(null)), 'Checked', 'Meanwhile time runs 12× faster'],
  ['it recovered', at(checked('recovered')), undefined, 'Recovered: '],
  ['it did not', at(checked('no_effect')), undefined, 'Not fixed: the change had no effect'],
])('%s', (_, situation, now, says) => {
  const { steps, says: said } = guidance(situation)
  expect(steps.find(({ state }) => state === 'now')?.label).toBe(now)
  expect(steps.map(({ label }) => label)).toEqual(['Alert', 'Verdict', 'Approve', 'Applied', 'Checked'])
  expect(said).toContain(says)
})

test('after the right knob it points to the wrong one, where that can be told, and not the other way round', () => {
  const recovered = at(checked('recovered'))
  const next = 'Next: the wrong knob'
  expect(guidance(recovered).says).toContain(next)
  expect(guidance({ ...recovered, wrongKnobToo: false }).says).not.toContain(next)
  expect(guidance({ ...at(checked('no_effect')), turned: { ...turned, right: false } }).says).not.toContain(next)
})
