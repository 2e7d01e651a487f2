import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tried } from '../../src/incident/incident.ts'
import { mayMove, stepDown, stepUp, worthIt } from '../../src/proposal/bounds.ts'

const partitions = { at: 12, why: 'the topic has 12 partitions' }

describe('a step up', () => {
  test.each([
    ['a wish within twice is taken, rounded up', 4, 6.2, [], { to: 7, heldBy: null }],
    ['more than twice is held', 4, 30, [], { to: 8, heldBy: 'one step at most doubles a setting' }],
    ['a lower limit holds before that', 8, 30, [partitions], { to: 12, heldBy: 'the topic has 12 partitions' }],
    ['a limit that is not whole is rounded down', 4, 30, [{ at: 6.9, why: 'room' }], { to: 6, heldBy: 'room' }],
    ['no step is left', 12, 30, [partitions], null],
    ['a wish below what is there is no step', 4, 3, [], null],
  ] as const)('%s', (_, from, wanted, limits, step) => {
    expect(stepUp(from, wanted, limits)).toEqual(step)
  })

  test('is never above twice, nor above any limit, and never no step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.array(fc.integer({ min: 1, max: 20_000 })),
        (from, wanted, at) => {
          const step = stepUp(
            from,
            wanted,
            at.map((one) => ({ at: one, why: `${one}` })),
          )
          if (step === null) return
          expect(step.to).toBeGreaterThan(from)
          expect(step.to).toBeLessThanOrEqual(Math.min(2 * from, ...at))
        },
      ),
    )
  })
})

describe('a step down', () => {
  test.each([
    ['a wish within half is taken, rounded down', 1000, 700.9, { to: 700, heldBy: null }],
    ['less than half is held', 1000, 1, { to: 500, heldBy: 'one step at most halves a setting' }],
    ['a wish above what is there is no step', 1000, 1000, null],
  ] as const)('%s', (_, from, wanted, step) => {
    expect(stepDown(from, wanted)).toEqual(step)
  })
})

describe('a setting is moved again only for a reason', () => {
  const now = 10_000_000
  const tried = (seconds: number, outcome: Tried['outcome']): Tried[] => [
    { knob: 'executors', to: 4, appliedAtMs: now - seconds * 1000, outcome },
  ]
  test.each([
    ['never tried', [], null],
    ['another setting', [{ ...tried(1, 'no_effect')[0]!, knob: 'minPartitions' as const }], null],
    ['it had no effect', tried(7200, 'no_effect'), 'the number of executors was set to 4 before, 2 h ago, and it had no effect'],
    ['it made things worse', tried(7200, 'worse'), 'the number of executors was set to 4 before, 2 h ago, and it made things worse'],
    [
      'a second step too soon',
      tried(300, 'moved'),
      'the number of executors was set to 4 only 5 min ago; a second step waits 15 min for the effect of the first',
    ],
    [
      'taken back before it was judged',
      tried(7200, null).map((one) => ({ ...one, takenBack: true as const })),
      'the number of executors was set to 4 before, 2 h ago, and taken back before its effect was judged',
    ],
    ['a second step in time', tried(901, 'moved'), null],
  ] as const)('%s', (_, history, why) => {
    expect(mayMove('executors', history, now)).toBe(why)
  })
})

test('a tenth is the least that is worth a change', () => {
  expect(worthIt(1.1, 'batches')).toBeNull()
  expect(worthIt(1.09, 'batches')).toBe('it would make batches 9 % faster at best, and less than 10 % is not worth a change')
  expect(worthIt(0.98, 'batches')).toBe('it would not make batches any faster')
})
