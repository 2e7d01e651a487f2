import { expect, test } from 'vitest'
import { FIXED_SECONDS } from './capacity.ts'
import { drawDrill } from './draw-drill.ts'
import { bytesNeeded, overloadFor, settledMechanism, settlesAt } from './held.ts'
import { PEAK_RATE, producing } from './load.ts'
import type { ProducerControl } from './producer-control.ts'
import { partitionRates } from './producer-control.ts'
import type { SessionPlan } from './session-plan.ts'
import { drawSession } from './session-plan.ts'

const HALF_AN_HOUR_S = 1800

/** Batches of a reader without a cap under a constant demand: each holds what arrived during the one before. */
function batchesWithin(seconds: number, demand: number, triggerSeconds: number): number[] {
  const lengths: number[] = []
  let waited = triggerSeconds
  for (let at = 0; at < seconds; at += waited) {
    const length = FIXED_SECONDS + demand * waited
    lengths.push(length)
    waited = Math.max(length, triggerSeconds)
  }
  return lengths
}

test('above 1 batches grow with the time that has passed, and are few; below 1 they settle, and are many', () => {
  const growing = batchesWithin(HALF_AN_HOUR_S, 1.5, 5)
  expect(growing.length).toBeLessThan(15)
  expect(growing.at(-1)).toBeGreaterThan(600)
  const settling = batchesWithin(HALF_AN_HOUR_S, 0.8, 5)
  expect(settlesAt(0.8)).toBeCloseTo(7.5)
  expect(settling.at(-1)).toBeCloseTo(7.5)
  expect(settling.length).toBeGreaterThan(200)
})

test('what is held for a minute overloads as drawn; what is held for longer settles at as many triggers', () => {
  expect(overloadFor(1.5, 5, 60)).toBe(1.5)
  // 1.5 s fixed of 7.5 s leave 0.8 of the time for records
  expect(overloadFor(1.5, 5, 61)).toBeCloseTo(0.8)
  expect(settledMechanism(0.8, 5)).toBe('every batch takes 7.5 s, 1.5 triggers')
  expect(settledMechanism(1.3, 5)).toBeNull()
})

const plans: readonly SessionPlan[] = Array.from({ length: 40 }, (_, i) => drawSession(i + 1)).flatMap((plan) => [
  plan,
  { ...plan, triggerMs: 5000 },
])

/** Rates at the fault's peak. */
function peak(kind: string, plan: SessionPlan): { rates: number[]; demand: number; mechanism: string | null } {
  const { drawn } = drawDrill(kind, plan.seed, plan, HALF_AN_HOUR_S * 1000)
  let control: ProducerControl = producing(drawn.load)
  void drawn.inject({
    produce: (change) => (control = { ...control, ...change }),
    delay: () => undefined,
    killExecutor: async () => undefined,
    slowHost: () => undefined,
  })
  return { rates: partitionRates(control), demand: drawn.demandOverCapacity ?? 0, mechanism: drawn.mechanism }
}

test.each(['hot_partition', 'intake_surge'])('%s can be held for half an hour: late in every batch, and never drowning', (kind) => {
  for (const plan of plans) {
    const { rates, demand, mechanism } = peak(kind, plan)
    const triggers = settlesAt(demand) / (plan.triggerMs / 1000)
    expect(triggers).toBeGreaterThan(1.25)
    expect(triggers).toBeLessThan(2.6)
    expect(mechanism).not.toBeNull()
    expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeLessThan(PEAK_RATE)
  }
})

test('a hot partition that is held is still by far the largest', () => {
  for (const plan of plans) {
    const { rates } = peak('hot_partition', plan)
    const [first = 0, second = 0] = rates.toSorted((a, b) => b - a)
    expect(first / second).toBeGreaterThan(8)
  }
})

test('half an hour at the peak needs about two gigabytes', () => {
  // 1,800 s x 2,600/s x 250 bytes + 1 GB
  expect(bytesNeeded(HALF_AN_HOUR_S, PEAK_RATE) / 1e9).toBeCloseTo(2.17)
})
