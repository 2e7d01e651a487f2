import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chain, personCommitment } from '../../src/signoff/chain.ts'
import type { Draft } from '../../src/signoff/ledger.ts'
import { emptyHead } from '../../src/signoff/ledger.ts'
import { verify } from '../../src/signoff/verify.ts'

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

test('a chain holds, however many steps it was written in', () => {
  const [first] = chain(emptyHead, [draft(1)], key)
  const rest = chain({ number: 1, digest: first!.digest }, [draft(2), draft(3), draft(4)], key)
  expect([first, ...rest]).toEqual(entries)
  expect(verify(entries, key)).toEqual({ holds: true, head: { number: 4, digest: entries[3]!.digest } })
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
