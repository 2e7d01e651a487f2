/** What no recovery check may ever say, tried on what may become of a pipeline after a change. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propose } from '../../src/proposal/propose.ts'
import { verify } from '../../src/recovery/verify.ts'
import { changing, lookAt, msAt, proposed, since, undeclared } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'

const hot: Motion = { rate: (p, t) => (p === 3 ? changing(50, 500)(t) : 50) }
const before = lookAt(hot)
const proposal = proposed(propose(before, undeclared))

const after = fc.record({
  askedAt: fc.integer({ min: 3630, max: 4800 }),
  restarted: fc.boolean(),
  tasks: fc.constantFrom(null, 9, 12, proposal.action.to),
  heat: fc.constantFrom(50, 150, 500, 900),
  commit: fc.constantFrom(0.4, 5),
  cost: fc.constantFrom(4, 9),
  unseen: fc.constantFrom<NonNullable<Motion['without']>>([], ['spark'], ['kafka'], ['checkpoint'], ['delta']),
  last: fc.boolean(),
})

test('recovered means: the located reading is inside for long enough, the setting is not the old one, and the lag is as expected or falls', () => {
  const outcomes = new Set<string | null>()
  fc.assert(
    fc.property(after, ({ askedAt, restarted, tasks, heat, commit, cost, unseen, last }) => {
      const now = lookAt({
        askedAt,
        rate: (p, t) => (p !== 3 || t < since ? 50 : t > 3700 ? heat : 500),
        commitS: changing(0.4, commit, 3700),
        perRecordMs: changing(4, cost, 3700),
        minPartitions: changing<number | null>(null, restarted ? tasks : null, 3625),
        ...(restarted ? { restarts: [{ at: 3625, back: 3650 }] } : {}),
        without: unseen,
      })
      const result = verify({ proposal, appliedAtMs: msAt(3620), before, now, last })
      outcomes.add(result.outcome)
      if (last) expect(result.outcome).not.toBeNull()
      for (const line of [result.says, ...result.reasons]) expect(line).not.toMatch(/NaN|undefined|Infinity/)
      if (result.outcome !== 'recovered') return
      expect(result.measured.filter((one) => one.located).every((one) => one.back === true)).toBe(true)
      expect(restarted).toBe(true)
      expect(tasks).not.toBeNull()
      expect(heat).toBeGreaterThanOrEqual(500)
      expect(unseen).not.toContain('spark')
    }),
    { numRuns: 80, seed: 11 },
  )
  // The law is tried on more than one kind of ending.
  expect(outcomes.size).toBeGreaterThanOrEqual(4)
})
