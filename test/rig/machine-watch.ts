// How busy the machine was: a drill during which the box itself was the constraint proves nothing.
import { executors } from './cluster.ts'
import type { Rig } from './layout.ts'
import { machineTicks, processStat } from './proc.ts'

const EVERY_MS = 1000
const TICKS_PER_SECOND = 100

interface Sample {
  readonly atMs: number
  /** Busy share of all cores, 0..1. */
  readonly busy: number
  /** Cores used by the rig's own processes. */
  readonly rigCores: number
}

export interface MachineUse {
  readonly medianBusy: number
  readonly meanRigCores: number
  readonly peakRigCores: number
  readonly samples: number
}

export class MachineWatch {
  readonly #rig: Rig
  readonly #samples: Sample[] = []
  readonly #timer: NodeJS.Timeout
  #machine = machineTicks()
  #ticks = new Map<number, number>()
  #lastMs = Date.now()

  /** Starts sampling once a second until `stop`. */
  constructor(rig: Rig) {
    this.#rig = rig
    this.#rigTicks()
    this.#timer = setInterval(() => this.#sample(), EVERY_MS)
  }

  /** Ticks used by the rig's processes since the last call. New processes count from their first sight on. */
  #rigTicks(): number {
    let used = 0
    const seen = new Map<number, number>()
    for (const { pid } of [...this.#rig.processes.all().values(), ...executors(this.#rig)]) {
      const ticks = processStat(pid)?.cpuTicks
      if (ticks === undefined) continue
      used += ticks - (this.#ticks.get(pid) ?? ticks)
      seen.set(pid, ticks)
    }
    this.#ticks = seen
    return used
  }

  #sample(): void {
    const nowMs = Date.now()
    const machine = machineTicks()
    const total = machine.total - this.#machine.total
    const seconds = (nowMs - this.#lastMs) / 1000
    const rigCores = this.#rigTicks() / TICKS_PER_SECOND / seconds
    if (total > 0) this.#samples.push({ atMs: nowMs, busy: (machine.busy - this.#machine.busy) / total, rigCores })
    this.#machine = machine
    this.#lastMs = nowMs
  }

  /** Use between two instants. Medians of busy shares, mean and peak (of 5 s means) of the rig's own cores. */
  between(fromMs: number, toMs: number): MachineUse {
    const inside = this.#samples.filter((sample) => sample.atMs >= fromMs && sample.atMs <= toMs)
    const cores = inside.map((sample) => sample.rigCores)
    const mean = (values: readonly number[]) => values.reduce((all, v) => all + v, 0) / Math.max(1, values.length)
    const peaks = cores.map((_, i) => mean(cores.slice(Math.max(0, i - 4), i + 1)))
    const round = (value: number) => Math.round(value * 100) / 100
    return {
      medianBusy: round(median(inside.map((sample) => sample.busy))),
      meanRigCores: round(mean(cores)),
      peakRigCores: round(Math.max(0, ...peaks.slice(4))),
      samples: inside.length,
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Middle value; 0 of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
