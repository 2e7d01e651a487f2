import { expect, test } from 'vitest'
import { pathText } from '../../src/config/mistake.ts'

test('a path is written as one would look for it', () => {
  expect(pathText(['pipelines', 'orders', 'brokers', 0])).toBe('pipelines.orders.brokers[0]')
  expect(pathText(['pipelines', 'a b'])).toBe('pipelines."a b"')
  expect(pathText([])).toBe('')
})
