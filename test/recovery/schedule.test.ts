import { expect, test } from 'vitest'
import type { Expectation } from '../../src/incident/expectation.ts'
import type { Knob } from '../../src/incident/knob.ts'
import type { Proposal } from '../../src/incident/proposal.ts'
import { planLooks } from '../../src/recovery/schedule.ts'

const expectation = (located: boolean, within: readonly [number, number]): Expectation => ({
  signal: 'batch.duration_s',
  from: 20,
  to: [4, 6],
  unit: 's',
  within,
  located,
  says: '',
})

function looks(knob: Knob, ...expects: readonly Expectation[]): number[] {
  const action = { knob, from: { value: null, provenance: 'inferred', how: '' }, to: 2, scope: 'query orders' } as const
  const empty = { arithmetic: [], apply: [], test: [], undo: [], stopIf: [], willNotFix: [] }
  const proposal: Proposal = { kind: 'proposal', pipeline: 'orders', cause: 'x', place: 'y', action, expects, ...empty }
  return planLooks(proposal, 1_000_000).map((at) => (at - 1_000_000) / 1000)
}

test('four looks: alive, held for three minutes, all as expected, and half as long again', () => {
  expect(looks('minPartitions', expectation(true, [150, 700]), expectation(false, [60, 400]))).toEqual([150, 390, 700, 1050])
})

test('a restart gets two minutes before the first, anything else one', () => {
  expect(looks('minPartitions', expectation(true, [10, 20]))[0]).toBe(120)
  expect(looks('consumers', expectation(true, [10, 20]))[0]).toBe(60)
})

test('nothing is looked at twice within a minute, and the last look is there whatever is expected', () => {
  const planned = looks('consumers', expectation(true, [0, 0]))
  for (const [i, at] of planned.slice(1).entries()) expect(at - (planned[i] as number)).toBeGreaterThanOrEqual(60)
  expect(planned.length).toBeGreaterThanOrEqual(3)
})
