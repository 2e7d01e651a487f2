// What Linux says about processes and the machine. A pid alone does not name a process for long (pids are reused), so
// everywhere here a process is a pid together with the moment it started.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that cannot be mistaken for a later one with the same pid. `startTicks`: clock ticks since boot. */
export interface ProcessId {
  readonly pid: number
  readonly startTicks: number
}

export interface ProcessStat {
  readonly state: string
  readonly parent: number
  readonly cpuTicks: number
  readonly startTicks: number
  readonly rssBytes: number
}

/** Reads /proc/PID/stat; undefined when there is no such process. */
export function processStat(pid: number): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // the command name in brackets may itself hold blanks and brackets
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    state: fields[0] ?? '?',
    parent: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    startTicks: Number(fields[19]),
    rssBytes: Number(fields[21]) * 4096,
  }
}

/** True while exactly this process runs (a zombie does not). */
export function isRunning(id: ProcessId): boolean {
  const stat = processStat(id.pid)
  return stat !== undefined && stat.startTicks === id.startTicks && stat.state !== 'Z'
}

export interface CommandLine extends ProcessId {
  readonly argv: readonly string[]
  readonly cwd: string
}

/** All processes whose command line holds `word` as one argument. */
export function processesWith(word: string): CommandLine[] {
  const found: CommandLine[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (!argv.includes(word)) continue
      const stat = processStat(Number(name))
      if (stat === undefined || stat.state === 'Z') continue
      found.push({ pid: Number(name), startTicks: stat.startTicks, argv, cwd: readlinkSync(`/proc/${name}/cwd`) })
    } catch {
      // ended while we looked
    }
  }
  return found
}

/** Busy and total clock ticks of all cores since boot, from the first line of /proc/stat. */
export function machineTicks(): { busy: number; total: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = ticks.reduce((sum, t) => sum + t, 0)
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0) // idle, iowait
  return { busy: total - idle, total }
}
