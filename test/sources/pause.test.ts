import { expect, test } from 'vitest'
import { pause } from '../../src/sources/pause.ts'

const took = async (ms: number, signal: AbortSignal) => {
  const begin = performance.now()
  await pause(ms, signal)
  return performance.now() - begin
}

test('as long as asked, and no longer once it is called off', async () => {
  expect(await took(30, new AbortController().signal)).toBeGreaterThan(25)
  expect(await took(5000, AbortSignal.timeout(20))).toBeLessThan(1000)
  expect(await took(5000, AbortSignal.abort())).toBeLessThan(1000)
})

test('a moment that is past is not waited for', async () => {
  expect(await took(-5000, new AbortController().signal)).toBeLessThan(1000)
})
