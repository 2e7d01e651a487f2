/**
 * What every cause of the list promises, tried on the same incidents: it accuses nobody in calm, claims nothing it did not see, says what
 * it would need, and every number it names can be checked by hand. A new cause is under this contract by standing in the list.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import type { Cause, Weighing } from '../../src/attribution/cause.ts'
import { causes } from '../../src/attribution/causes/index.ts'
import type { Facts } from '../../src/attribution/facts.ts'
import { gatherFacts } from '../../src/attribution/facts.ts'
import { changes, owners } from '../../src/incident/action.ts'
import type { Batch, Evidence, Stage } from '../../src/incident/evidence.ts'
import { plainName } from '../../src/incident/signal.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { incidents } from '../build/incidents.ts'
import { evidenceOf } from '../build/pipeline.ts'

const folder = join(import.meta.dirname, '../../src/attribution/causes')
const names = Object.keys(incidents)
const evidenceBy = new Map<string, Evidence>()
const factsBy = new Map<string, Facts>()

function evidence(name: string): Evidence {
  const made = evidenceBy.get(name) ?? (incidents[name] as () => Evidence)()
  evidenceBy.set(name, made)
  return made
}

const factsOf = (one: Evidence): Facts => gatherFacts(buildTimeline(one))

/** Frozen to the last list: who changes what all causes look at fails at once. */
function facts(name: string): Facts {
  const made = factsBy.get(name) ?? frozen(factsOf(evidence(name)))
  factsBy.set(name, made)
  return made
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const one of Object.values(value)) frozen(one)
  return value
}

/** Everything a person reads of it. */
const words = ({ evidence: said, missing, headline }: Weighing): string[] => [
  headline,
  ...missing.map(({ how }) => how),
  ...said.flatMap(({ says, check }) => [says, ...(check === undefined ? [] : [check.expect])]),
]

test('a file and its cause have one name', () => {
  const files = readdirSync(folder).filter((file) => file !== 'index.ts')
  expect(causes.map(({ name }) => `${name.replaceAll('_', '-')}.ts`).sort()).toEqual(files.sort())
})

describe.each(causes.map((cause): [string, Cause] => [cause.name, cause]))('%s', (name, cause) => {
  test('says at the top of its file why, in three to six lines', () => {
    const text = readFileSync(join(folder, `${name.replaceAll('_', '-')}.ts`), 'utf8')
    const [, header = ''] = /^\/\*\*\n((?: \* .+\n)+) \*\/\n/.exec(text) ?? []
    const lines = header.split('\n').filter((line) => line !== '')
    expect(lines.length).toBeGreaterThanOrEqual(3)
    expect(lines.length).toBeLessThanOrEqual(6)
    expect(header).toMatch(/Looks like:[\s\S]*Confused with:[\s\S]*Ruled out by:/)
  })

  test('has a prior of one among many, and wishes for a change of the closed list or names an owner', () => {
    expect(cause.prior).toBeGreaterThan(0)
    expect(cause.prior).toBeLessThanOrEqual(0.2)
    const { remedy } = cause
    expect([...changes, 'hand_over', 'nothing']).toContain(remedy.action)
    if (remedy.action === 'hand_over') expect(owners).toContain(remedy.to)
    expect(remedy.why).toMatch(/^[a-z].{30,}[^.]$/)
  })

  test('needs readings that the table of signals knows, with the line that gets each', () => {
    expect(cause.needs.length).toBeGreaterThan(0)
    for (const { signal, how, weight } of cause.needs) {
      expect(plainName(signal), signal).not.toBeNull()
      expect(how).toMatch(/\w+ \w+ \w+/)
      expect(weight).toBeGreaterThan(0)
      expect(weight).toBeLessThanOrEqual(3)
    }
  })

  test('is not first in calm', () => {
    const first = attribute(buildTimeline(evidenceOf())).ranking[0]?.[0]
    expect(first === name).toBe(name === 'none')
  })

  test('with nothing seen claims nothing and says what it would need', () => {
    const { evidence: said, missing } = cause.weigh(facts('nothing seen'))
    expect(said.filter(({ weight }) => weight > 0)).toEqual([])
    expect(missing.map(({ signal }) => signal)).toEqual(
      expect.arrayContaining(cause.needs.filter((need) => need.unmet(facts('nothing seen'))).map(({ signal }) => signal)),
    )
    expect(missing.length).toBeGreaterThan(0)
  })

  test('its evidence is sound, each with a number, and a check or a reason', () => {
    for (const incident of names) {
      const { evidence: said, missing, onset } = cause.weigh(facts(incident))
      expect(new Set(said.map(({ id }) => id)).size, incident).toBe(said.length)
      for (const { id, says, weight, check, noCheck } of said) {
        const which = `${id} of ${incident}`
        expect(Number.isFinite(weight), which).toBe(true)
        expect(Math.abs(weight), which).toBeLessThanOrEqual(3)
        expect(says, which).toMatch(/^[A-Z\d].*\.$/)
        expect(says, which).toMatch(/\d/)
        expect(`${says} ${check?.expect}`, which).not.toMatch(/undefined\b.|NaN|null|Infinity/)
        expect(
          [check, noCheck].filter((one) => one !== undefined),
          `${which} has a check or a reason`,
        ).toHaveLength(1)
      }
      for (const { signal, weight } of missing) {
        expect(plainName(signal), signal).not.toBeNull()
        expect(Number.isFinite(weight) && weight >= 0 && weight <= 3, signal).toBe(true)
      }
      if (onset !== null) expect(onset[0], incident).toBeLessThanOrEqual(onset[1])
    }
  })

  test('weighs the same facts alike, and leaves them alone', () => {
    for (const incident of names) {
      expect(cause.weigh(facts(incident)), incident).toStrictEqual(cause.weigh(facts(incident)))
      expect(cause.weigh(factsOf(evidence(incident))), incident).toStrictEqual(cause.weigh(facts(incident)))
    }
  })

  test.each(['\u001b[31mred\u001b[0m', 'two\nlines\u0007', '\u202eback'])('no name in its words is obeyed: %j', (hostile) => {
    for (const incident of [
      'a hot partition',
      'a surge',
      'a lost executor',
      'a standing executor',
      'old records at once',
      'a stopped producer',
    ]) {
      const named = JSON.stringify(evidence(incident)).replaceAll(/"(orders|orders_bronze|10\.0\.0\.\d)"/g, JSON.stringify(hostile))
      for (const text of words(cause.weigh(factsOf(JSON.parse(named) as Evidence)))) {
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
      }
    }
  })
})

