// The healthy load of a drill: rate, key skew and cost per record, drawn so that a healthy batch stays calm and the
// fault's peak stays within the box.
import { makespan, mostWorkShare } from './capacity.ts'
import type { AppControl } from './job.ts'
import type { Draw } from './prng.ts'
import type { ProducerControl } from './producer-control.ts'
import type { SessionPlan } from './session-plan.ts'

export interface Load {
  /** Records per second over all partitions. */
  readonly rate: number
  readonly weights: readonly number[]
  readonly cpuUs: number
  readonly waitUs: number
}

const RATES = { low: 300, high: 900 } as const
/** Records per second that the rig takes on two cores beside its own work. */
export const PEAK_RATE = 2600
/** Cores: the whole rig at the fault's peak, at rest without records, and per record beside the drawn CPU (s). */
const CORES = { most: 1.5, rest: 0.5, perRecord: 0.00012 } as const

/** Part of the trigger that the records' work takes; drawn first, since faults size themselves by it. */
export function drawWorkShare(draw: Draw, plan: SessionPlan): number {
  return mostWorkShare(plan.triggerMs / 1000) * draw.between(0.8, 1)
}

/**
 * Draws a load whose work takes `workShare` of the time. `peakFactor`: the highest multiple of the base rate that the
 * fault will reach; `idle` partitions get nothing.
 */
export function drawLoad(
  draw: Draw,
  plan: SessionPlan,
  { workShare, peakFactor = 1, idle = [] }: { workShare: number; peakFactor?: number; idle?: readonly number[] },
): Load {
  const highest = Math.max(RATES.low, Math.min(RATES.high, PEAK_RATE / peakFactor))
  const rate = Math.round(draw.between(RATES.low, highest))
  const weights = Array.from({ length: plan.partitions }, (_, p) => {
    const weight = Math.round(draw.between(0.7, 1.3) * 100) / 100
    return idle.includes(p) ? 0 : weight
  })
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const slotShare = makespan(weights) / sum
  const costUs = (workShare / (rate * slotShare)) * 1e6
  const roomUs = ((CORES.most - CORES.rest) / (rate * peakFactor) - CORES.perRecord) * 1e6
  const cpuUs = Math.round(Math.max(10, Math.min(costUs * draw.between(0.04, 0.3), roomUs)))
  return { rate, weights, cpuUs, waitUs: Math.round(costUs - cpuUs) }
}

/** Seconds of work per record. */
export const recordSeconds = (load: Load): number => (load.cpuUs + load.waitUs) / 1e6

export const producing = ({ rate, weights }: Load): ProducerControl => ({ rate, weights })

export const working = ({ cpuUs, waitUs }: Load): AppControl => ({ cpuUs, waitUs })
