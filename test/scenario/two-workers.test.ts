/** Two workers at once, in any order of their steps, slow and mortal: one verdict, one of each message, nothing lost. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { Crew } from './crew.ts'
import { endMs, expectWhole, people } from './whole-incident.ts'
import { World } from './world.ts'

/** Below `n`, from a seed: mulberry32. */
function chooser(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % n
  }
}

test.each([
  ['that live', 0],
  ['of which some die', 4],
])('law: two workers %s come to the same end as one', { timeout: 120_000 }, async (_, deaths) => {
  let most = 0
  const law = fc.asyncProperty(fc.integer(), async (seed) => {
    const world = new World(memoryStore, people)
    await new Crew(world, 2, deaths, chooser(seed)).live(endMs)
    await expectWhole(world)
    most = Math.max(most, world.chat.mostCopies())
  })
  await fc.assert(law, { numRuns: 150, seed: 4 })
  // Nobody takes over a call before it has had its time, so no second copy is ever written.
  expect(most).toBe(1)
})
