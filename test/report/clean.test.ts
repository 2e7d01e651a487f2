/** Names come from brokers, drivers and tables of others: whatever they hold, they stay names. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, xml } from '../../src/report/clean.ts'

test.each([
  ['orders', 'orders'],
  ['a\nb\r\nc\td', 'a b c d'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[2J\u001b[1;1Hgone', 'gone'],
  ['\u009b31mred', 'red'],
  ['\u001b]0;title\u0007rest', 'rest'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001b]0;never ended', '0;never ended'],
  ['\u001bPq#0\u001b\\after', 'after'],
  ['\u001b', ''],
  ['bell\u0007 and null\u0000', 'bell and null'],
  ['\u202eevil\u202c', 'evil'],
  ['zero\u200bwidth\ufeff', 'zerowidth'],
  ['line\u2028break', 'line break'],
  ['половина ½ 注文', 'половина ½ 注文'],
  ['lone \ud800 surrogate', 'lone surrogate'],
])('%j is cleaned to %j', (text, cleaned) => {
  expect(clean(text)).toBe(cleaned)
})

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '[', ']', '\u009b', '\n', '\u0007', '\u202e', '3', 'm', ' ', '<', '&'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

test('nothing that a terminal obeys is left, and cleaning again changes nothing', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const cleaned = clean(text)
      expect(cleaned).not.toMatch(/[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e]/u)
      expect(clean(cleaned)).toBe(cleaned)
    }),
  )
})

test('marks of XML are written as entities', () => {
  expect(xml(`<a href="x">&'`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;')
})
