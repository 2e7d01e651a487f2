import { expect, test } from 'vitest'
import { fitted, textWidth } from '../../src/report/chart/text-width.ts'

test('widths grow with size and weight', () => {
  expect(textWidth('orders', 20)).toBeCloseTo(textWidth('orders', 10) * 2)
  expect(textWidth('orders', 20, 'semibold')).toBeGreaterThan(textWidth('orders', 20))
})

test('what the font lacks is as wide as it is high', () => {
  expect(textWidth('注文', 20)).toBe(40)
})

test('a text that fits stays, a longer one keeps both ends', () => {
  expect(fitted('orders', 200, 20)).toBe('orders')
  const short = fitted('eu-west-1.payments.authorisations.enriched', 200, 20)
  expect(short).toMatch(/^eu-w.*….*ched$/)
  expect(textWidth(short, 20)).toBeLessThanOrEqual(200)
  expect(fitted('orders', 1, 20)).toBe('…')
})
