import { expect, it } from 'vitest'
import { buildTimeline } from '../../src/timeline/build.ts'
import { intakeChange } from '../../src/timeline/intake.ts'
import { evidenceOf } from '../build/pipeline.ts'

it('the level before is that of the time in which records flowed, so that the end of a pause is no surge', () => {
  // 8 partitions of 50 records/s, silent for 200 s until half a minute ago.
  const timeline = buildTimeline(evidenceOf({ rate: (_, t) => (t > 3370 && t < 3570 ? 0 : 50) }))
  const change = intakeChange(timeline, [3300, 3570], 3570, 3600)
  expect(change?.before).toBeGreaterThan(360)
  expect(change?.before).toBeLessThan(440)
  expect(change?.now).toBeCloseTo(400, -1)
})

it('the level before is the one that held last: a change that was borne for two minutes is part of it', () => {
  // 8 x 40 records/s until 3,400 s, 8 x 60 since; nothing changes at 3,550 s.
  const timeline = buildTimeline(evidenceOf({ rate: (_, t) => (t < 3400 ? 40 : 60) }))
  const change = intakeChange(timeline, [3200, 3550], 3550, 3600)
  expect([change?.before, change?.now].map((v) => Math.round(v as number))).toEqual([480, 480])
  expect(change?.beforeWindow[0]).toBeGreaterThanOrEqual(3400)
  // One that came within a minute may be what made them slow: it is no level yet.
  expect(intakeChange(timeline, [3200, 3440], 3440, 3600)?.before).toBeLessThan(400)
})

it('nor is what one partition keeps back for a minute, and the records it brings then at once are no level', () => {
  // Partition 6 is silent from 3,500 s on, and brings the 3,000 records of that minute at 3,560 s.
  const held = (p: number, t: number) => (p === 6 && t > 3500 && t < 3560 ? 3560 - t : 0)
  const change = intakeChange(buildTimeline(evidenceOf({ late: held })), [3400, 3555], 3555, 3600)
  const six = change?.partitions.find((p) => p.partition === 6)
  expect(six?.before).toBeCloseTo(50, -1)
  expect(six?.now).toBeCloseTo(50, -1)
})

it('a rise that goes on is no burst, and neither is one that may', () => {
  for (const since of [3560, 3592]) {
    const change = intakeChange(buildTimeline(evidenceOf({ rate: (_, t) => (t < since ? 50 : 125) })), [3400, 3550], since - 10, 3600)
    expect(change?.now).toBeGreaterThan(500)
  }
})
