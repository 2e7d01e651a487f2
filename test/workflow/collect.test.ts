import { describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import type { Pipeline } from '../../src/incident/pipeline.ts'
import { collect } from '../../src/workflow/collect.ts'
import type { Question, Source } from '../../src/workflow/ports.ts'
import { virtualClock } from '../fakes/virtual-clock.ts'

const pipeline: Pipeline = {
  name: 'orders',
  topic: 'orders',
  kafka: { brokers: ['kafka:9092'], clientId: 'headwater', tls: false, sasl: null },
  spark: null,
  query: null,
  checkpoint: null,
  eventLog: null,
  table: null,
  group: null,
  declared: { triggerSeconds: null, maxOffsetsPerTrigger: null },
  objective: { freshnessSeconds: null, lagSeconds: null },
}
const series = (value: number) => [{ signal: 'executor.count', entity: {}, source: 'x', t: [value], v: [value] }]
const found = (name: string, value = 1): Findings => ({ ...emptyFindings(name), series: series(value) })

function house() {
  const clock = virtualClock(1_000_000)
  const log: string[] = []
  const at = () => clock.nowMs() - 1_000_000
  const caller = new AbortController()
  const progress: string[] = []
  const question: Question = {
    pipeline,
    askedAtMs: 1_000_000,
    fromMs: 0,
    toMs: 1_000_000,
    thorough: false,
    signal: caller.signal,
    progress: (line) => progress.push(line),
  }
  /** A source that takes `ms`, and obeys its signal unless it is deaf. */
  const source = (name: string, ms: number, more: Partial<Source> & { deaf?: boolean } = {}): Source => ({
    name,
    applies: () => true,
    absent: () => null,
    collect: async (q) => {
      log.push(`${name} begins ${at()}`)
      await clock.wait(ms, more.deaf === true ? new AbortController().signal : q.signal)
      log.push(`${name} ends ${at()}`)
      q.progress(`${name} is done`)
      return found(name)
    },
    ...more,
  })
  const again = (name: string, ms: number): Pick<Source, 'lookAgain'> => ({
    lookAgain: async (q) => {
      log.push(`${name} again ${at()}`)
      await clock.wait(ms, q.signal)
      return found(name, 2)
    },
  })
  const run = (sources: readonly Source[], deadlineMs = 10_000) => clock.run(collect(question, sources, deadlineMs, clock))
  return { clock, log, at, caller, progress, question, source, again, run }
}

const reasons = (findings: readonly Findings[]) => findings.flatMap((f) => f.gaps.map((g) => `${g.source}: ${g.reason}`))

describe('two looks', () => {
  test('all sources side by side; the second look 2 s after the slowest first one ended', async () => {
    const { source, again, run, log, at } = house()
    const collected = await run([
      source('kafka', 1000, again('kafka', 500)),
      source('spark', 1500, again('spark', 900)),
      source('delta', 300),
    ])
    expect(log).toEqual([
      'kafka begins 0',
      'spark begins 0',
      'delta begins 0',
      'delta ends 300',
      'kafka ends 1000',
      'spark ends 1500',
      'kafka again 3500',
      'spark again 3500',
    ])
    expect(at()).toBe(4400)
    expect(collected.looks.map((l) => [l.findings.source, l.turn, l.seconds, l.late])).toEqual([
      ['kafka', 1, 1, false],
      ['spark', 1, 1.5, false],
      ['delta', 1, 0.3, false],
      ['kafka', 2, 0.5, false],
      ['spark', 2, 0.9, false],
    ])
    expect(collected.sawAnything).toBe(true)
  })

  test('a slow first look leaves as much time between the two, or there is no second one', async () => {
    const slow = house()
    await slow.run([slow.source('kafka', 5000, slow.again('kafka', 100))])
    expect(slow.log).toContain('kafka again 7000')
    const late = house()
    const collected = await late.run([late.source('kafka', 2500, late.again('kafka', 100))], 5500)
    expect(late.log.some((line) => line.includes('again'))).toBe(false)
    expect(reasons(collected.findings)).toEqual([expect.stringContaining('kafka: no time was left for a second look')])
  })

  test('a source without a second look is not waited for', async () => {
    const { source, run, at } = house()
    await run([source('delta', 300)])
    expect(at()).toBe(300)
  })

  test('a first look that found nothing is not repeated', async () => {
    const { source, again, run, log } = house()
    const down = source('kafka', 200, {
      ...again('kafka', 1),
      collect: async () => emptyFindings('kafka', { gaps: [{ source: 'kafka', signal: null, reason: 'refused' }] }),
    })
    const collected = await run([down, source('spark', 100, again('spark', 1))])
    expect(log.filter((line) => line.includes('again'))).toEqual(['spark again 2500'])
    expect(reasons(collected.findings)).toEqual(['kafka: refused'])
  })

  test('the second look is told what the first ones found', async () => {
    const { source, run } = house()
    const batch = (id: number, committedMs: number | null, end: number) => ({ id, committedMs, toOffset: { orders: { '0': end } } })
    const checkpoint: Findings = { ...found('checkpoint'), sightings: [batch(7, 1, 700), batch(8, 2, 800), batch(9, null, 900)] }
    let told: unknown = null
    const asking = source('kafka', 10, {
      lookAgain: async (_, seen) => {
        told = seen.committed
        return emptyFindings('kafka')
      },
    })
    await run([asking, source('checkpoint', 10, { collect: async () => checkpoint })])
    expect(told).toEqual({ orders: { '0': 800 } })
  })
})

describe('deadlines', () => {
  test('a source that hangs is told, then cut off; the others keep theirs, and the whole stays inside the deadline', async () => {
    const { source, again, run, at, progress } = house()
    const collected = await run([source('spark', 60_000, { deaf: true }), source('kafka', 1000, again('kafka', 60_000))])
    expect(at()).toBeLessThanOrEqual(9_400)
    expect(reasons(collected.findings)).toEqual(['spark: no answer within 5.6 s'])
    expect(collected.looks.map((l) => [l.findings.source, l.turn, l.late])).toEqual([
      ['spark', 1, true],
      ['kafka', 1, false],
      ['kafka', 2, true],
    ])
    expect(progress).toEqual(['kafka is done'])
  })

  test('what a source read by its deadline counts, with a gap that says it is not all', async () => {
    const { source, run } = house()
    const collected = await run([source('kafka', 60_000)])
    expect(collected.findings[0]?.series).toEqual(series(1))
    expect(reasons(collected.findings)).toEqual(['kafka: only part was read before its 5.6 s were over'])
  })

  test('no time left is no second look, said as a gap and not waited for', async () => {
    const { source, again, run, log, at } = house()
    const collected = await run([source('kafka', 500, again('kafka', 1))], 2000)
    expect(log.some((line) => line.includes('again'))).toBe(false)
    expect(at()).toBe(500)
    expect(reasons(collected.findings)).toEqual([expect.stringContaining('kafka: no time was left for a second look')])
  })
})

describe('what goes wrong is a gap', () => {
  test.each<[string, Source['collect']]>([
    ['a rejected promise', () => Promise.reject(new Error('socket closed'))],
    [
      'a throw',
      () => {
        throw new Error('socket closed')
      },
    ],
  ])('%s', async (_, look) => {
    const { source, run } = house()
    const collected = await run([source('kafka', 0, { collect: look }), source('delta', 1)])
    expect(reasons(collected.findings)).toEqual(['kafka: could not be looked at: socket closed'])
    expect(collected.sawAnything).toBe(true)
  })

  test('a source that is not configured says which line to add', async () => {
    const { source, run, log } = house()
    const gap = { source: 'spark', signal: null, reason: 'not configured', mend: 'spark: http://driver:4040' }
    const collected = await run([
      source('spark', 1, { applies: () => false, absent: () => gap }),
      source('group', 1, { applies: () => false }),
    ])
    expect(log).toEqual([])
    expect(collected.findings.flatMap((f) => f.gaps)).toEqual([gap])
    expect(collected.sawAnything).toBe(false)
  })

  test('readings that are no numbers are left out and counted', async () => {
    const { source, run } = house()
    const odd: Findings = {
      ...found('spark'),
      series: [{ signal: 's', entity: {}, source: 'spark', t: [1, Number.NaN, 3, 4], v: [1, 2, Number.POSITIVE_INFINITY, null] }],
      commits: [{ version: 1, at: Number.NaN, kind: 'data' }],
    }
    const collected = await run([source('spark', 1, { collect: async () => odd })])
    expect(collected.findings[0]?.series[0]).toMatchObject({ t: [1, 4], v: [1, null] })
    expect(collected.findings[0]?.commits).toEqual([])
    expect(reasons(collected.findings)).toEqual(['spark: 3 readings were no number and left out'])
  })
})

test('a caller who no longer waits ends everything at once', async () => {
  const { clock, source, again, caller, question, at } = house()
  const work = collect(question, [source('kafka', 3000, again('kafka', 3000)), source('spark', 60_000, { deaf: true })], 10_000, clock)
  await clock.run(clock.wait(1000, new AbortController().signal))
  caller.abort()
  await expect(clock.run(work)).rejects.toEqual(new HeadwaterError('interrupted', 'interrupted'))
  expect(at()).toBeLessThanOrEqual(1400)
})
