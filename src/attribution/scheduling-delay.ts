/** How late batches begin: what the reader owes its trigger, in the baseline and now (timeline/scheduling.ts). */
import { median } from '../timeline/robust.ts'
import type { SchedulingDelay } from './attribution.ts'
import type { Facts } from './facts.ts'

/** A consequence of long batches under every cause: it is told, and weighs nothing. null where no batch was seen. */
export function schedulingDelay({ timeline, base }: Facts): SchedulingDelay | null {
  const { line, waitsSince, unknown } = timeline.scheduling
  if (timeline.batches.length === 0) return null
  const usual = base.map((b) => b.scheduling_delay_ms).filter((ms) => typeof ms === 'number')
  return {
    before: usual.length === 0 ? null : median(usual) / 1000,
    now: line.v.at(-1) ?? null,
    waits: waitsSince !== null,
    unknown,
  }
}
