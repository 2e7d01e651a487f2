import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeadwaterError } from '../../src/errors.ts'
import type { Evidence } from '../../src/incident/evidence.ts'
import { readBundle, writeBundle } from '../../src/sources/bundle.ts'
import { bundleJsonSchema } from '../../src/sources/bundle-schema.ts'
import { wholeEvidence } from '../build/whole-evidence.ts'

type Json = Record<string, unknown>

const smallest: Json = {
  bundle: 1,
  pipeline: { name: 'orders', topics: [{ name: 'orders' }], reader: { kind: 'other' } },
  asked_at: '2026-11-30T10:40:00Z',
  window: { from: '2026-11-30T10:39:00+00:00', to: '2026-11-30T10:40:00Z' },
}
const one = { signal: 's', entity: {}, source: 'x', t: [0, 1], v: [1, null] }
const refusal = (document: unknown): string => {
  try {
    readBundle(typeof document === 'string' ? document : JSON.stringify(document))
  } catch (error) {
    expect(error).toBeInstanceOf(HeadwaterError)
    return (error as Error).message
  }
  return 'accepted'
}

test('the smallest bundle is a pipeline, a question and a window', () => {
  expect(readBundle(JSON.stringify(smallest))).toEqual({ ...smallest, series: [], batches: [], commits: [], events: [], gaps: [] })
})

