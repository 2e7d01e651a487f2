/** A Redis of the demo's own, where its program is installed: on a free loopback port, in a folder that goes with it. */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface OwnRedis {
  /** e.g. "redis-server". */
  readonly program: string
  readonly url: string
  readonly stop: () => Promise<void>
}

const programs = ['redis-server', 'valkey-server']
const startsWithinMs = 5_000

/**
 * It lives as long as its standard input: whatever becomes of us, the shell then reads to the end and stops it. It is in a group of its
 * own, because Ctrl-C in a terminal goes to the whole group, and we still need it while we stop.
 */
const guarded = '"$@" & read -r _; kill $!; wait'

/** @param path of programs, as in PATH. @returns null = neither program is there, or it does not start */
export async function startOwnRedis(path: string): Promise<OwnRedis | null> {
  const found = onPath(path)
  if (found === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'headwater-demo-'))
  const port = await freePort()
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
  const child = spawn('sh', ['-c', guarded, 'sh', found.file, ...settings], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  if (await listens(port)) return { program: found.program, url: `redis://127.0.0.1:${port}`, stop }
  await stop()
  return null
}

function onPath(path: string): { readonly program: string; readonly file: string } | null {
  for (const program of programs) {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, program)
      if (folder !== '' && runs(file)) return { program, file }
    }
  }
  return null
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function listens(port: number): Promise<boolean> {
  const until = performance.now() + startsWithinMs
  while (performance.now() < until) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (open) return true
    await pause(50)
  }
  return false
}
