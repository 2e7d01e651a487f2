import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anchorDigits, chain, personCommitment, verify } from '../../src/signoff/chain.ts'
import type { Draft, Entry } from '../../src/signoff/ledger.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'

const key = 'a key outside the store'
const draft = (n: number): Draft => ({
  atMs: n,
  incident: 'i-1',
  pipeline: 'orders',
  what: 'approved',
  who: 'w',
  proposal: 'p',
  details: { n: String(n) },
})
const entries = chain(emptyHead, [1, 2, 3, 4].map(draft), key)
const anchor = (entry: Entry) => ({ number: entry.number, digest: entry.digest.slice(0, anchorDigits) })

test('a chain holds, however many steps it was written in', () => {
  const [first] = chain(emptyHead, [draft(1)], key)
  const rest = chain({ number: 1, digest: first!.digest }, [draft(2), draft(3), draft(4)], key)
  expect([first, ...rest]).toEqual(entries)
  expect(verify(entries, key, anchor(entries[3]!))).toEqual({ holds: true, head: { number: 4, digest: entries[3]!.digest } })
})

test('a changed entry, a removed one and another key are found, with the number', () => {
  const changed = entries.map((entry) => (entry.number === 2 ? { ...entry, details: { n: '7' } } : entry))
  expect(verify(changed, key)).toMatchObject({ holds: false, at: 2 })
  expect(verify([entries[0]!, entries[2]!, entries[3]!], key)).toEqual({ holds: false, at: 2, why: 'entry 2 is missing: 3 follows 1' })
  expect(verify(entries, 'another')).toMatchObject({ holds: false, at: 1 })
})

test('a chain that was written anew from some entry on needs the key', () => {
  const forged = [...entries.slice(0, 2), ...chain({ number: 2, digest: entries[1]!.digest }, [draft(9), draft(10)], 'guessed')]
  expect(verify(forged, key)).toMatchObject({ holds: false, at: 3 })
})

test('a cut end holds by itself, but not against what Slack shows', () => {
  const cut = entries.slice(0, 3)
  expect(verify(cut, key)).toMatchObject({ holds: true })
  expect(verify(cut, key, anchor(entries[3]!))).toMatchObject({
    holds: false,
    at: 4,
    why: expect.stringMatching(/ends at entry 3.*cut off/),
  })
})

test('an anchor with too few digits proves nothing', () => {
  expect(verify(entries, key, { number: 4, digest: entries[3]!.digest.slice(0, 3) })).toMatchObject({ holds: false })
})

test('law: any change of any field of any entry breaks the chain at that entry', () => {
  const fields = ['atMs', 'incident', 'pipeline', 'what', 'who', 'proposal', 'digest'] as const
  fc.assert(
    fc.property(fc.nat(3), fc.constantFrom(...fields), fc.string(), (at, field, value) => {
      const entry = entries[at]!
      fc.pre(String(entry[field]) !== value)
      const changed = entries.map((one) => (one === entry ? { ...one, [field]: value } : one))
      expect(verify(changed, key)).toMatchObject({ holds: false, at: at + 1 })
    }),
  )
})

test('a person is kept as a commitment that another salt does not give', () => {
  const person = { team: 'T1', user: 'U1' }
  expect(personCommitment(person, 'a')).toHaveLength(64)
  expect(personCommitment(person, 'a')).not.toBe(personCommitment(person, 'b'))
  expect(personCommitment(person, 'a')).not.toContain('U1')
})
