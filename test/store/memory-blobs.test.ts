/** A process without Redis has only so much room: what is spoken of stays, whatever else comes. */
import { expect, test } from 'vitest'
import { MemoryBlobs } from '../../src/store/memory-blobs.ts'

const tenBytes = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(10, '.'))
const nothing = (): ReadonlySet<string> => new Set()

test('the oldest go first, but never those that are spoken of, nor the newest', () => {
  const blobs = new MemoryBlobs(() => 0, 1_000, 30)
  const first = blobs.keep(tenBytes('first'), nothing)
  const second = blobs.keep(tenBytes('second'), nothing)
  const third = blobs.keep(tenBytes('third'), nothing)
  const spokenOf = (): ReadonlySet<string> => new Set([first, third])
  const fourth = blobs.keep(tenBytes('fourth'), spokenOf)
  const kept = [first, second, third, fourth].map((key) => blobs.bytes(key) !== null)
  expect(kept).toEqual([true, false, true, true])
  const fifth = blobs.keep(tenBytes('fifth'), () => new Set([first, third, fourth]))
  expect([first, third, fourth, fifth].every((key) => blobs.bytes(key) !== null)).toBe(true)
})

test('what nobody renews ends by itself', () => {
  let now = 0
  const blobs = new MemoryBlobs(() => now, 1_000, 100)
  const [old, renewed] = [blobs.keep(tenBytes('old'), nothing), blobs.keep(tenBytes('renewed'), nothing)]
  now = 600
  blobs.renew([renewed, 'a key of nobody'])
  now = 1_200
  expect([blobs.bytes(old), blobs.bytes(renewed)?.length]).toEqual([null, 10])
})
