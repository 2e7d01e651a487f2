/** The readings of expectations against the table of signals, which says what each is made of and which way hurts. */
import { expect, test } from 'vitest'
import { measures, plainName, signals } from '../../src/incident/signal.ts'
import { terms } from '../../src/proposal/terms.ts'

const table: Readonly<Record<string, { readonly unit: string; readonly bad: string; readonly words: string }>> = { ...signals, ...measures }

test.each(Object.entries(terms))(
  '%s stands in the table, and relief goes the other way than what hurts',
  (name, { unit, words, better }) => {
    expect(plainName(name)).toBe(words)
    expect(table[name]?.unit).toBe(unit)
    const relief: Readonly<Record<string, string>> = { up: 'lower', down: 'higher' }
    expect(relief[table[name]?.bad ?? ''] ?? better).toBe(better)
  },
)

test('every measure can be read, or nobody could expect anything of it', () => {
  expect(Object.keys(measures).filter((name) => !Object.hasOwn(terms, name))).toEqual([])
})
