/** The table of signals against what is emitted: a name that nobody can look up would be a number without a unit. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measures, plainName, readings, signals } from '../../src/incident/signal.ts'
import { readBundle } from '../../src/sources/bundle.ts'
import type { ParsedModule } from '../architecture/parse-module.ts'
import { parseModule } from '../architecture/parse-module.ts'

const root = join(import.meta.dirname, '../..')
const families = new Set(Object.keys(signals).flatMap((name) => (name.includes('.') ? [name.split('.')[0] as string] : [])))

/** Texts that stand as the value of `signal`, and all that look like a name of a known family. */
function namesIn({ nodes }: ParsedModule): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      const [, family] = /^([a-z_]+)\.[a-z_0-9]+$/.exec(node.value) ?? []
      return family !== undefined && families.has(family) ? [node.value] : []
    }
    if (node.type !== 'Property' || node.key.type !== 'Identifier' || node.key.name !== 'signal') return []
    return node.value.type === 'Literal' && typeof node.value.value === 'string' ? [node.value.value] : []
  })
}

test.each(['src/sources', 'src/timeline'])('%s: every name is in the table', (folder) => {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'))
  const found = files.flatMap((file) => namesIn(parseModule(file, readFileSync(join(root, folder, file), 'utf8'))))
  expect(found.length).toBeGreaterThan(3)
  expect([...new Set(found)].filter((name) => plainName(name) === null)).toEqual([])
})

test.each(['test/drills', 'src/demo/recordings', 'test/fixtures/bundles'])(
  '%s: every series and event of these bundles is in the table',
  (folder) => {
    const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.json.gz'))
    const bundles = files.map((file) => readBundle(readFileSync(join(root, folder, file))))
    const emitted = bundles.flatMap(({ series, events }) => [...series.map(({ signal }) => signal), ...events.map(({ kind }) => kind)])
    expect(emitted.length).toBeGreaterThan(10)
    expect([...new Set(emitted)].filter((name) => plainName(name) === null)).toEqual([])
  },
)

test('no two signals are called the same, and each name can follow "was not seen: "', () => {
  const words = Object.values(signals).map((signal) => signal.words)
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
  const others = [...Object.values(readings), ...Object.values(measures)].map((one) => one.words)
  for (const word of [...words, ...others]) expect(word).toMatch(/^[a-z].*[^.:]$/)
})

test('what is compared or worked out is made of signals', () => {
  for (const { of } of [...Object.values(readings), ...Object.values(measures)])
    expect(of.filter((name) => !Object.hasOwn(signals, name))).toEqual([])
})

test('a name of nobody is not known, whatever objects are called inside', () => {
  expect([plainName('made.up'), plainName('constructor'), plainName('toString')]).toEqual([null, null, null])
  expect(plainName('executor.count')).toBe('the number of executors')
  expect(plainName('reader.lag')).toBe('lag just after a commit')
})
