/** What can be done to a ledger by whoever can write to the store and has not got the key: each is found, and called by its name. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorText, parseAnchor } from '../../src/signoff/anchor.ts'
import { chain } from '../../src/signoff/chain.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import type { Found, Known } from '../../src/signoff/verify.ts'
import { verify } from '../../src/signoff/verify.ts'
import { anchorAt, draftAt, headAt, ledgerKey, trueLedger } from '../build/ledger.ts'

const six = trueLedger(6)
const [one, two, three, four, five, last] = six as [Found, Found, Found, Found, Found, Found]
const edited = (number: number) => ({ ...six[number - 1]!, details: { to: '7' } })
const forged = (from: number, to: number) =>
  chain(
    headAt(six, from - 1),
    Array.from({ length: to - from + 1 }, (_, i) => draftAt(from + i)),
    'a key that was guessed',
  )
const noted = { noted: headAt(six, 6) }
const shown = (number: number): Known => ({ anchors: [anchorAt(six, number)] })

describe('what was done is named, with the first entry that does not hold', () => {
  test.each<[string, readonly Found[], Known, number, string, RegExp]>([
    ['content', [one, two, edited(3), four, five, last], {}, 3, 'edited', /entry 3 was edited: those before it and after it fit/],
    ['its digest too', [one, two, { ...edited(3), digest: 'f'.repeat(64) }, four, five, last], {}, 3, 'edited', /entry 3 was edited/],
    ['the newest', [one, two, three, four, five, edited(6)], {}, 6, 'edited', /entry 6, the newest, was edited or added without the key/],
    ['what is no entry', [one, null, three, four, five, last], {}, 2, 'edited', /in the place of entry 2 is no entry/],
    ['one removed', [one, two, four, five, last], {}, 3, 'removed', /^entry 3 is missing: 4 follows 2$/],
    ['three removed', [one, five, last], {}, 2, 'removed', /^entries 2 to 4 are missing: 5 follows 1$/],
    ['the first removed', [two, three, four], {}, 1, 'removed', /^entry 1 is missing: 2 follows nothing$/],
    ['one put in', [one, two, forged(3, 3)[0]!, three, four, five, last], {}, 3, 'inserted', /before entry 3 .* was put in/],
    ['rubbish put in', [one, two, null, three, four, five, last], {}, 3, 'inserted', /before entry 3 .* was put in/],
    ['one put in twice', [one, two, three, two, four, five, last], {}, 4, 'inserted', /before entry 4 .* was put in/],
    ['one added twice', [one, two, three, three], {}, 4, 'inserted', /after entry 3 stands an entry 3 once more/],
    ['its end cut off', [one, two, three, four], noted, 5, 'cut_off', /ends at entry 4, but the store has noted entry 6/],
    [
      'the note too',
      [one, two, three, four],
      { noted: headAt(six, 4), ...shown(6) },
      5,
      'cut_off',
      /ends at entry 4, but Slack shows entry 6/,
    ],
    ['all of it', [], noted, 1, 'cut_off', /ends at entry 0/],
    ['the end written anew', [one, two, three, ...forged(4, 6)], {}, 4, 'rewritten', /from entry 4 on nothing fits the key/],
    ['the note alone', six, { noted: { number: 6, digest: 'f'.repeat(64) } }, 6, 'edited', /noted another digest of entry 6/],
  ])('%s', (_, entries, known, at, how, why) => {
    const found = verify(entries, ledgerKey, known)
    expect(found).toEqual({ holds: false, at, how, why: expect.stringMatching(why) as string })
  })
})

describe('when nothing fits, an anchor tells another key from another ledger', () => {
  const replaced = chain(emptyHead, [draftAt(1), draftAt(2)], 'a key that was guessed')
  test.each<[string, readonly Found[], string, Known, string, RegExp]>([
    ['another key', six, 'the key of another house', shown(5), 'key', /another key .* entry 5 is the one that Slack shows/],
    ['another ledger', replaced, ledgerKey, shown(2), 'rewritten', /the whole ledger was replaced/],
    ['a shorter one', replaced, ledgerKey, shown(5), 'rewritten', /the whole ledger was replaced/],
    ['nobody can tell', replaced, ledgerKey, {}, 'key', /an anchor from Slack tells which/],
  ])('%s', (_, entries, key, known, how, why) => {
    expect(verify(entries, key, known)).toEqual({ holds: false, at: 1, how, why: expect.stringMatching(why) as string })
  })

  test('whoever has the key can write it anew, and Slack still remembers', () => {
    const anew = chain(emptyHead, [draftAt(1), draftAt(2, { what: 'declined' }), draftAt(3)], ledgerKey)
    expect(verify(anew, ledgerKey, { noted: headAt(anew, 3) })).toMatchObject({ holds: true })
    expect(verify(anew, ledgerKey, shown(2))).toMatchObject({ holds: false, at: 2, how: 'rewritten' })
  })
})

test('a true ledger holds against each of its anchors, and while it grows', () => {
  for (let number = 1; number <= 6; number++) expect(verify(six, ledgerKey, shown(number))).toMatchObject({ holds: true })
  expect(verify(six, ledgerKey, { noted: headAt(six, 4), anchors: [anchorAt(six, 2), anchorAt(six, 6)] })).toEqual({
    holds: true,
    head: headAt(six, 6),
  })
  expect(verify([], ledgerKey, { noted: emptyHead })).toEqual({ holds: true, head: emptyHead })
})

test('law: without the key, what is left of a ledger is only ever a part of its beginning', () => {
  const stolen = [...six, ...forged(4, 6), ...forged(2, 3), ...chain(emptyHead, [draftAt(1)], 'guessed'), null]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...stolen), { maxLength: 7 }), (entries) => {
      const holds = verify(entries, ledgerKey).holds
      expect(holds).toBe(entries.every((entry, i) => entry === six[i]))
    }),
    { numRuns: 500 },
  )
})

test.each<[string, string | null]>([
  ['17:3f9a1c02abcd', '17:3f9a1c02abcd'],
  ['Ledger entry 17, 3F9A1C02ABCD', '17:3f9a1c02abcd'],
  [`2 ${'a'.repeat(64)}`, '2:aaaaaaaaaaaa'],
  ['17:3f9a1c02abc', null],
  ['0:3f9a1c02abcd', null],
  ['3f9a1c02abcd', null],
  ['17:3f9a1c02abcg', null],
])('anchor "%s"', (text, read) => {
  const anchor = parseAnchor(text)
  expect(anchor === null ? null : anchorText(anchor)).toBe(read)
})
