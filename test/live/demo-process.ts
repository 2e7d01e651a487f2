/** `headwater demo` as a person starts it: a process of its own, its addresses read from what it prints, ended by Ctrl-C. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface DemoProcess {
  readonly page: string
  readonly webhook: string
  readonly bearer: string
  /** All it printed before it was ready. */
  readonly printed: string
  /** From the command until the page answers, ms. */
  readonly readyMs: number
  /** Ctrl-C. @returns the exit code */
  readonly stop: () => Promise<number | null>
  /** As the kernel ends it when memory runs out. */
  readonly kill: () => Promise<void>
}

export interface Start {
  readonly args?: readonly string[]
  /** Folder of the program; absent = this repository. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function startDemo({ args = [], folder = join(import.meta.dirname, '../..'), env = {} }: Start = {}): Promise<DemoProcess> {
  const begunMs = performance.now()
  const child = spawn(process.execPath, [join(folder, 'src/start.mjs'), 'demo', ...args], {
    cwd: folder,
    env: { ...process.env, HEADWATER_CONFIG: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    await ended(child, 'SIGKILL')
  })
  const printed = await allBut(child, 'Ctrl-C ends all of it.')
  const [page, webhook, bearer] = [/http:\S+/, /http:\S+\/webhooks\/alertmanager/, /(?<=Bearer )\w+/].map(
    (sought) => sought.exec(printed)?.[0] ?? '',
  )
  await (await fetch(page!)).text()
  return {
    page: page!,
    webhook: webhook!,
    bearer: bearer!,
    printed,
    readyMs: performance.now() - begunMs,
    stop: () => ended(child, 'SIGINT'),
    async kill() {
      await ended(child, 'SIGKILL')
    },
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return child.exitCode
}

async function allBut(child: ChildProcess, last: string): Promise<string> {
  let said = ''
  const heard = (part: unknown): void => {
    said += String(part)
  }
  child.stderr!.on('data', heard)
  child.stdout!.on('data', heard)
  while (!said.includes(last)) {
    if (child.exitCode !== null) throw new Error(`the demo ended: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return said
}
