import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quoted } from '../../src/incident/shell-word.ts'

test('a plain name stays as it is', () => {
  expect(quoted('orders')).toBe('orders')
  expect(quoted('s3a://bucket/table/_delta_log')).toBe('s3a://bucket/table/_delta_log')
})

test.each(["a'; rm -rf x", '$(id)', 'two words', 'a"b`c`\\', '~', '', '*'])('%j stays one word for a shell', (word) => {
  expect(execFileSync('sh', ['-c', `printf '%s|' ${quoted(word)}`], { encoding: 'utf8' })).toBe(`${word}|`)
})
