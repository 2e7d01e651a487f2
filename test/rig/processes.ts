// The rig's own processes, by name, in one file (pids.json) that every later command reads: `down` ends what this rig
// started and nothing else.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessId } from './proc.ts'
import { isRunning, processStat } from './proc.ts'

export class Processes {
  readonly #dir: string
  readonly #file: string

  /** @param dir the rig's folder; logs go to dir/logs/NAME.log */
  constructor(dir: string) {
    this.#dir = dir
    this.#file = join(dir, 'pids.json')
    mkdirSync(join(dir, 'logs'), { recursive: true })
  }

  /** All recorded processes, also ended ones. Read anew each time: several commands work on one rig. */
  all(): Map<string, ProcessId> {
    if (!existsSync(this.#file)) return new Map()
    return new Map(Object.entries(JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, ProcessId>))
  }

  get(name: string): ProcessId | undefined {
    const id = this.all().get(name)
    return id !== undefined && isRunning(id) ? id : undefined
  }

  logFile(name: string): string {
    return join(this.#dir, 'logs', `${name}.log`)
  }

  /** Starts a process of its own session, output to its log file. Throws if one of that name runs. */
  start(name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ProcessId {
    if (this.get(name) !== undefined) throw new Error(`${name} is already running in ${this.#dir}`)
    const log = openSync(this.logFile(name), 'a')
    const child = spawn(command, args, {
      cwd: this.#dir,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
    })
    closeSync(log)
    child.on('error', () => {}) // an unknown command shows as the missing pid below
    child.unref()
    if (child.pid !== undefined) prefer(child.pid)
    const stat = child.pid === undefined ? undefined : processStat(child.pid)
    if (child.pid === undefined || stat === undefined) throw new Error(`could not start ${name}: ${command}`)
    const id = { pid: child.pid, startTicks: stat.startTicks }
    this.#save(this.all().set(name, id))
    return id
  }

  /** Ends one process by its id: TERM, then KILL after `patienceMs`. Nothing happens when it is gone. */
  async stop(name: string, patienceMs = 15_000): Promise<void> {
    const id = this.get(name)
    if (id !== undefined) await endProcess(id, patienceMs)
    const left = this.all()
    left.delete(name)
    this.#save(left)
  }

  #save(processes: Map<string, ProcessId>): void {
    writeFileSync(`${this.#file}.tmp`, `${JSON.stringify(Object.fromEntries(processes), null, 1)}\n`)
    renameSync(`${this.#file}.tmp`, this.#file)
  }
}

/**
 * A little ahead of the neighbours on a shared machine, where we may: whoever compiles beside a drill should not become
 * its fault. Executors inherit it from their worker.
 */
function prefer(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_ABOVE_NORMAL)
  } catch {
    // only root may
  }
}

/** TERM, then KILL after `patienceMs`; thaws a frozen process first, since it could not hear TERM. */
export async function endProcess(id: ProcessId, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs
  signal(id, 'SIGCONT')
  signal(id, 'SIGTERM')
  while (isRunning(id)) {
    if (Date.now() > until) signal(id, 'SIGKILL')
    await sleep(50)
  }
}

/** Sends a signal if exactly this process still runs; says whether it did. */
export function signal(id: ProcessId, name: NodeJS.Signals): boolean {
  if (!isRunning(id)) return false
  try {
    process.kill(id.pid, name)
    return true
  } catch {
    return false
  }
}
