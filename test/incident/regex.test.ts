import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wholeTextMatcher } from '../../src/incident/regex/match.ts'

function matches(pattern: string, text: string): boolean {
  const matcher = wholeTextMatcher(pattern)
  if ('mistake' in matcher) throw new Error(matcher.mistake)
  return matcher.matches(text)
}

test.each<[string, string, boolean]>([
  ['orders', 'orders', true],
  ['orders', 'orders-2', false],
  ['orders', 'my-orders', false],
  ['orders.*', 'orders-2', true],
  ['orders|payments', 'payments', true],
  ['orders|payments', 'orderspayments', false],
  ['(data|stream)-.+', 'data-platform', true],
  ['(data|stream)-.+', 'data-', false],
  ['', '', true],
  ['.*', '', true],
  ['.+', '', false],
  ['.', '😀', true],
  ['.*', 'two\nlines', true],
  ['5..', '503', true],
  ['5[0-9]{2}', '503', true],
  ['5[0-9]{2}', '5033', false],
  ['a{2,3}', 'a', false],
  ['a{2,3}', 'aaa', true],
  ['a{2,}', 'aaaaaa', true],
  ['a{,3}', 'a{,3}', true],
  ['[^a-c]+', 'xyz', true],
  ['[^a-c]+', 'xbz', false],
  ['[]a]+', ']a', true],
  ['[a-]+', 'a-', true],
  ['[\\w.-]+', 'orders_v1.2-x', true],
  ['[[:alpha:]]+', 'abc', true],
  ['[[:^alpha:]]+', 'abc', false],
  ['\\d+\\.\\d+', '4.2', true],
  ['\\D+', '4', false],
  ['(?i)ORDERS', 'orders', true],
  ['(?i:o)rders', 'Orders', true],
  ['(?i:o)rders', 'ORDERS', false],
  ['(?:a|b)c', 'bc', true],
  ['(?P<topic>a)b', 'ab', true],
  ['^orders$', 'orders', true],
  ['a^b', 'ab', false],
  ['\\borders\\b.*', 'orders late', true],
  ['\\p{Lu}\\pL+', 'Ätna', true],
  ['\\x41\\x{1F600}', 'A😀', true],
  ['a\\|b', 'a|b', true],
  ['(a*)*', 'aaa', true],
  ['(a|b|)+c', 'abc', true],
  ['a*?b+?', 'aab', true],
])('%j on %j is %s', (pattern, text, says) => {
  expect(matches(pattern, text)).toBe(says)
})

test.each<[string, string]>([
  ['(', 'a "(" without its ")"'],
  ['a)', 'a ")" without its "("'],
  ['[a', 'a "[" without its "]"'],
  ['*a', 'a "*" with nothing before it to repeat'],
  ['a**', 'a "*" right after another repetition'],
  ['a{3,2}', '"{3,2}" has its larger number first'],
  ['a{1001}', 'more than 1000 repetitions'],
  ['(a{100}){100}', 'repetitions that make more than 1000 steps'],
  ['(a)\\1', 'the back-reference "\\1"'],
  ['(?=a)', 'look-around or an unknown group "(?"'],
  ['(?<!a)b', 'look-around or an unknown group "(?"'],
  ['\\q', 'the unknown escape "\\q"'],
  ['\\p{Nonsense}', 'the unknown property "Nonsense"'],
  ['[[:nonsense:]]', 'the unknown class "[:nonsense:]"'],
  ['[z-a]', 'a range in "[…]" that ends before it begins'],
  ['\\x{110000}', 'no character "\\x{110000}"'],
  ['a\\', 'a backslash at the end'],
  ['a'.repeat(1_001), 'more than 1000 characters'],
])('%j is refused', (pattern, mistake) => {
  expect(wholeTextMatcher(pattern)).toEqual({ mistake })
})

describe('as JavaScript would, where JavaScript comes to an end', () => {
  const { regex } = fc.letrec((tie) => ({
    atom: fc.oneof(
      fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\d', '\\b', '^', '$'),
      (tie('regex') as fc.Arbitrary<string>).map((inner) => `(?:${inner})`),
    ),
    part: fc
      .tuple(tie('atom') as fc.Arbitrary<string>, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '*?'))
      .map(([atom, repeat]) => (/^(\\b|\^|\$)$/.test(atom) ? atom : atom + repeat)),
    regex: fc.oneof(
      { depthSize: 'small' },
      fc.array(tie('part') as fc.Arbitrary<string>, { maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('regex') as fc.Arbitrary<string>, tie('regex') as fc.Arbitrary<string>).map(([a, b]) => `${a}|${b}`),
    ),
  }))

  test('the same texts match', () => {
    fc.assert(
      fc.property(
        regex as fc.Arbitrary<string>,
        fc.array(fc.constantFrom('a', 'b', 'c', '1', '-'), { maxLength: 7 }),
        (pattern, letters) => {
          const text = letters.join('')
          const matcher = wholeTextMatcher(pattern)
          if ('mistake' in matcher) return
          expect(matcher.matches(text)).toBe(new RegExp(`^(?:${pattern})$`, 'su').test(text))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

test('patterns that make JavaScript try for years are answered', () => {
  const text = `${'a'.repeat(1_000)}!`
  for (const pattern of ['(a+)+', '(a|a)*b', '(.*)*x', '([a-z]+)*\\d', '(a?){200}a{10}b']) expect(matches(pattern, text)).toBe(false)
})
