/** What holds for every proposal, whatever went wrong: tried on pipelines in motion that are drawn. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Knob } from '../../src/incident/knob.ts'
import { knobs } from '../../src/incident/knob.ts'
import type { Proposal } from '../../src/incident/proposal.ts'
import { changeKey, proposalHash } from '../../src/incident/proposal.ts'
import { bounds } from '../../src/proposal/bounds.ts'
import { propose } from '../../src/proposal/propose.ts'
import { isTerm } from '../../src/proposal/terms.ts'
import { changing, lookAt, named, since, undeclared } from '../build/look.ts'
import type { Motion } from '../build/pipeline.ts'

/** One thing goes wrong, more or less. */
const motions = fc
  .record({
    partitions: fc.integer({ min: 2, max: 12 }),
    slots: fc.integer({ min: 1, max: 12 }),
    times: fc.double({ min: 1.2, max: 20, noNaN: true }),
    perRecord: fc.integer({ min: 1, max: 8 }),
    what: fc.constantFrom('hot', 'surge', 'sink', 'processing', 'loss', 'cap'),
  })
  .map((drawn): { motion: Motion; what: string; drawn: unknown } => {
    const { partitions, slots, times, perRecord, what } = drawn
    const base: Motion = {
      partitions,
      slots: () => slots,
      executors: [[0, Math.max(1, Math.round(slots / 2))]],
      perRecordMs: () => perRecord,
    }
    const up = changing(1, times)
    switch (what) {
      case 'hot':
        return { what, drawn, motion: { ...base, rate: (p, t) => 50 * (p === 0 ? up(t) : 1) } }
      case 'surge':
        return { what, drawn, motion: { ...base, rate: (_, t) => 50 * up(t) } }
      case 'sink':
        return { what, drawn, motion: { ...base, commitS: (t) => 0.4 * up(t) } }
      case 'processing':
        return { what, drawn, motion: { ...base, rate: (p) => 20 + 10 * p, perRecordMs: (t) => perRecord * up(t) } }
      case 'loss':
        return {
          what,
          drawn,
          motion: { ...base, lost: [{ at: since + 1, back: null }], slots: changing(slots, Math.ceil(slots / 2), since + 1) },
        }
      default:
        return { what, drawn, motion: { ...base, rate: (_, t) => 50 * up(t), cap: 250 * partitions } }
    }
  })

/** Causes by which levers are tried; a cap has no cause in the engine yet. */
const causes = {
  hot: 'hot_partition',
  surge: 'intake_surge',
  sink: 'slow_sink',
  processing: 'slow_processing',
  loss: 'executor_loss',
  cap: 'rate_cap',
} as const

/** Knobs that relieve when they rise; the others relieve when they fall. */
const rises: readonly Knob[] = ['minPartitions', 'executors', 'consumers']

function everyProposal(law: (proposal: Proposal, again: () => Proposal) => void): void {
  let seen = 0
  fc.assert(
    fc.property(motions, ({ motion, what }) => {
      const look = named(lookAt(motion), causes[what as keyof typeof causes], what === 'hot' ? { partitions: [0] } : {})
      const remedy = propose(look, undeclared)
      if (remedy.kind !== 'proposal') return
      seen++
      law(remedy, () => propose(look, undeclared) as Proposal)
    }),
    { numRuns: 60, seed: 7 },
  )
  expect(seen).toBeGreaterThan(15)
}

test('a step is never larger than twice, never no step, and goes the way that relieves', () => {
  everyProposal(({ action: { knob, from, to }, arithmetic, cause }) => {
    const base = from.value ?? Number(/(\d+) in the newest/.exec(from.how)?.[1] ?? to / 2)
    expect(Number.isFinite(to)).toBe(true)
    expect(to).not.toBe(from.value)
    expect(Math.max(to / base, base / to)).toBeLessThanOrEqual(bounds.largestStep)
    if (rises.includes(knob)) expect(to).toBeGreaterThan(base)
    if (knob === 'maxOffsetsPerTrigger' && cause === 'rate_cap') expect(to).toBeGreaterThan(base)
    if (knob === 'triggerInterval') expect(to).toBeLessThan(base)
    expect(arithmetic.length).toBeGreaterThanOrEqual(3)
    // A larger number alone is no change: something must be cut by it.
    if (knob === 'minPartitions') expect(arithmetic.join('\n')).toMatch(/Spark cuts .* into \d+ tasks of/)
  })
})

test('it says how to do it, to try it, to take it back and when to stop, and what it does not mend', () => {
  everyProposal(({ apply, test: tests, undo, stopIf, willNotFix, action }) => {
    for (const lines of [apply, tests, undo, stopIf, willNotFix]) {
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(line).not.toMatch(/NaN|undefined|Infinity|not known|\{at /)
    }
    expect(undo.join(' ')).toMatch(action.from.value === null ? /remove/ : /back|again/)
    expect(knobs[action.knob].rung).toBeLessThanOrEqual(3)
  })
})

test('it expects at least two things with times, one of them what found the trouble, which is not there yet', () => {
  everyProposal(({ expects }) => {
    expect(expects.length).toBeGreaterThanOrEqual(2)
    expect(expects.filter((one) => one.located)).toHaveLength(1)
    for (const { signal, from, to, within, located, says } of expects) {
      expect(isTerm(signal)).toBe(true)
      for (const value of [from, ...to, ...within]) expect(Number.isFinite(value)).toBe(true)
      expect(to[0]).toBeLessThanOrEqual(to[1])
      expect(within[0]).toBeLessThanOrEqual(within[1])
      expect(says).not.toMatch(/NaN|Infinity/)
      if (located) expect(from < to[0] || from > to[1]).toBe(true)
    }
  })
})

test('the same evidence gives the same bytes, and the hash does not depend on the order of keys', () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, one]) => [key, reversed(one)]),
          )
        : value
  everyProposal((proposal, again) => {
    expect(JSON.stringify(again())).toBe(JSON.stringify(proposal))
    expect(proposalHash(reversed(proposal) as Proposal)).toBe(proposalHash(proposal))
    expect(changeKey(again())).toBe(changeKey(proposal))
  })
})
