import { describe, expect, it } from 'vitest'
import { emptyLine, joined } from '../../src/timeline/line.ts'

describe('several readings of one thing are one line', () => {
  it('none is an empty line', () => {
    expect(joined([])).toEqual(emptyLine)
  })

  it('a single one in order of time is taken as it is, holes included, without a copy', () => {
    const [t, v] = [
      [1, 2, 5],
      [10, null, 30],
    ]
    const line = joined([{ t, v }])
    expect([line.t, line.v]).toEqual([t, v])
    expect(line.t).toBe(t)
  })

  it('a single one out of order, or with a time twice, is put in order; the later given wins', () => {
    expect(joined([{ t: [5, 1], v: [50, 10] }])).toEqual({ t: [1, 5], v: [10, 50] })
    expect(joined([{ t: [1, 1, 2], v: [10, 11, 20] }])).toEqual({ t: [1, 2], v: [11, 20] })
  })

  it('two are merged, and where both have a time the later given wins', () => {
    const parts = [
      { t: [1, 3], v: [10, 30] },
      { t: [2, 3], v: [20, 31] },
    ]
    expect(joined(parts)).toEqual({ t: [1, 2, 3], v: [10, 20, 31] })
  })
})
