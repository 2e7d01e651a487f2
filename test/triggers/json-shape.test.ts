import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tooMuchJson } from '../../src/triggers/json-shape.ts'

const bounds = { depth: 3, elements: 6 }

test.each<[string, string | null]>([
  ['{}', null],
  ['[[[1]]]', null],
  ['[[[[1]]]]', 'nested deeper than 3 levels'],
  ['[1,2,3,4,5]', null],
  ['[1,2,3,4,5,6]', 'more than 6 values'],
  ['["[[[[", "{{{{", ",,,,,,"]', null],
  ['["\\"[[[[", "\\\\"]', null],
  ['["\\\\",[[[1]]]]', 'nested deeper than 3 levels'],
  ['{"a":{"b":{"c":{}}}}', 'nested deeper than 3 levels'],
  ['', null],
  [']]]][[[', null],
  ['"never closed [[[[[', null],
])('%s', (text, says) => {
  expect(tooMuchJson(text, bounds)).toBe(says)
})

test('depth is that of what a parser makes of it', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, depth) => {
      const value: unknown = JSON.parse(text)
      expect(tooMuchJson(text, { depth, elements: 1e9 }) === null).toBe(depthOf(value) <= depth)
    }),
  )
})
