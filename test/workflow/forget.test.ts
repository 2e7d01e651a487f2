import { expect, test } from 'vitest'
import { chain } from '../../src/signoff/chain.ts'
import { verify } from '../../src/signoff/verify.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { forget } from '../../src/workflow/forget.ts'
import { draftAt, ledgerKey } from '../build/ledger.ts'
import { change, noon } from '../build/stored-values.ts'

const person = { team: 'T1', user: 'U1' }

test('the salt goes for good, and the ledger says that it went and still holds', async () => {
  const store = memoryStore(() => noon)
  await store.salt(person, 'salt')
  await forget(person, 3, noon, { store, ledgerKey })
  expect(await store.salt(person, 'another')).toBe(null)
  const entries = await store.ledger(1, 10)
  expect(entries).toMatchObject([{ number: 1, what: 'erased', who: '', details: { entries: '3' }, atMs: noon }])
  expect(verify(entries, ledgerKey, { noted: await store.head() })).toMatchObject({ holds: true })
})

test('somebody else signs at the same moment: both entries stand', async () => {
  const store = memoryStore(() => noon)
  let others = 1
  const busy = {
    ...store,
    async head() {
      const head = await store.head()
      if (others-- > 0) await store.commit(change({ ledger: { after: head, entries: chain(head, [draftAt(1)], ledgerKey) } }))
      return head
    },
  }
  await forget(person, 0, noon, { store: busy, ledgerKey })
  const entries = await store.ledger(1, 10)
  expect(entries.map(({ what }) => what)).toEqual(['opened', 'erased'])
  expect(verify(entries, ledgerKey)).toMatchObject({ holds: true })
})
