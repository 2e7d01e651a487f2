import { scaleLinear } from 'd3-scale'
import { expect, test } from 'vitest'
import type { Area } from '../../src/report/chart/frame.ts'
import { drawnMiddle, spreadOf } from '../../src/report/chart/rest-band.ts'

const window = { from: 0, to: 60 }
const x = scaleLinear([0, 60], [0, 600])
const area: Area = { x, y: (v) => 100 - v, left: 0, right: 600, top: 0, bottom: 100, most: 100 }
const t = [10, 20, 30, 40, 50]
const line = (...v: (number | null)[]) => ({ t, v })
const starts = (...lines: ReturnType<typeof line>[]) =>
  (drawnMiddle(spreadOf(lines, window), area, () => false, {}).match(/M/g) ?? []).length

test('the middle of what was seen at nearly all instants is one line', () => {
  expect(starts(line(1, 2, 3, 4, 5), line(2, 2, 2, 2, 2), line(3, 3, 3, 3, 3))).toBe(1)
})

test('where too few were seen it breaks, and is not held from before', () => {
  expect(starts(line(1, 2, 3, 4, 5), line(2, 2, null, 2, 2), line(3, 3, 3, 3, 3))).toBe(2)
})
