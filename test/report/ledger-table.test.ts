import { expect, test } from 'vitest'
import { entryCount, ledgerTable } from '../../src/report/ledger-table.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { chain } from '../../src/signoff/chain.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import { draftAt, ledgerKey } from '../build/ledger.ts'

const amara = 'a'.repeat(64)
const view = { clock: wallClock('Europe/Berlin'), person: (who: string) => (who === amara ? 'Amara (U0AMARA)' : null) }

test('who did what, when, about what, and what it was in particular', () => {
  const entries = chain(
    emptyHead,
    [
      draftAt(1, { details: { knob: 'minPartitions', from: 'not set', to: '24', scope: 'query orders' } }),
      draftAt(2, { who: amara, details: { knob: 'minPartitions', to: '24', approvals_left: '1' } }),
      draftAt(3, { who: 'b'.repeat(64), what: 'declined', details: { reason: 'not \u001b[31mtoday' } }),
      draftAt(4, { details: { outcome: 'no_effect', says: 'lag still grows' } }),
      draftAt(5, { who: 'erased', what: 'applied' }),
      draftAt(6, { what: 'erased', incident: '', proposal: '', details: { entries: '2' } }),
    ],
    ledgerKey,
  )
  const digits = entries.map(({ digest }) => digest.slice(0, 12))
  expect(ledgerTable(entries, view)).toEqual([
    '   when (Europe/Berlin)  who              did       incident             proposal      head',
    `1  2026-11-30 13:01:00   Headwater        proposed  i-20261130-orders-1  c0ffeec0ffee  ${digits[0]}`,
    '   minPartitions: not set → 24 tasks (query orders)',
    `2  2026-11-30 13:02:00   Amara (U0AMARA)  approved  i-20261130-orders-1  c0ffeec0ffee  ${digits[1]}`,
    '   minPartitions: → 24 tasks; 1 more needed',
    `3  2026-11-30 13:03:00   person bbbbbbbb  declined  i-20261130-orders-1  c0ffeec0ffee  ${digits[2]}`,
    '   “not today”',
    `4  2026-11-30 13:04:00   Headwater        checked   i-20261130-orders-1  c0ffeec0ffee  ${digits[3]}`,
    '   no effect; lag still grows',
    `5  2026-11-30 13:05:00   erased person    applied   i-20261130-orders-2  c0ffeec0ffee  ${digits[4]}`,
    `6  2026-11-30 13:06:00   Headwater        erased                                       ${digits[5]}`,
    '   one person, 2 of the entries before',
  ])
})

test('1 entry, 1,200 entries', () => {
  expect([entryCount(1), entryCount(1_200), entryCount(0)]).toEqual(['1 entry', '1,200 entries', '0 entries'])
})
