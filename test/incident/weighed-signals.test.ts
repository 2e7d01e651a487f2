/** The table of signals says which of them count: that is tried on the engine, not believed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import { judgedSignals, knownSignals } from '../../src/incident/weighed-signals.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { judge } from '../../src/workflow/judge.ts'
import { groupEvidence } from '../report/group-evidence.ts'

const series = (signal: string, v: readonly number[]): Series => ({
  signal,
  entity: { topic: 'invoices', partition: 0, group: 'billing', executor: '1', host: 'h', broker: 1, member: 'm0' },
  source: 'x',
  t: v.map((_, i) => 100 + i * 100),
  v,
})
/** The same reading at the end of the window: some count only while they are new. */
const fresh = (one: Series): Series => ({ ...one, t: [buildTimeline(groupEvidence).now] })
const withSeries = (evidence: Evidence, ...more: Series[]): Evidence => ({ ...evidence, series: [...evidence.series, ...more] })
/** Without the list of what was read, which names every signal. */
const seenBy = (evidence: Evidence) => ({ ...buildTimeline(evidence), signals: [] })

const unweighed = [...knownSignals].filter((signal) => !judgedSignals.has(signal))

describe('what the table calls unweighed, and what it does not know, changes nothing', () => {
  test.each([...unweighed, 'sink.mood', 'partition.colour'])('%s', (signal) => {
    const more = withSeries(groupEvidence, series(signal, [1, 90, 3, 1000]))
    expect(seenBy(more)).toEqual(seenBy(groupEvidence))
    expect(judge(more).attribution).toEqual(judge(groupEvidence).attribution)
  })
})

test('every signal of the example bundles is known, and every one that our own sources give', () => {
  const folder = join(import.meta.dirname, '../fixtures/bundles')
  const foreign = readdirSync(folder).flatMap((file) => readBundle(readFileSync(join(folder, file))).series.map((one) => one.signal))
  const sources = join(import.meta.dirname, '../../src/sources')
  const own = readdirSync(sources).flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/(?:signal: |pointSeries\(source, )'(\w+\.\w+)', (?:entity|\{)/g)].map(
      ([, signal]) => signal as string,
    ),
  )
  expect(own.length).toBeGreaterThan(5)
  expect([...new Set([...foreign, ...own])].filter((signal) => !knownSignals.has(signal))).toEqual([])
})

test('what the timeline reads by name is weighed', () => {
  const folder = join(import.meta.dirname, '../../src/timeline')
  const read = ['build.ts', 'partitions.ts', 'freshness.ts'].flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, signal]) => signal as string),
  )
  expect([...new Set(read)].filter((signal) => !judgedSignals.has(signal))).toEqual([])
})

describe('what the table calls weighed is in the timeline', () => {
  /** One log end of one partition: enough for a position to make a lag of. */
  const little: Evidence = { ...groupEvidence, series: [series('partition.log_end_offset', [500])] }
  test.each([...judgedSignals].filter((signal) => signal !== 'partition.log_end_offset'))('%s', (signal) => {
    const value = signal === 'partition.leader' ? -1 : signal === 'executor.task_rate' ? 0 : 100
    expect(seenBy(withSeries(little, fresh(series(signal, [value]))))).not.toEqual(seenBy(little))
  })

  test('partition.log_end_offset', () => {
    expect(seenBy(little)).not.toEqual(seenBy({ ...little, series: [] }))
  })
})