describe('round trip', () => {
  test('with every field of the contract', () => {
    expect(readBundle(writeBundle(wholeEvidence as Evidence))).toEqual(wholeEvidence)
  })

  const folder = join(import.meta.dirname, '../fixtures/bundles')
  test.each(readdirSync(folder))('%s', (name) => {
    const evidence = readBundle(readFileSync(join(folder, name)))
    const written = writeBundle(evidence)
    expect(readBundle(written)).toEqual(evidence)
    expect(readBundle(gzipSync(written))).toEqual(evidence)
    expect(writeBundle(readBundle(written))).toBe(written)
  })

  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)
  const series = fc
    .tuple(fc.uniqueArray(number, { maxLength: 6 }), fc.constantFrom('a.b', 'partition.lag'), fc.nat(3), fc.boolean())
    .chain(([t, signal, partition, record]) =>
      fc.array(fc.option(number), { minLength: t.length, maxLength: t.length }).map((v) => ({
        signal,
        entity: { topic: 'orders', partition },
        source: 'kafka',
        ...(record ? { clock: 'record' as const } : {}),
        t: t.toSorted((a, b) => a - b),
        v,
      })),
    )
  const event = fc.record({ at: number, kind: fc.string(), text: fc.string() })
  const evidence = fc.record({ series: fc.array(series), events: fc.array(event) })

  test('of any series and events, in any order: same value, same bytes', () => {
    fc.assert(
      fc.property(evidence, fc.nat(), (parts, turn) => {
        const whole: Evidence = { ...(wholeEvidence as Evidence), ...parts }
        const frozen = readBundle(writeBundle(whole))
        expect(writeBundle(frozen)).toBe(writeBundle(whole))
        expect(readBundle(writeBundle(frozen))).toEqual(frozen)
        const rotate = <T>(list: readonly T[]) => [...list.slice(turn % (list.length + 1)), ...list.slice(0, turn % (list.length + 1))]
        expect(writeBundle({ ...whole, series: rotate(whole.series), events: rotate(whole.events) })).toBe(writeBundle(whole))
        expect(frozen.series).toHaveLength(parts.series.length)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a wrong type is one error with its path', () => {
  /** Every place in the document, with its path as the error says it. */
  function* places(value: unknown, path: string, inRecord = false): Generator<string> {
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) yield* places(item, `${path}[${i}]`)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) yield* places(item, path === '' ? key : `${path}.${key}`, true)
    }
    if (inRecord || path !== '') yield path
  }
  const put = (path: string, value: unknown): Json => {
    const copy = JSON.parse(JSON.stringify(wholeEvidence)) as Json
    const keys = path.match(/[^.[\]]+/g)!
    const parent = keys.slice(0, -1).reduce<Json>((at, key) => at[key] as Json, copy)
    parent[keys.at(-1)!] = value
    return copy
  }

  test.each([...places(wholeEvidence, '')])('%s', (path) => {
    // No field of the contract may be a list of lists of booleans.
    const said = refusal(put(path, [[true]]))
    expect(said === 'accepted' ? said : said.slice(0, path.length)).toBe(path)
    expect(said).toMatch(/ (should be|names|is) /)
  })

  test.each<[string, unknown, string]>([
    ['no JSON', '{"bundle": 1', 'no JSON document ('],
    ['a list', [], 'the document should be an object'],
    ['another version', { ...smallest, bundle: 2 }, 'bundle should be 1 (this program reads version 1)'],
    ['no pipeline', { ...smallest, pipeline: undefined }, 'pipeline should be an object'],
    ['a time without zone', { ...smallest, asked_at: '2026-11-30' }, 'asked_at should be an ISO 8601 time with its zone'],
    ['a window that ends first', { ...smallest, window: { from: smallest.asked_at, to: smallest.asked_at } }, 'window should begin (from)'],
    ['a text as a reading', { ...smallest, series: [{ ...one, v: [1, 'x'] }] }, 'series[0].v[1] should be a number or null'],
    [
      'a reading beyond numbers',
      `${JSON.stringify({ ...smallest, series: [{ ...one, v: [1, 7] }] }).replace('7]', '1e999]')}`,
      'series[0].v[1]',
    ],
    ['null as a time', { ...smallest, series: [{ ...one, t: [0, null] }] }, 'series[0].t[1] should be a number'],
    ['lengths that differ', { ...smallest, series: [{ ...one, v: [1] }] }, 'series[0].v should be as long as its times: 2, not 1'],
    ['times that fall', { ...smallest, series: [{ ...one, t: [1, 1] }] }, 'series[0].t[1] should be above the time before it, 1'],
    ['no times', { ...smallest, series: [{ ...one, t: undefined }] }, 'series[0].t should be a list of times, or grid the name of one'],
    [
      'an axis that is not there',
      { ...smallest, series: [{ ...one, t: undefined, grid: 'g1' }] },
      'series[0].grid names no axis of grids: "g1"',
    ],
    [
      'an axis inherited from the language',
      { ...smallest, grids: {}, series: [{ ...one, t: undefined, grid: 'toString' }] },
      'series[0].grid names no',
    ],
    [
      'an axis and times',
      { ...smallest, grids: { g: [0, 1] }, series: [{ ...one, grid: 'g' }] },
      'series[0].grid should stand in place of t',
    ],
    [
      'an axis that falls',
      { ...smallest, grids: { g: [1, 0] }, series: [{ ...one, t: undefined, grid: 'g' }] },
      'grids.g[1] should be above',
    ],
    [
      'an unknown reader',
      { ...smallest, pipeline: { name: 'a', topics: [], reader: { kind: 'flink' } } },
      'pipeline.reader.kind should be one of',
    ],
    [
      'a batch that never says whether it ended',
      { ...smallest, batches: [{ id: 1, start: 0 }] },
      'batches[0].end should be a number or null',
    ],
  ])('%s', (_, document, says) => {
    expect(refusal(document)).toContain(says)
  })

  test('broken or endless gzip', () => {
    expect(() => readBundle(gzipSync('{}').subarray(0, 12))).toThrow(/broken or cut off gzip/)
    expect(() => readBundle(gzipSync(Buffer.alloc(201 * 1024 * 1024, ' '), { level: 1 }))).toThrow(
      /larger than 200 MiB, the most that is read/,
    )
  })
})

describe('what a reader forgives', () => {
  test('an unknown field is kept, and the truth never read', () => {
    const document = { ...smallest, truth: { cause: 'hot_partition' }, extra: { b: 1, a: [null] }, series: [{ ...one, note: 'kept' }] }
    const evidence = readBundle(JSON.stringify(document)) as Evidence & Json
    expect(evidence).not.toHaveProperty('truth')
    expect(evidence.extra).toEqual({ b: 1, a: [null] })
    expect(readBundle(writeBundle(evidence))).toEqual(evidence)
  })

  test('null for a fact nobody knows is the same as leaving it out', () => {
    const batch = { id: 1, start: 0, end: null, rows: null, phase: null, stages: [{ id: null, gc_ms: null, slowest: null }] }
    const evidence = readBundle(
      JSON.stringify({ ...smallest, gaps: null, batches: [batch], series: [{ ...one, period_s: null, entity: null }] }),
    )
    expect(evidence.batches).toEqual([{ id: 1, start: 0, end: null, rows: null, stages: [{ id: 0 }] }])
    expect(evidence.series).toEqual([one])
    expect(evidence.gaps).toEqual([])
  })

  test('shared axes are written out when read and shared when written', () => {
    const series = [0, 1].map((partition) => ({ signal: 's', entity: { partition }, source: 'x', grid: 'mine', v: [1, 2] }))
    const evidence = readBundle(JSON.stringify({ ...smallest, grids: { mine: [0, 60] }, series }))
    expect(evidence.series.map((s) => s.t)).toEqual([
      [0, 60],
      [0, 60],
    ])
    expect(evidence).not.toHaveProperty('grids')
    expect(JSON.parse(writeBundle(evidence))).toMatchObject({ grids: { g1: [0, 60] }, series: [{ grid: 'g1' }, { grid: 'g1' }] })
  })
})

test('a reading that is no number is never written as a missing one', () => {
  expect(() => writeBundle({ ...(wholeEvidence as Evidence), series: [{ ...one, v: [Number.NaN, 1] }] })).toThrow(/NaN is no reading/)
})

test('manifests/bundle.schema.json is the schema of this program (npm test -- test/sources/bundle.test.ts -u writes it)', async () => {
  await expect(bundleJsonSchema()).toMatchFileSnapshot('../../manifests/bundle.schema.json')
})
