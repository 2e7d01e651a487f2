import { describe, expect, it } from 'vitest'
import { buildTimeline } from '../../src/timeline/build.ts'
import { findEpisode, wellBatches } from '../../src/timeline/episode.ts'
import { concentration, intakeChange, shareShift } from '../../src/timeline/intake.ts'
import { findLateness } from '../../src/timeline/lateness.ts'
import { findStall } from '../../src/timeline/stall.ts'
import type { Motion } from '../build/pipeline.ts'
import { evidenceOf } from '../build/pipeline.ts'

const timelineOf = (motion: Motion = {}) => buildTimeline(evidenceOf(motion))

describe('intake', () => {
  it('reads 8 x 50 records/s before and 8 x 125 after the step at 3,555 s', () => {
    const change = intakeChange(timelineOf({ rate: (_, t) => (t < 3555 ? 50 : 125) }), [3300, 3550], 3550, 3600)
    expect(change?.before).toBeCloseTo(400, 0)
    expect(change?.now).toBeCloseTo(1000, -1)
    expect(change?.step?.between[0]).toBeLessThanOrEqual(3555)
    expect(change?.step?.between[1]).toBeGreaterThanOrEqual(3555)
    expect(shareShift(change as NonNullable<typeof change>)).toBeLessThan(0.01)
  })

  it('names the partition whose share grew from 1/8 to 500/850', () => {
    const change = intakeChange(timelineOf({ rate: (p, t) => (p === 3 && t >= 3555 ? 500 : 50) }), [3300, 3550], 3550, 3600)
    const hot = concentration(change as NonNullable<typeof change>)
    expect(hot?.partitions.map((p) => p.partition)).toEqual([3])
    expect(hot?.shareBefore).toBeCloseTo(1 / 8, 2)
    expect(hot?.shareNow).toBeCloseTo(500 / 850, 1)
  })

  it('sees no hot partition where half of the partitions gained alike', () => {
    const change = intakeChange(timelineOf({ rate: (p, t) => (p < 4 && t >= 3555 ? 200 : 50) }), [3300, 3550], 3550, 3600)
    expect(concentration(change as NonNullable<typeof change>)).toBeNull()
  })
})

describe('stall', () => {
  it('begins within 5 s of the last record', () => {
    const stall = findStall(timelineOf({ rate: (_, t) => (t < 3560 ? 50 : 0) }))
    expect(stall?.between[0]).toBeLessThanOrEqual(3560)
    expect(stall?.between[1]).toBeGreaterThanOrEqual(3560)
    expect(stall?.seconds).toBeGreaterThanOrEqual(35)
    expect(stall?.usual).toBeCloseTo(400, 0)
  })

  it('is not seen while records come, nor in the first seconds of silence', () => {
    expect(findStall(timelineOf())).toBeNull()
    expect(findStall(timelineOf({ rate: (_, t) => (t < 3595 ? 50 : 0) }))).toBeNull()
  })

  it('counts earlier pauses of the same length', () => {
    const stall = findStall(timelineOf({ rate: (_, t) => (t >= 3560 || (t > 3400 && t < 3450) || (t > 3320 && t < 3370) ? 0 : 50) }))
    expect(stall?.asLongBefore).toBe(2)
  })
})

describe('lateness', () => {
  it('is exact: 600 s x 30 records/s per partition, less the last seconds, up to 10 min late', () => {
    const late = findLateness(
      timelineOf({ rate: (p, t) => (p >= 6 ? (t > 2955 && t < 3555 ? 30 : 0) : 60), late: (p, t) => (p >= 6 ? Math.max(0, 3555 - t) : 0) }),
      3500,
    )
    expect(late?.partitions.map((p) => p.partition)).toEqual([6, 7])
    expect(late?.records).toBeGreaterThan(34_000)
    expect(late?.records).toBeLessThanOrEqual(36_000)
    expect(late?.seconds).toBeGreaterThan(580)
    expect(late?.seconds).toBeLessThan(680)
  })

  it('is nothing where records arrive when they are made', () => {
    expect(findLateness(timelineOf(), 3500)?.partitions).toEqual([])
  })

  it('is judged against what is usual: mobile clients, ten minutes late as a rule, are on time for theirs', () => {
    const late = findLateness(timelineOf({ late: () => 600 }), 3500)
    expect(late?.partitions).toEqual([])
    expect(late?.longest).toBeCloseTo(600, -1)
    // The 100 batches that are kept reach back to 3,105 s.
    expect(late?.over).toBeCloseTo(495, -1)
  })

  it('where records are two minutes late as a rule, one that comes ten minutes late is eight beyond that', () => {
    // Partition 6 brings nothing for eight minutes more, then everything at once.
    const held = (p: number, t: number) => (p === 6 && t > 2955 && t < 3435 ? 3555 - t : 120)
    const late = findLateness(timelineOf({ late: held }), 3500)
    expect(late?.partitions.map((p) => p.partition)).toEqual([6])
    expect(late?.seconds).toBeCloseTo(600, -2)
    expect(late?.beyondUsual).toBeCloseTo(480, -2)
  })

  it('a reader that was free found nothing at its triggers: what was held back came after the last of them', () => {
    // All clients silent from 2,855 s on; what they made since then, two thirds of it later than usual, comes at 3,555 s.
    const late = findLateness(timelineOf({ late: (_, t) => (t > 2255 && t < 2955 ? 3555 - t : 600) }), 3500)
    expect(late?.arrived).toEqual([3550, 3555.01])
    expect(late?.seconds).toBeCloseTo(1295, 0)
  })

  it('cannot be seen without a source of arrival', () => {
    expect(findLateness(timelineOf({ without: ['checkpoint'] }), 3500)).toBeNull()
  })
})

describe('episode', () => {
  it('begins with the first batch over its limit and compares with the well ones before', () => {
    const episode = findEpisode(timelineOf({ commitS: (t) => (t < 3555 ? 0.4 : 4.4) }))
    expect(episode?.from).toBe(3555)
    expect(episode?.limit).toBe(5)
    expect(episode?.usual).toBeCloseTo(2.87, 1)
    expect(episode?.base).toHaveLength(20)
    expect(episode?.censored).toBe(false)
  })

  it('is none where every batch is within its trigger', () => {
    const timeline = timelineOf()
    expect(findEpisode(timeline)).toBeNull()
    expect(wellBatches(timeline, 3600)).toHaveLength(20)
  })

  it('ends with its last ill batch: a blip half a minute later is no part of it', () => {
    const episode = findEpisode(timelineOf({ commitS: (t) => (t > 3557 && t < 3562 ? 9.4 : t > 3593 && t < 3598 ? 3.4 : 0.4) }))
    expect(episode?.from).toBe(3555)
    expect(episode?.ended).not.toBeNull()
    expect(episode?.ill.every((b) => b.start < 3580)).toBe(true)
  })

  it('is over when batches have been well for a minute', () => {
    expect(findEpisode(timelineOf({ commitS: (t) => (t > 3400 && t < 3440 ? 4.4 : 0.4) }))).toBeNull()
  })
})
