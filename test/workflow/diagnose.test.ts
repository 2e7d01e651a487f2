import { expect, test } from 'vitest'
import type { Evidence } from '../../src/incident/evidence.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { renderVerdict } from '../../src/report/terminal.ts'
import { verdictJson } from '../../src/report/verdict-json.ts'
import { readBundle, writeBundle } from '../../src/sources/bundle.ts'
import { diagnose } from '../../src/workflow/diagnose.ts'
import { judge } from '../../src/workflow/judge.ts'
import type { Source } from '../../src/workflow/ports.ts'
import { evidenceOf } from '../build/pipeline.ts'
import { virtualClock } from '../fakes/virtual-clock.ts'

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders',
  kafka: { brokers: ['kafka:9092'], clientId: 'headwater', tls: false, sasl: null },
  spark: 'http://driver:4040',
  query: null,
  checkpoint: null,
  eventLog: null,
  table: null,
  group: null,
  declared: { triggerSeconds: 5, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: 120, lagSeconds: null },
}
const freeze = (evidence: Evidence) => {
  const bundle = writeBundle(evidence)
  return { bundle, evidence: readBundle(bundle) }
}
const ends = (signal: string): Source => ({
  name: 'kafka',
  applies: () => true,
  absent: () => null,
  collect: async ({ askedAtMs }) => ({
    ...emptyFindings('kafka'),
    series: [
      { signal, entity: { topic: 'orders', partition: 0 }, source: 'kafka', t: [askedAtMs / 1000 - 60, askedAtMs / 1000], v: [1, 3000] },
    ],
  }),
})

test('a live look and the replay of its bundle are the same verdict, byte for byte', async () => {
  const clock = virtualClock(Date.parse('2026-11-30T10:40:00.250Z'))
  const request = {
    pipeline,
    deadlineMs: 10_000,
    thorough: false,
    signal: new AbortController().signal,
    progress: () => {},
    engine: '0.1.0',
    configHash: 'abc',
  }
  const live = await clock.run(diagnose(request, { sources: [ends('partition.log_end_offset')], clock, freeze }))
  const evidence = readBundle(live.bundle)
  expect(evidence).toMatchObject({
    engine: '0.1.0',
    config_hash: 'abc',
    asked_at: '2026-11-30T10:40:00.250Z',
    window: { from: '2026-11-30T09:40:00.250Z' },
  })
  const replayed = judge(evidence)
  const view = { zone: 'Europe/Berlin', width: 80, color: false, verbose: true }
  expect(verdictJson(replayed.attribution, replayed.timeline, { bundle: null })).toBe(
    verdictJson(live.attribution, live.timeline, { bundle: null }),
  )
  expect(renderVerdict(replayed.attribution, replayed.timeline, view)).toBe(renderVerdict(live.attribution, live.timeline, view))
})

test('evidence that people or sources list in another order gives the same verdict', () => {
  const evidence = evidenceOf({ rate: (partition, t) => (t > 3000 && partition === 2 ? 400 : 50) })
  const shuffled = {
    ...evidence,
    series: evidence.series.toReversed(),
    batches: evidence.batches.toReversed(),
    commits: evidence.commits.toReversed(),
  }
  const verdict = (value: Evidence) => {
    const { attribution, timeline } = judge(freeze(value).evidence)
    return verdictJson(attribution, timeline, { bundle: null })
  }
  expect(verdict(shuffled)).toBe(verdict(evidence))
})
