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
