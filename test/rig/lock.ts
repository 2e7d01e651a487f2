// One command at a time works on a rig's folder: two drills at once would be each other's fault.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './layout.ts'
import type { ProcessId } from './proc.ts'
import { isRunning, processStat } from './proc.ts'
import { endProcess } from './processes.ts'

interface Holder extends ProcessId {
  readonly command: string
}

const file = (dir: string): string => join(dir, 'lock.json')

function holderOf(dir: string): Holder | undefined {
  if (!existsSync(file(dir))) return undefined
  const holder = readJson(file(dir)) as Holder
  return isRunning(holder) && holder.pid !== process.pid ? holder : undefined
}

/** Takes the folder for this process until it ends. Throws with the pid of the process that has it. */
export function holdRig(dir: string, command: string): void {
  const holder = holderOf(dir)
  if (holder !== undefined) throw new Error(`${dir} is in use by "${holder.command}", pid ${holder.pid}; --dir names another folder`)
  const startTicks = processStat(process.pid)?.startTicks ?? 0
  mkdirSync(dir, { recursive: true })
  rmSync(file(dir), { force: true })
  try {
    // "wx": of two that come at once, one fails
    writeFileSync(file(dir), JSON.stringify({ pid: process.pid, startTicks, command } satisfies Holder), { flag: 'wx' })
  } catch {
    throw new Error(`${dir} was taken by another command at this moment`)
  }
  process.once('exit', () => rmSync(file(dir), { force: true }))
}

/** Ends the command that works on the folder, if another one does: what it would leave half done is taken down next. */
export async function endHolder(dir: string): Promise<void> {
  const holder = holderOf(dir)
  if (holder !== undefined) await endProcess(holder, 5_000)
}
