// All kinds of faults, one line each.
import { executorLoss } from './executor-loss.ts'
import type { Fault } from './fault.ts'
import { hotPartition } from './hot-partition.ts'
import { intakeSurge } from './intake-surge.ts'
import { none } from './none.ts'
import { slowSink } from './slow-sink.ts'
import { sourceStall } from './source-stall.ts'
import { stragglerHost } from './straggler-host.ts'
import { upstreamLate } from './upstream-late.ts'

export const faults: readonly Fault[] = [hotPartition, intakeSurge, slowSink, executorLoss, sourceStall, upstreamLate, none, stragglerHost]

/** Kinds whose cause the product has: what "all" means, and what a commit draws from. */
export const namedFaults: readonly Fault[] = faults.filter((fault) => fault.notYet !== true)

/** Throws with the list of kinds when there is none of that name. */
export function faultOf(kind: string): Fault {
  const fault = faults.find((one) => one.kind === kind)
  if (fault === undefined) throw new Error(`no fault ${kind}; there are ${faults.map((one) => one.kind).join(', ')}`)
  return fault
}
