import { describe, expect, test } from 'vitest'
import { readLedgerFile, writeLedgerFile } from '../../src/signoff/ledger-file.ts'
import { verify } from '../../src/signoff/verify.ts'
import { headAt, ledgerKey, trueLedger } from '../build/ledger.ts'

const entries = trueLedger(3)
const noted = headAt(entries, 3)
const text = writeLedgerFile({ noted, entries })

test('a ledger comes back from its file as it was, and holds', () => {
  expect(text.split('\n')[0]).toBe(`{"head":{"digest":"${noted.digest}","number":3},"headwater":"ledger","v":1}`)
  expect(text.split('\n')).toHaveLength(5)
  const copy = readLedgerFile(text.replaceAll('\n', '\r\n'))
  expect(copy).toEqual({ noted, entries })
  expect(verify(copy.entries, ledgerKey, copy)).toMatchObject({ holds: true })
})

test('what was broken in the store is as broken in the file', () => {
  const copy = readLedgerFile(writeLedgerFile({ noted, entries: [entries[0]!, null, entries[2]!] }))
  expect(verify(copy.entries, ledgerKey, copy)).toMatchObject({ holds: false, at: 2, how: 'edited' })
})

describe('an edited file is found', () => {
  test.each<[string, (lines: string[]) => string[], number]>([
    ['another line', (lines) => lines.map((line) => line.replace('"what":"approved"', '"what":"declined"')), 2],
    ['half a line', (lines) => lines.map((line, i) => (i === 1 ? line.slice(0, 40) : line)), 1],
    ['a line less', (lines) => lines.filter((_, i) => i !== 2), 2],
    ['the last line less', (lines) => lines.slice(0, 3), 3],
    ['a field more', (lines) => lines.map((line, i) => (i === 2 ? line.replace('{', '{"more":1,') : line)), 2],
    ['a number as text', (lines) => lines.map((line) => line.replace('"number":2', '"number":"2"')), 2],
  ])('%s', (_, edit, at) => {
    const copy = readLedgerFile(edit(text.trimEnd().split('\n')).join('\n'))
    expect(verify(copy.entries, ledgerKey, copy)).toMatchObject({ holds: false, at })
  })
})

test.each([
  ['nothing', '', /no exported ledger/],
  ['another file', 'pipelines:\n  orders: {}\n', /no exported ledger/],
  ['a newer one', text.replace('"v":1}', '"v":2}'), /exported in version 2; this program reads 1/],
  ['no head', '{"headwater":"ledger","v":1}\n', /names no head/],
])('%s is refused', (_, content, why) => {
  expect(() => readLedgerFile(content)).toThrow(why)
})
