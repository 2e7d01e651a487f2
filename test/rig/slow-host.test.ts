import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProcessId } from './proc.ts'
import { processStat } from './proc.ts'
import { slowDown, thaw } from './slow-host.ts'

let child: ReturnType<typeof spawn>
let id: ProcessId

beforeEach(() => {
  child = spawn('sleep', ['60'])
  id = { pid: child.pid ?? 0, startTicks: processStat(child.pid ?? 0)?.startTicks ?? 0 }
})
afterEach(() => child.kill('SIGKILL'))

const state = (): string | undefined => processStat(id.pid)?.state
const isStopped = (): boolean => state() === 'T'

/** Waits for what must come; the machine may be busy. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 400; tries++) await sleep(5)
  expect(condition()).toBe(true)
}

test('a slow host stops and goes, and runs for good once it is released', async () => {
  const slow = slowDown(() => [id], 0.25, 200)
  for (const stopped of [true, false, true, false, true]) await until(() => isStopped() === stopped)
  slow.release()
  await until(() => !isStopped())
  // it would have been stopped again by now
  await sleep(300)
  expect(isStopped()).toBe(false)
})

test('a process that took over the pid of another is left alone', async () => {
  const slow = slowDown(() => [{ ...id, startTicks: id.startTicks - 1 }], 0.1, 100)
  await sleep(60)
  expect(isStopped()).toBe(false)
  slow.release()
})

test('what a killed drill left stopped runs again', async () => {
  expect(thaw([id])).toBe(0)
  process.kill(id.pid, 'SIGSTOP')
  await until(isStopped)
  expect(thaw([{ ...id, startTicks: id.startTicks - 1 }])).toBe(0)
  expect(thaw([id])).toBe(1)
  await until(() => !isStopped())
})

const drill = (ending: string): string => `
  import { slowDown } from '${import.meta.dirname}/slow-host.ts'
  import { restoring } from '${import.meta.dirname}/restoring.ts'
  const slow = slowDown(() => [${JSON.stringify(id)}], 0.01, 60_000)
  await restoring(() => slow.release(), async () => {
    console.log('on')
    ${ending}
  })`

const STAY = 'await new Promise((resolve) => setTimeout(resolve, 60_000))'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('nothing stays stopped when the drill gets %s', async (name) => {
  const script = spawn(process.execPath, ['--input-type=module', '--eval', drill(STAY)])
  await once(script.stdout, 'data')
  await until(isStopped)
  script.kill(name)
  const [code] = await once(script, 'exit')
  expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[name])
  expect(isStopped()).toBe(false)
})

test.each([
  ['an error', "throw new Error('the driver ended')"],
  ['an exit from elsewhere', 'process.exit(3)'],
  ['a fault in a timer', "setTimeout(() => { throw new Error('odd') }, 1); await new Promise((resolve) => setTimeout(resolve, 60_000))"],
])('nor after %s', (_, ending) => {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', drill(ending)], { timeout: 20_000 })
  expect(status).not.toBe(0)
  expect(isStopped()).toBe(false)
})
