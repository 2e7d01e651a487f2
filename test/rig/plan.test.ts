import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { batchSecondsAt } from './capacity.ts'
import { drawDrill } from './draw-drill.ts'
import type { Drawn, Hands } from './faults/fault.ts'
import { faults, namedFaults } from './faults/index.ts'
import { PEAK_RATE, producing, recordSeconds } from './load.ts'
import type { ProducerControl } from './producer-control.ts'
import { partitionRates } from './producer-control.ts'
import { drawSession } from './session-plan.ts'
import { knowable } from './truth.ts'

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1)

const drawnOf = (kind: string, seed: number): Drawn => drawDrill(kind, seed, drawSession(seed)).drawn

/** What an injection does, without a rig. */
function injected(drawn: Drawn) {
  const seen = {
    control: {} as Partial<ProducerControl>,
    delays: {} as Record<string, number>,
    killed: [] as string[],
    slowed: [] as [string, number][],
  }
  const hands: Hands = {
    produce: (change) => Object.assign(seen.control, change),
    delay: (more) => Object.assign(seen.delays, more),
    killExecutor: async (host) => void seen.killed.push(host),
    slowHost: (host, runningShare) => void seen.slowed.push([host, runningShare]),
  }
  void drawn.inject(hands)
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
      const { drawn, askAfterMs } = drawDrill(kind, seed, drawSession(seed))
      expect(knowable(drawn.demandOverCapacity, drawn.mechanism, askAfterMs / 1000).is).toBe(true)
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
  expect(injected(drawnOf('none', 1))).toEqual({ control: {}, delays: {}, killed: [], slowed: [] })
})

test('a slow host runs a third to a sixteenth of the time, enough for batches of 1.4 triggers or more', () => {
  for (const seed of SEEDS) {
    const drawn = drawnOf('straggler_host', seed)
    const [[host, share] = ['', 0], ...more] = injected(drawn).slowed
    expect([host, more]).toEqual([drawn.place.host, []])
    expect(share).toBeGreaterThanOrEqual(1 / 16)
    expect(share).toBeLessThanOrEqual(1 / 3)
    expect(drawn.demandOverCapacity).toBeGreaterThan(1.4)
  }
})

test.each<[string, number | null, string | null, number, boolean]>([
  ['1.2 for six samples of 5 s', 1.2, null, 30, true],
  ['1.19 for as long as you like', 1.19, null, 600, false],
  ['1.7 for five samples', 1.7, null, 29.9, false],
  ['a mechanism that is on', null, 'intake is zero', 30, true],
  ['neither', null, null, 30, false],
])('knowable beforehand: %s', (_, ratio, mechanism, heldSeconds, is) => {
  expect(knowable(ratio, mechanism, heldSeconds).is).toBe(is)
})

test('what is not knowable says what it lacks', () => {
  expect(knowable(1.19, null, 44).why).toBe('demand/capacity 1.19 for 8 samples of 5 s, needed are 1.2 for 6')
})

test('every drill is asked 30 to 60 s into its fault, a killed executor within 45 s', () => {
  for (const { kind } of faults) {
    for (const seed of SEEDS) {
      const seconds = drawDrill(kind, seed, drawSession(seed)).askAfterMs / 1000
      expect(seconds).toBeGreaterThanOrEqual(30)
      expect(seconds).toBeLessThan(kind === 'executor_loss' ? 45 : 60)
    }
  }
})

test('an event cannot be held for half an hour', () => {
  expect(() => drawDrill('executor_loss', 1, drawSession(1), 30 * 60_000)).toThrow('executor_loss is an event that cannot be held')
  expect(() => drawDrill('upstream_late', 1, drawSession(1), 61_000)).toThrow('ask at most 60 s after it')
  expect(drawDrill('executor_loss', 1, drawSession(1), 40_000).askAfterMs).toBe(40_000)
})

/** Cause names are the file names of the product's catalogue; nothing of it is loaded here. */
const causes = readdirSync(join(import.meta.dirname, '../../src/attribution/causes')).map((file) =>
  file.replace('.ts', '').replaceAll('-', '_'),
)

test('a kind is drawn by itself exactly when the product has its cause', () => {
  expect(namedFaults.map(({ kind }) => kind).toSorted()).toEqual(
    faults
      .map(({ kind }) => kind)
      .filter((kind) => causes.includes(kind))
      .toSorted(),
  )
})
