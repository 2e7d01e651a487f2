/** Whatever a driver sends, the source answers with findings: it never throws, and its readings stay well formed. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Findings } from '../../src/incident/findings.ts'
import { sparkUi } from '../../src/sources/spark-ui.ts'
import { questionAt } from '../fixtures/spark/question.ts'
import type { StubDriver } from '../fixtures/spark/stub-driver.ts'
import { answerAs, drill, sendJson, startStub } from '../fixtures/spark/stub-driver.ts'

const frozen = drill('executor-freeze')
const state = frozen.at(25)
const usual = answerAs(() => state)

/** Changes the body on its way out; set by each run. */
let spoil: (body: unknown) => unknown = (body) => body
let stub: StubDriver

beforeAll(async () => {
  stub = await startStub((request, response, url) => {
    // The usual answer is caught as text, spoiled and sent on.
    const chunks: Buffer[] = []
    const sink = {
      writeHead: () => sink,
      end: (bytes?: Buffer | string) => {
        chunks.push(Buffer.from(bytes ?? ''))
      },
    }
    usual({ ...request, headers: {} } as typeof request, sink as unknown as typeof response, url)
    const text = Buffer.concat(chunks).toString('utf8')
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = text
    }
    sendJson(request, response, spoil(body) ?? null)
  })
})
afterAll(() => stub.close())

const oddValue = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.integer(),
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constant([]),
  fc.constant({}),
  fc.constant(-1),
  fc.constant('1969-12-31T23:59:59.999GMT'),
  fc.constant(Number.MAX_SAFE_INTEGER),
)

/** Replaces about one in `rarity` values, anywhere in the body, by an odd one. */
function spoiler(seeds: readonly number[], odd: readonly unknown[], rarity: number): (body: unknown) => unknown {
  let at = 0
  const next = (): number => seeds[at++ % seeds.length] ?? 0
  const walk = (value: unknown): unknown => {
    if (next() % rarity === 0) return odd[next() % odd.length]
    if (Array.isArray(value)) return value.slice(0, 12).map(walk)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
    return value
  }
  return walk
}

function wellFormed(findings: Findings): void {
  for (const { t, v } of findings.series) {
    expect(v).toHaveLength(t.length)
    expect(t.every((time, i) => Number.isFinite(time) && (i === 0 || time > (t[i - 1] ?? Infinity)))).toBe(true)
    expect(v.every((value) => value === null || Number.isFinite(value))).toBe(true)
  }
  for (const sighting of findings.sightings) {
    expect(Number.isSafeInteger(sighting.id)).toBe(true)
    expect(oddNumbers(sighting)).toEqual([])
  }
  expect(findings.events.every((event) => Number.isFinite(event.at))).toBe(true)
  expect(findings.gaps.every((gap) => gap.reason !== '' && !gap.reason.includes('could not be put together'))).toBe(true)
}

/** Every number in it that is none. */
function oddNumbers(value: unknown): number[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(oddNumbers) : []
}

test('spoiled bodies: findings or gaps, never an error', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(), { minLength: 50, maxLength: 400 }),
      fc.array(oddValue, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(5, 40, 400, 4_000),
      async (seeds, odd, rarity) => {
        spoil = spoiler(seeds, odd, rarity)
        const question = questionAt(stub.url, frozen.timeOf(25))
        const first = await sparkUi.collect(question)
        wellFormed(first)
        const second = await sparkUi.lookAgain?.(question, { committed: null, findings: [first] })
        if (second !== undefined) wellFormed(second)
      },
    ),
    { numRuns: 60 },
  )
})
