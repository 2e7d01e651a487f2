/** A wrapped command must still be the same command when somebody copies it: a real shell is asked. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellLines } from '../../src/report/shell-lines.ts'
import { columns } from '../../src/report/wrap.ts'

const wordsOf = (script: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${script}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('short commands stay as they are', () => {
  expect(shellLines('curl -s http://driver:4040/api/v1', 80)).toEqual(['  curl -s http://driver:4040/api/v1'])
})

test('long ones are continued between words', () => {
  expect(shellLines('kafka-get-offsets --bootstrap-server broker-1:9092 --topic orders', 40)).toEqual([
    '  kafka-get-offsets --bootstrap-server \\',
    '    broker-1:9092 --topic orders',
  ])
})

describe('a shell reads the same words', () => {
  test.each([
    [`curl -s 'http://driver:4040/${'a'.repeat(200)}?x=1&y=2'`],
    [`curl -s http://driver:4040/${'a'.repeat(200)}`],
    [`kafka-get-offsets --topic "${'t b '.repeat(60)}"`],
    [`echo ${'a\\ b'.repeat(60)}`],
    [`echo 'it'\\''s ${'x'.repeat(100)}'`],
  ])('%s', (command) => {
    const lines = shellLines(command, 60)
    expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(60)
    expect(wordsOf(lines.join('\n'))).toEqual(wordsOf(command))
  })

  test('whatever a name holds', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'Z', '.', '-', '/', ',', ' ', "'", '"', '\\', '$', '&'),
      minLength: 1,
      maxLength: 120,
    })
    fc.assert(
      fc.property(name, (text) => {
        const command = `echo --topic '${text.replaceAll("'", "'\\''")}' --time latest`
        const lines = shellLines(command, 44)
        expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(44)
        expect(wordsOf(lines.join('\n'))).toEqual(['echo', '--topic', text, '--time', 'latest'])
      }),
      { numRuns: 60 },
    )
  })
})
