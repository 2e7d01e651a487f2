// An upstream that was cut off sends what it had buffered, in one go, with the times at which the records were made, to
// partitions that were idle. By record time it looks like intake in the past; it arrives now.
import { drawLoad, drawWorkShare, recordSeconds } from '../load.ts'
import type { Fault } from './fault.ts'
import { somewhere } from './fault.ts'

/** Records that one upload may hold in all: within what the broker takes in a second or two. */
const MOST_RECORDS = 40_000

export const upstreamLate: Fault = {
  kind: 'upstream_late',
  askWithinSeconds: 60,
  draw(draw, plan) {
    const all = draw.shuffled(Array.from({ length: plan.partitions }, (_, p) => p))
    const partitions = all.slice(0, draw.whole(1, 3)).sort((a, b) => a - b)
    const load = drawLoad(draw, plan, { workShare: drawWorkShare(draw, plan), idle: partitions })
    const minutes = draw.whole(6, 15)
    // one task per partition: its records alone take this long
    const taskSeconds = (plan.triggerMs / 1000) * draw.between(2, 4)
    const wanted = Math.round(taskSeconds / recordSeconds(load))
    const recordsPerPartition = Math.min(wanted, Math.floor(MOST_RECORDS / partitions.length))
    return {
      load,
      place: { ...somewhere, partitions },
      parameters: { minutes, recordsPerPartition },
      demandOverCapacity: null,
      mechanism: `records up to ${minutes} min old arrive`,
      inject(hands) {
        const id = `${plan.seed}-${Date.now()}`
        hands.produce({ backdate: { id, partitions, minutes, recordsPerPartition } })
      },
    }
  },
}
