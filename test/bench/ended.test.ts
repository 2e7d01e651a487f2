import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ended } from './ended.ts'

/** An ending that takes a moment, and what was done in which order. */
function recorder() {
  const done: string[] = []
  const end = async (): Promise<void> => {
    await sleep(5)
    done.push('ended')
  }
  return { done, end }
}

test('what was started is ended after a result and after an error', async () => {
  const { done, end } = recorder()
  expect(await ended(10_000, async () => done.push('worked'), end)).toBe(1)
  await expect(
    ended(
      10_000,
      async () => {
        throw new Error('no port')
      },
      end,
    ),
  ).rejects.toThrow('no port')
  expect(done).toEqual(['worked', 'ended', 'ended'])
})

test('what takes too long is ended and said', async () => {
  const { done, end } = recorder()
  await expect(ended(50, () => sleep(60_000, undefined, { ref: false }), end)).rejects.toThrow('it took longer than 0.05 s')
  expect(done).toEqual(['ended'])
})

const script = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { ended } from '${import.meta.dirname}/ended.ts'
  await ended(60_000, async () => { console.log('on'); await sleep(60_000) }, async () => { await sleep(300); console.log('ended') })`

test('Ctrl-C waits for the ending, a second one too', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  await sleep(100)
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([130, 'on\nended\n'])
})
