/** What every source owes, whatever it reads. */
import { describe, expect, it } from 'vitest'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { sources } from '../../src/sources/index.ts'

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders',
  // Nobody listens on these, and the folders do not exist.
  kafka: { brokers: ['127.0.0.1:1'], clientId: 'headwater', tls: false, sasl: null },
  spark: 'http://127.0.0.1:1',
  query: null,
  checkpoint: '/nowhere/ckpt',
  table: '/nowhere/table',
  group: 'orders-reader',
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: null, lagSeconds: null },
}
const bare: Pipeline = { ...pipeline, spark: null, checkpoint: null, table: null, group: null }
const now = Date.parse('2026-11-30T14:00:00Z')
const question = (signal: AbortSignal) => ({
  pipeline,
  askedAtMs: now,
  fromMs: now - 3_600_000,
  toMs: now,
  thorough: false,
  signal,
  progress: () => {},
})

it('sources have names of their own', () => {
  expect(new Set(sources.map((s) => s.name)).size).toBe(sources.length)
})

describe.each(sources.map((source) => [source.name, source] as const))('%s', (_, source) => {
  it('applies where it is configured, and elsewhere says what is missing or that nobody would miss it', () => {
    expect(source.applies(pipeline)).toBe(true)
    if (!source.applies(bare)) {
      const gap = source.absent(bare)
      if (gap !== null) expect(gap.reason.length).toBeGreaterThan(5)
    }
  })

  it('brings home a gap with its reason when there is nothing to read, and never throws', async () => {
    const found = await source.collect(question(AbortSignal.timeout(5000)))
    expect(found.gaps.length).toBeGreaterThan(0)
    for (const gap of found.gaps) expect(gap.reason).toMatch(/\w+ \w+/)
    expect(found.series.flatMap((s) => s.v).filter((v) => v === 0)).toEqual([])
  })

  it('comes home at once when it is called off', async () => {
    const begin = performance.now()
    const found = await source.collect(question(AbortSignal.abort()))
    expect(performance.now() - begin).toBeLessThan(1500)
    expect(found.source.length).toBeGreaterThan(0)
  })
})
