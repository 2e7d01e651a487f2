/** The report places text by a table; the table must be the font's. */
import { Resvg } from '@resvg/resvg-js'
import { describe, expect, test } from 'vitest'
import { fontFiles } from '../../src/picture/fonts.ts'
import type { Weight } from '../../src/report/chart/advance-widths.ts'
import { advanceWidths, unitsPerEm } from '../../src/report/chart/advance-widths.ts'
import { textWidth } from '../../src/report/chart/text-width.ts'
import { measured, measuredRanges } from './generate-advance-widths.ts'

const weights: readonly Weight[] = ['regular', 'semibold']

describe.each(weights)('%s', (weight) => {
  test('the table is that of the font file', () => {
    const font = measured(weight)
    expect(unitsPerEm).toBe(font.unitsPerEm)
    expect(advanceWidths[weight]).toEqual(measuredRanges.map(([from], i) => [from, (font.widths[i] as number[]).join(' ')]))
  })

  test.each(['began 14:01:55 – 14:02:05', 'partition 3: 1,240/s', '99 others, each 20/s', 'Größe, Ελλάδα, Москва', 'objective 2 min ↑'])(
    '%s is drawn as wide as it is said to be',
    (words) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"><text x="0" y="50" font-family="Inter" font-size="40" font-weight="${weight === 'semibold' ? 600 : 400}">${words}</text></svg>`
      const box = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles) } }).getBBox()
      // The box is that of the ink: bearings at both ends, and kerning, are not in the table.
      expect(Math.abs((box?.width ?? 0) - textWidth(words, 40, weight))).toBeLessThan(0.02 * textWidth(words, 40, weight) + 6)
    },
  )
})
