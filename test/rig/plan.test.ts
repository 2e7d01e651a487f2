import { describe, expect, test } from 'vitest'
import { batchSecondsAt } from './capacity.ts'
import type { Executor } from './cluster.ts'
import type { Drawn, Hands } from './faults/fault.ts'
import { faultOf, faults } from './faults/index.ts'
import { PEAK_RATE, producing, recordSeconds } from './load.ts'
import { drawFrom } from './prng.ts'
import type { ProducerControl } from './producer-control.ts'
import { partitionRates } from './producer-control.ts'
import { drawSession } from './session-plan.ts'
import { knowable } from './truth.ts'

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1)

const drawnOf = (kind: string, seed: number): Drawn => faultOf(kind).draw(drawFrom(kind, seed), drawSession(seed))

/** What an injection does, without a rig. */
function injected(drawn: Drawn): { control: Partial<ProducerControl>; delays: Record<string, number>; killed: string[] } {
  const seen = { control: {} as Partial<ProducerControl>, delays: {} as Record<string, number>, killed: [] as string[] }
  const hands: Hands = {
    produce: (change) => Object.assign(seen.control, change),
    delay: (more) => Object.assign(seen.delays, more),
    killExecutor(host): Executor {
      seen.killed.push(host)
      return { id: '0', host, pid: 1, startTicks: 1 }
    },
  }
  drawn.inject(hands)
  return seen
}

test('a session stays within what the rig can serve, and its seed says all', () => {
  for (const seed of SEEDS) {
    const plan = drawSession(seed)
    expect(drawSession(seed)).toEqual(plan)
    expect(plan.partitions).toBeGreaterThanOrEqual(6)
    expect(plan.partitions).toBeLessThanOrEqual(16)
    expect(plan.triggerMs).toBeGreaterThanOrEqual(5000)
    expect(plan.triggerMs).toBeLessThanOrEqual(10_000)
  }
  const on = SEEDS.filter((seed) => drawSession(seed).eventLog).length / SEEDS.length
  expect(on).toBeGreaterThan(0.3)
  expect(on).toBeLessThan(0.7)
})

describe.each(faults.map((fault) => fault.kind))('%s', (kind) => {
  test('is drawn alike from the same seed and unlike from others', () => {
    const text = (seed: number) => JSON.stringify(drawnOf(kind, seed))
    expect(text(7)).toBe(text(7))
    expect(new Set(SEEDS.map(text)).size).toBe(SEEDS.length)
  })

  test('is healthy before: 300–900 records/s, a batch well within 0.7 of the trigger', () => {
    for (const seed of SEEDS) {
      const { load } = drawnOf(kind, seed)
      const trigger = drawSession(seed).triggerMs / 1000
      expect(load.rate).toBeGreaterThanOrEqual(300)
      expect(load.rate).toBeLessThanOrEqual(900)
      const healthy = batchSecondsAt(partitionRates(producing(load)), recordSeconds(load), trigger)
      expect(healthy / trigger).toBeLessThan(0.6)
    }
  })

  test('is knowable beforehand and within the box at its peak', () => {
    for (const seed of SEEDS) {
      const drawn = drawnOf(kind, seed)
      expect(knowable(drawn.demandOverCapacity, drawn.mechanism, 30).is).toBe(true)
      const { control } = injected(drawn)
      const rates = partitionRates({ ...producing(drawn.load), ...control })
      expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeLessThanOrEqual(PEAK_RATE * 1.1)
    }
  })
})

test('a hot partition is the place and takes most of the records', () => {
  for (const seed of SEEDS) {
    const drawn = drawnOf('hot_partition', seed)
    const rates = partitionRates({ ...producing(drawn.load), ...injected(drawn).control })
    const [hot = -1] = drawn.place.partitions
    expect(rates.indexOf(Math.max(...rates))).toBe(hot)
    expect((rates[hot] ?? 0) / rates.reduce((sum, rate) => sum + rate, 0)).toBeGreaterThan(0.69)
    expect(demand(rates[hot] ?? 0, drawn)).toBeGreaterThan(1.2)
  }
})

const demand = (rate: number, { load }: Drawn): number => (rate * (load.cpuUs + load.waitUs)) / 1e6

test('a surge keeps every share', () => {
  const drawn = drawnOf('intake_surge', 3)
  const before = partitionRates(producing(drawn.load))
  const during = partitionRates({ ...producing(drawn.load), ...injected(drawn).control })
  const times = during.map((rate, p) => rate / (before[p] ?? 1))
  for (const one of times) expect(one).toBeCloseTo(times[0] ?? 0)
})

test('a slow sink delays the files of its phase', () => {
  for (const seed of SEEDS) {
    const drawn = drawnOf('slow_sink', seed)
    const [[key, ms] = ['', 0], ...more] = Object.entries(injected(drawn).delays)
    expect(more).toEqual([])
    expect(key.startsWith(drawn.place.phase === 'write' ? 'data.' : 'log.')).toBe(true)
    expect(ms).toBeGreaterThan(300)
  }
})

test('late records go to partitions that were idle', () => {
  for (const seed of SEEDS) {
    const drawn = drawnOf('upstream_late', seed)
    const rates = partitionRates(producing(drawn.load))
    for (const partition of drawn.place.partitions) expect(rates[partition]).toBe(0)
    const { backdate } = injected(drawn).control
    expect(backdate?.partitions).toEqual(drawn.place.partitions)
    expect((backdate?.recordsPerPartition ?? 0) * drawn.place.partitions.length).toBeLessThanOrEqual(40_000)
  }
})

test('a killed executor is named by its host, a stopped source by nothing but the topic', () => {
  const loss = drawnOf('executor_loss', 1)
  expect(injected(loss).killed).toEqual([loss.place.host])
  expect(injected(drawnOf('source_stall', 1)).control).toEqual({ paused: true })
  expect(injected(drawnOf('none', 1))).toEqual({ control: {}, delays: {}, killed: [] })
})

test('a fault of load below 1.2 is not knowable, by hand', () => {
  expect(knowable(1.19, null, 40)).toMatchObject({ is: false, why: 'demand/capacity 1.19 for 40 s, 1.2 is needed' })
  expect(knowable(null, 'intake is zero', 40)).toMatchObject({ is: true, why: 'intake is zero' })
})
