import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginning, columns, shorten, wrap } from '../../src/report/wrap.ts'

test('lines end between words, never in them', () => {
  expect(wrap('partition 3 takes more than its reader can work off', 20)).toEqual([
    'partition 3 takes',
    'more than its reader',
    'can work off',
  ])
})

test('a sentence too long is told from its beginning', () => {
  const why =
    'Executor 2 went at 14:02. What happened to its container is to be found there: it ended with code 137, that is killed from outside.'
  expect(beginning(why, 200)).toBe(why)
  expect(beginning(why, 60)).toBe('Executor 2 went at 14:02.')
  expect(beginning(why.slice(26), 45)).toBe('What happened to its container is to be…')
  expect(beginning(why.slice(26), 29)).toBe('What happened to its…')
  expect(beginning('x'.repeat(50), 10)).toBe('xxxxxxxxx…')
})

test('law: the beginning of a sentence fits, and nothing in it is made up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, most) => {
      const said = beginning(text, most)
      expect(columns(said)).toBeLessThanOrEqual(most)
      expect(text.startsWith(said.endsWith('…') && said !== text ? said.slice(0, -1) : said)).toBe(true)
    }),
  )
})

test('a number stays with its unit', () => {
  expect(wrap('it took about 3 min 20 s', 20)).toEqual(['it took about', '3 min 20 s'])
  expect(wrap('the lag is 48 k records', 15)).toEqual(['the lag is', '48 k records'])
})

test('indents count', () => {
  expect(wrap('one two three', 10, { first: '  + ', rest: '    ' })).toEqual(['  + one', '    two', '    three'])
})

test('a word longer than a line keeps both ends', () => {
  expect(wrap(`topic ${'a'.repeat(30)}${'b'.repeat(30)} is hot`, 20)).toEqual(['topic', 'aaaaaaaaaa…bbbbbbbbb', 'is hot'])
})

test('wide and combining characters are counted as they are drawn', () => {
  expect([columns('abc'), columns('注文'), columns('e\u0301'), columns('🔥')]).toEqual([3, 4, 1, 2])
  expect(columns(shorten('注文'.repeat(20), 11))).toBeLessThanOrEqual(11)
})

test('no text makes a line too wide', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 10, max: 100 }), (text, width) => {
      for (const line of wrap(text, width, { first: '  + ', rest: '    ' })) expect(columns(line)).toBeLessThanOrEqual(width)
    }),
  )
})
