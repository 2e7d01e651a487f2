/** Records that somebody kept back for a while and then sent at once, in all partitions or in two, against batches of any trigger. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../src/attribution/attribute.ts'
import { buildTimeline } from '../../src/timeline/build.ts'
import { evidenceOf } from '../build/pipeline.ts'

const everywhere = () => true
const inTwo = (p: number) => p >= 6

function verdict(held: number, where: (p: number) => boolean, triggerS: number | null, ago: number) {
  const since = 3600 - ago
  const late = (p: number, t: number) => (where(p) && t > since - held && t < since ? since - t : 0)
  return attribute(buildTimeline(evidenceOf({ triggerS, late, rate: (p) => (where(p) ? 70 : 50) })))
}

describe.each([5, 10, null])('trigger %s', (triggerS) => {
  it.each([20, 45])('for minutes: upstream was late, %i s ago', (ago) => {
    expect(verdict(120, everywhere, triggerS, ago).cause).toBe('upstream_late')
    expect(verdict(600, inTwo, triggerS, ago)).toMatchObject({ cause: 'upstream_late', place: { partitions: [6, 7] } })
  })

  it.each([15, 30])('for %i s: nobody is accused, least of all a surge', (held) => {
    for (const ago of [20, 30, 45]) {
      for (const where of [everywhere, inTwo]) expect(verdict(held, where, triggerS, ago).cause, `${ago} s ago`).toBeNull()
    }
  })
})

it('a source that stopped 20 s ago is not calm, although the last records bear times of a moment ago', () => {
  const a = attribute(buildTimeline(evidenceOf({ rate: (_, t) => (t < 3580 ? 50 : 0) })))
  expect(a.cause).toBe('source_stall')
})