/** What a source that does not answer, or an older one, leaves out. */
const losses: Readonly<Record<string, (one: Evidence) => Evidence>> = {
  'the times of records': (one) => ({ ...one, series: one.series.filter(({ clock }) => clock !== 'record') }),
  'arrivals now': (one) => ({ ...one, series: one.series.filter(({ clock }) => clock !== 'arrival') }),
  batches: (one) => ({ ...one, batches: [] }),
  'offsets of batches': batchesWithout('to_offset', 'from_offset'),
  'rows of batches': batchesWithout('rows'),
  'phases of batches': batchesWithout('duration_ms'),
  jobs: batchesWithout('jobs'),
  stages: batchesWithout('stages'),
  'single tasks': stagesWithout('task_sample'),
  'task times': stagesWithout('task_ms'),
  'tasks by executor': stagesWithout('by_executor'),
  'CPU time': stagesWithout('cpu_ms'),
  commits: (one) => ({ ...one, commits: [] }),
  events: (one) => ({ ...one, events: [] }),
}

function batchesWithout(...keys: (keyof Batch)[]) {
  return (one: Evidence): Evidence => ({ ...one, batches: one.batches.map((batch) => without(batch, keys)) })
}

function stagesWithout(...keys: (keyof Stage)[]) {
  return (one: Evidence): Evidence => ({
    ...one,
    batches: one.batches.map((batch) =>
      batch.stages === undefined ? batch : { ...batch, stages: batch.stages.map((s) => without(s, keys)) },
    ),
  })
}

function without<T extends object>(value: T, keys: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as keyof T))) as T
}

/** A reading that is left where another is lost may be a coarser one of the same: log-odds. */
const COARSER = 0.05

const speaksFor = (weighing: Weighing) => weighing.evidence.reduce((sum, { weight }) => sum + Math.max(0, weight), 0)

describe('what is no longer seen speaks for nobody', () => {
  test.each(names)('%s', (incident) => {
    const whole = evidence(incident)
    const lost = { ...losses }
    for (const signal of new Set(whole.series.map((one) => one.signal))) {
      lost[signal] = (one) => ({ ...one, series: one.series.filter((series) => series.signal !== signal) })
    }
    for (const [what, lose] of Object.entries(lost)) {
      const less = factsOf(lose(whole))
      for (const cause of causes) {
        const with_ = speaksFor(cause.weigh(facts(incident)))
        expect(speaksFor(cause.weigh(less)), `${cause.name} without ${what}`).toBeLessThanOrEqual(with_ + COARSER)
      }
    }
  })
})

test.each(names)('%s: what is ruled out is ruled out by a number that can be checked', (incident) => {
  const { ruledOut } = attribute(buildTimeline(evidence(incident)))
  for (const { cause, by, check, noCheck } of ruledOut) {
    expect(by, cause).toMatch(/\d/)
    expect(check ?? noCheck, cause).toBeDefined()
  }
})
