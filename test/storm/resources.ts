/** What a process has taken of the machine, as the kernel counts it; NaN where it does not tell. */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Service } from '../service/town.ts'

export interface Taken {
  /** Resident set, MB. */
  readonly mb: number
  /** Of a processor, since it started, s. */
  readonly cpuSeconds: number
}

/** Ticks of the clock a second, on every Linux. */
const ticks = 100

export function takenBy({ child: { pid } }: Pick<Service, 'child'>): Taken {
  try {
    const mb = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    // The name may hold blanks; what follows it does not. Fields 14 and 15: in user mode, in the kernel.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return { mb, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticks }
  } catch {
    return { mb: Number.NaN, cpuSeconds: Number.NaN }
  }
}

/** "120 MB → 140 MB, 3.2 s of a processor". */
export function grown(before: Taken, after: Taken): string {
  const seconds = (after.cpuSeconds - before.cpuSeconds).toFixed(1)
  return `${Math.round(before.mb)} MB → ${Math.round(after.mb)} MB, ${seconds} s of a processor`
}

/** How late this very process came to its own work: what it measures of others cannot be more exact. */
export function ownLateness(): { readonly stop: () => string } {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  return {
    stop() {
      delay.disable()
      const ms = (nanoseconds: number): string => `${(nanoseconds / 1e6).toFixed(0)} ms`
      return `p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, at most ${ms(delay.max)}`
    },
  }
}
