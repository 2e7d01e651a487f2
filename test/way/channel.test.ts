import { expect, test } from 'vitest'
import type { Incident, ProposalCard } from '../../src/incident/incident.ts'
import { knobs } from '../../src/incident/knob.ts'
import { proposalHash } from '../../src/incident/proposal.ts'
import { homeMessage } from '../../src/report/messages/incident/home.ts'
import { decisionMessage } from '../../src/report/messages/incident/thread.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { alertmanager } from '../../src/triggers/formats/alertmanager.ts'
import { minute, opened, proposal } from '../build/incident.ts'
import { lateBatches } from './alert.ts'
import { agreedIn } from './channel.ts'
import { outcomeIn } from './walked.ts'

test.each(Object.entries(knobs))('whoever operates the query reads %s and its value in the sign-off', (knob, { title, unit }) => {
  const { action, ...rest } = proposal()
  const from = { value: 6000, provenance: 'declared', how: 'configured' } as const
  const changed = { ...rest, action: { ...action, knob: knob as keyof typeof knobs, from, to: 12_000 } }
  const decision = {
    what: 'approve',
    by: { team: 'T1', user: 'U1' },
    atMs: minute(1),
    reason: '',
    ledger: 2,
    anchor: 'abcdef012345',
  } as const
  const card = { hash: proposalHash(changed), proposal: changed, state: 'approved', decisions: [decision] } as unknown as ProposalCard
  expect(agreedIn(['orders: one partition is hot', decisionMessage(card, decision as never).text])).toEqual({
    line: expect.stringMatching(unit === '' ? /: 6,000 → 12,000 \(query orders\)$/ : / → 12,000 \w+ \(query orders\)$/),
    knob: title,
    to: 12_000,
  })
})

test('before an owner approves there is nothing to do', () => {
  expect(agreedIn([`Proposal: ${'minPartitions: not set → 24 tasks (query orders)'}`])).toBeNull()
})

test.each(['recovered', 'moved', 'no_effect', 'worse', 'not_applied', 'by_itself', 'cannot_tell'])(
  '%s is told in its own words',
  (outcome) => {
    const recovery = { proposal: 'h', appliedAtMs: minute(5), planned: [], looks: [], outcome, says: '' }
    const { text } = homeMessage({ ...opened(), recovery } as unknown as Incident, null, wallClock('UTC'))
    expect(outcomeIn(['Applied: minPartitions: not set → 24 tasks (query orders)', text])).toBe(outcome)
  },
)

test('the alert is one that the door for Alertmanager takes in, with the label that means the pipeline', () => {
  expect(alertmanager.parse(lateBatches(minute(3)))).toMatchObject({
    kind: 'alerts',
    omitted: 0,
    alerts: [{ status: 'firing', labels: { pipeline: 'orders', alertname: 'StreamingBatchesLate' }, startsAtMs: minute(3) }],
  })
})
