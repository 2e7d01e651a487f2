import { expect, test } from 'vitest'
import { judgedWindow } from '../../src/recovery/judged-window.ts'
import { lookAt, lookOf, msAt } from '../build/look.ts'
import { evidenceOf } from '../build/pipeline.ts'

const before = lookAt({})
const slow = { askedAt: 4200, restarts: [{ at: 3625, back: 3650 }], perRecordMs: () => 8.5 }

test('after a restart the first five batches do not count, also where nothing older is kept', () => {
  const evidence = evidenceOf(slow)
  const kept = { ...evidence, batches: evidence.batches.filter((batch) => batch.run === 'run-2') }
  for (const now of [lookOf(evidence), lookOf(kept)]) {
    const run = now.timeline.batches.filter((batch) => batch.run === 'run-2')
    const window = judgedWindow(now, before, msAt(3620))
    expect([window.restarted, window.acting, window.from]).toEqual([true, run[0]?.start, run[5]?.start])
    expect(window.from).toBeGreaterThan(3680)
    expect(window.batches[0]?.id).toBe(run[5]?.id)
  }
})

test('without a restart two batches and a minute are enough', () => {
  const window = judgedWindow(lookAt({ askedAt: 4000 }), before, msAt(3620))
  expect([window.restarted, window.applied, window.acting, window.from]).toEqual([false, 3620, 3620, 3680])
})

test('a look in which nothing has run since has nothing to count', () => {
  const window = judgedWindow(lookAt({ askedAt: 3640, restarts: [{ at: 3625, back: 3650 }] }), before, msAt(3620))
  expect(window.batches).toEqual([])
})
