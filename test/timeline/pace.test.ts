import { describe, expect, test } from 'vitest'
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { evidenceOf } from '../build/pipeline.ts'

const rate = (executor: string, value: number | null, at = 3600): Series => ({
  signal: 'executor.task_rate',
  entity: { executor, host: `h${executor}` },
  source: 'spark',
  t: [at],
  v: [value],
})
const standing = (...rates: Series[]) => {
  const calm: Evidence = evidenceOf({ perTaskMs: (t) => (t < 3590 ? 50 : 60_000) })
  return buildTimeline({ ...calm, series: [...calm.series, ...rates] }).standing
}

describe('an executor stands when it has work and finishes none', () => {
  test('alone while another gets work done', () => {
    expect(standing(rate('0', 1.5), rate('1', 0))).toMatchObject([{ executor: '1', host: 'h1', at: 3600, alone: true }])
  })

  test('not alone while nobody does: that is no executor of its own', () => {
    expect(standing(rate('0', 0), rate('1', 0))).toMatchObject([{ alone: false }, { alone: false }])
  })

  test('with the age of its oldest running task', () => {
    // They began 0.35 s after the trigger at 3590, and run on executor 0.
    expect(standing(rate('0', 0))[0]?.seconds).toBeCloseTo(9.65, 2)
  })

  test.each([
    ['one that finishes tasks', rate('1', 0.4)],
    ['one that could not be judged', rate('1', null)],
    ['one that stood a minute ago', rate('1', 0, 3540)],
  ])('not: %s', (_, one) => {
    expect(standing(one)).toEqual([])
  })
})
