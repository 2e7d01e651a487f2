import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch, Evidence } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { heldGrid } from '../../src/timeline/held-grid.ts'
import { evidenceOf } from '../build/pipeline.ts'

/** A multiple of 5 s since 1970. */
const ZERO_S = 1_796_000_000

/** Nothing but this was told of the batches. */
const told = (part: Partial<Evidence>): Evidence => {
  const { reader, ...pipeline } = evidenceOf().pipeline
  const { trigger_s: _, trigger_from: __, ...untold } = reader
  return { ...evidenceOf(), pipeline: { ...pipeline, reader: untold }, ...part }
}

/** Batches by first job and last job, seconds; ids rise by one. */
const batches = (...spans: (readonly [number, number])[]): Batch[] => spans.map(([start, end], i) => ({ id: 100 + i, start, end }))

/** As the UI alone tells them: jobs begin some 0.3 s after each trigger of 5 s, one batch takes 4 s and the others 2. */
const waiting = batches([0.3, 2.3], [5.4, 7.4], [10.3, 14.3], [15.2, 17.3], [20.3, 22.4], [25.4, 27.3])

describe('a trigger interval from the first jobs of older batches', () => {
  it('is what six of them keep to, whatever each took', () => {
    expect(heldGrid(waiting, ZERO_S)).toBe(5)
  })

  it('stays known where all newer batches run over it', () => {
    const over = Array.from({ length: 40 }, (_, i) => [30.4 + i * 12.1, 34 + i * 12.1] as const)
    const all = [...waiting, ...batches(...over).map((batch) => ({ ...batch, id: batch.id + waiting.length }))]
    expect(heldGrid(all, ZERO_S)).toBe(5)
    expect(buildTimeline(told({ batches: all }))).toMatchObject({ triggerS: 5, triggerFrom: 'inferred' })
  })

  it('is not told by five, nor across a restart, nor off the multiples since 1970', () => {
    expect(heldGrid(waiting.slice(1), ZERO_S)).toBeNull()
    expect(
      heldGrid(
        waiting.map((batch, i) => ({ ...batch, run: i < 3 ? 'a' : 'b' })),
        ZERO_S,
      ),
    ).toBeNull()
    expect(heldGrid(waiting, ZERO_S + 2.5)).toBeNull()
  })

  it('is not told by batches of one length: back to back looks the same', () => {
    expect(heldGrid(batches(...waiting.map(({ start }) => [start, start + 4.5] as const)), ZERO_S)).toBeNull()
  })

  it('is never found where each batch begins as soon as the one before has ended', () => {
    const seconds = fc.double({ min: 1, max: 30, noNaN: true })
    const backToBack = fc.record({
      first: fc.double({ min: 0, max: 60, noNaN: true }),
      lengths: fc.oneof(
        fc.array(seconds, { minLength: 6, maxLength: 60 }),
        // Nearly alike, close to a whole number of seconds: the most deceptive.
        fc
          .tuple(
            fc.integer({ min: 1, max: 30 }),
            fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 6, maxLength: 60 }),
          )
          .map(([length, strays]) => strays.map((stray) => length + stray)),
      ),
      unseen: fc.double({ min: 0, max: 8, noNaN: true }),
    })
    fc.assert(
      fc.property(backToBack, ({ first, lengths, unseen }) => {
        let at = first
        const spans = lengths.map((length) => {
          const start = at
          // What comes after the last job takes as long each time, and nobody saw it.
          at += length + unseen
          return [start, start + length] as const
        })
        expect(heldGrid(batches(...spans), ZERO_S)).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a batch whose commit file is gone', () => {
  const seen: Batch = { id: 7, start: 0, end: 3, end_bounds: [3, 12], commit_version: 70 }
  const end = (at: number, batch: Batch = seen, skew = 1) =>
    buildTimeline(
      told({
        batches: [batch],
        commits: [{ version: 70, at, kind: 'data' }],
        clocks: [
          { source: 'spark', skew_bound_s: 0.01 },
          { source: 'delta', skew_bound_s: skew },
        ],
      }),
    ).batches[0]?.end

  it('ended no sooner than its commit of the table, and no later than the next began', () => {
    expect([end(8), end(2), end(20)]).toEqual([8, 3, 12])
  })

  it('ended when its commit file says, where that is there', () => {
    const { end_bounds: _, ...written } = seen
    expect(end(8, written)).toBe(3)
  })

  it('is left alone where the clocks may be far apart', () => {
    expect(end(8, seen, 10)).toBe(3)
  })
})
