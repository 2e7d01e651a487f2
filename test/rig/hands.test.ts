import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { executors } from './cluster.ts'
import { handsOn } from './hands.ts'
import { holdFault } from './hold.ts'
import type { Rig } from './layout.ts'
import type { Load } from './load.ts'
import { processStat } from './proc.ts'
import { Processes } from './processes.ts'
import type { Session } from './session.ts'

let dir: string
let rig: Rig
let started: ChildProcess[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hands-'))
  for (const folder of ['work', 'ckpt/offsets', 'ckpt/commits']) mkdirSync(join(dir, folder), { recursive: true })
  rig = { dir, processes: new Processes(dir) } as Rig
  started = []
})
afterEach(async () => {
  for (const one of started) one.kill('SIGKILL')
  for (const name of ['driver', 'producer']) await rig.processes.stop(name)
  rmSync(dir, { recursive: true })
})

/** A process that looks like an executor of this rig and only waits. */
async function executor(id: string, host: string): Promise<ChildProcess> {
  const name = 'org.apache.spark.executor.CoarseGrainedExecutorBackend'
  const args = ['-e', 'setTimeout(() => {}, 60_000)', name, '--executor-id', id, '--hostname', host]
  const child = spawn(process.execPath, args, { cwd: join(dir, 'work'), stdio: 'ignore' })
  started.push(child)
  await until(() => executors(rig).some((one) => one.id === id))
  return child
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 400; tries++) await sleep(5)
  expect(condition()).toBe(true)
}

const session = (): Session => ({ checkpoint: join(dir, 'ckpt'), topic: 'orders', plan: { triggerMs: 5000 } }) as Session
const load: Load = { rate: 300, weights: [1], cpuUs: 10, waitUs: 100 }

/** Batch `number`, begun `agoMs` ago; in flight unless it ended. */
function batch(number: number, agoMs: number, ended = false): void {
  writeFileSync(join(dir, 'ckpt/offsets', `${number}`), `v1\n{"batchTimestampMs":${Date.now() - agoMs}}\n{"orders":{"0":1}}\n`)
  if (ended) writeFileSync(join(dir, 'ckpt/commits', `${number}`), 'v1\n{}')
}

const runs = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null
const isStopped = (child: ChildProcess): boolean => processStat(child.pid ?? 0)?.state === 'T'

test('the executor of the host is killed in the midst of a batch, not before it is at work', async () => {
  const [victim, other] = [await executor('0', '127.0.0.2'), await executor('1', '127.0.0.3')]
  batch(5, 3000, true)
  batch(6, 0)
  const hands = handsOn(rig, session(), load)
  const killing = hands.killExecutor('127.0.0.2')
  await sleep(400)
  expect(runs(victim)).toBe(true)
  expect(hands.place()).toEqual({})
  batch(6, 1600)
  await killing
  await until(() => !runs(victim))
  expect(runs(other)).toBe(true)
  expect(hands.place()).toEqual({ executor: '0' })
})

test('a kill that finds nobody is an error, not a drill without a fault', async () => {
  batch(6, 1600)
  await expect(handsOn(rig, session(), load).killExecutor('127.0.0.2')).rejects.toThrow('no executor runs on 127.0.0.2')
  expect(() => handsOn(rig, session(), load).slowHost('127.0.0.2', 0.1)).toThrow('no executor runs on 127.0.0.2')
})

test('a slow host slows its own executor alone, until it is let go', async () => {
  const [slowed, other] = [await executor('0', '127.0.0.2'), await executor('1', '127.0.0.3')]
  const hands = handsOn(rig, session(), load)
  hands.slowHost('127.0.0.2', 0.1)
  await until(() => isStopped(slowed))
  expect(isStopped(other)).toBe(false)
  expect(hands.place()).toEqual({ executor: '0' })
  hands.release()
  await until(() => !isStopped(slowed))
})

test('a fault is held only as long as there is a job to be ill', async () => {
  for (const name of ['driver', 'producer']) rig.processes.start(name, 'sleep', ['60'])
  await holdFault(rig, 50, () => {})
  await rig.processes.stop('driver')
  await expect(holdFault(rig, 50, () => {})).rejects.toThrow('the driver ended during the fault')
})
