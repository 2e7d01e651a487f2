/** A value carries the version of its shape: the one before is read, the next one is refused. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Format } from '../../src/workflow/stored.ts'
import { seal, sealBytes, unseal, unsealBytes } from '../../src/workflow/stored.ts'

interface Pace {
  readonly perSecond: number
}

const third: Format<Pace> = {
  name: 'a pace',
  version: 3,
  upgrade: (older) => ({ perSecond: (older as { perMinute: number }).perMinute / 60 }),
}

test('what was sealed is unsealed, equal values alike', () => {
  expect(seal(third, { perSecond: 2 })).toBe('{"v":3,"value":{"perSecond":2}}')
  expect(unseal(third, '{"v":3,"value":{"perSecond":2}}')).toEqual({ perSecond: 2 })
})

test('version 3 reads version 2', () => {
  expect(unseal(third, '{"v":2,"value":{"perMinute":120}}')).toEqual({ perSecond: 2 })
})

test.each<[string, string, string, boolean]>([
  ['{"v":4,"value":{}}', 'a pace was stored in version 4; this program reads 2 and 3: a newer Headwater', 'store_newer', true],
  ['{"v":1,"value":{}}', 'a pace was stored in version 1; this program reads 2 and 3: start a version between', 'store_mistaken', false],
  ['hello', 'a pace in the store was not written by Headwater', 'store_mistaken', false],
  ['null', 'a pace in the store was not written by Headwater', 'store_mistaken', false],
])('refuses %s', (text, says, code, retryable) => {
  expect(() => unseal(third, text)).toThrow(says)
  expect(() => unseal(third, text)).toThrow(expect.objectContaining({ code, retryable }))
})

test('the first version has none before it', () => {
  expect(() => unseal({ ...third, version: 1, upgrade: null }, '{"v":0,"value":{}}')).toThrow('this program reads 1: start')
})

const bytes: Format<Uint8Array> = { name: 'a picture', version: 3, upgrade: (older) => (older as Uint8Array).toReversed() }

test('bytes carry their version in front, and the one before is read as well', () => {
  expect([...sealBytes(bytes, Uint8Array.of(7, 8))]).toEqual([3, 7, 8])
  expect([...unsealBytes(bytes, Uint8Array.of(3, 7, 8))]).toEqual([7, 8])
  expect([...unsealBytes(bytes, Uint8Array.of(2, 7, 8))]).toEqual([8, 7])
})

test.each<[string, number[], string, boolean]>([
  ['a newer version', [4, 7], 'store_newer', true],
  ['a version before the one before', [1, 7], 'store_mistaken', false],
  ['no byte at all', [], 'store_mistaken', false],
])('bytes of %s are refused for what they are', (_, sealed, code, retryable) => {
  expect(() => unsealBytes(bytes, Uint8Array.from(sealed))).toThrow(expect.objectContaining({ code, retryable }))
})

test('each stored value has one format, so that two rooms never read it in two versions', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const names = files.flatMap((path) =>
    [...readFileSync(join('src', path), 'utf8').matchAll(/: Format<[^=]+> = \{ name: '([^']+)'/g)].map((found) => found[1]!),
  )
  expect(names.length).toBeGreaterThan(5)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
})
