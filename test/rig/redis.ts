// A Redis of one test: on a free loopback port, in a folder of its own, stopped by its process id.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForPort } from './ports.ts'
import { redisProgram } from './toolchain.ts'

export interface TestRedis {
  readonly port: number
  readonly url: string
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>
  /** On the same port, with what was on its disk. */
  readonly start: () => Promise<void>
  /** It stands still as it is, and goes on. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

/** @param settings as in redis.conf, e.g. { appendonly: 'yes' }; without any it keeps nothing on disk */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const all = { port: `${port}`, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', ...settings }
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
    const { file, argv0 } = redisProgram()!
    const started = spawn(file, args, { argv0, stdio: 'ignore' })
    child = started
    await waitForPort('127.0.0.1', port, 10_000, () => started.exitCode === null)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }

  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
