/** Each call to the chat meets each thing that can go wrong, alone and all at once: in the end every message stands once. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Fate } from '../fakes/slow-chat.ts'
import { endMs, expectWhole, people } from './whole-incident.ts'
import { World } from './world.ts'

/** What becomes of a call, and how many copies of a message may stand meanwhile. */
const fates: readonly (readonly [string, number, Fate])[] = [
  ['is told to come again in 30 s', 1, { kind: 'refused', code: 'rate_limited', retryAfterMs: 30_000, forGood: false }],
  ['is refused by an error inside of Slack', 1, { kind: 'refused', code: 'internal_error', retryAfterMs: null, forGood: false }],
  ['is never carried out and never answered', 1, { kind: 'lost', workAfterMs: null }],
  ['is carried out and never answered', 1, { kind: 'lost', workAfterMs: 0 }],
  // Not to be seen by the first look, but by the second.
  ['is carried out 8 s late and never answered', 1, { kind: 'lost', workAfterMs: 8_000 }],
  ['is carried out 13 s late and never answered', 2, { kind: 'lost', workAfterMs: 13_000 }],
  ['is carried out 60 s late and never answered', 2, { kind: 'lost', workAfterMs: 60_000 }],
  ['is carried out twice', 2, { kind: 'twice' }],
]

const well: Fate = { kind: 'well' }

/** Slack doing it twice by itself is nothing that a second look could mend: nobody can see what another person was told alone. */
const bearable = (fate: Fate, what: string): Fate => (fate.kind === 'twice' && what === 'tellAlone' ? well : fate)

describe('a call that', { timeout: 60_000 }, () => {
  test.each(fates)('%s, whichever of all', async (_, copies, fate) => {
    const undisturbed = new World(memoryStore, people)
    await undisturbed.live(endMs)
    for (const [i, { what, slot }] of undisturbed.chat.calls.entries()) {
      const world = new World(memoryStore, people, { fateOf: (n, call) => (n === i + 1 ? bearable(fate, call.what) : well) })
      await world.live(endMs)
      await expectWhole(world).catch((error: unknown) => {
        throw new Error(`call ${i + 1}, ${what} ${slot}`, { cause: error })
      })
      expect(world.chat.mostCopies()).toBeLessThanOrEqual(copies)
    }
  })
})

test('law: calls that go wrong and processes that die, as many as may be, leave one copy of each message', {
  timeout: 120_000,
}, async () => {
  const disturbance = fc.record({
    /** Fates of the first calls; then all goes well. */
    fates: fc.array(fc.option(fc.nat(fates.length - 1), { freq: 2 }), { maxLength: 120 }),
    /** Calls that a process lives for, one process after the other. */
    lives: fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.constantFrom('before', 'after')), { maxLength: 6 }),
    hiddenMs: fc.integer({ min: 0, max: 5_000 }),
    fileReadyMs: fc.integer({ min: 1_000, max: 12_000 }),
  })
  const law = fc.asyncProperty(disturbance, async ({ fates: drawn, lives, hiddenMs, fileReadyMs }) => {
    const fateOf = (n: number, { what }: { what: string }): Fate => {
      const fate = drawn[n - 1]
      return fate === null || fate === undefined ? well : bearable(fates[fate]![2], what)
    }
    const world = new World(memoryStore, people, { fateOf, hiddenMs, fileReadyMs })
    const left = lives.map(([calls, when]) => ({ calls, when: when as 'before' | 'after' }))
    await world.live(endMs, () => {
      const one = left[0]
      if (one === undefined || --one.calls > 0) return null
      left.shift()
      return one.when
    })
    await expectWhole(world)
  })
  await fc.assert(law, { numRuns: 500, seed: 4 })
})
