/** A reader that keeps up has no constraint: whatever changed, it did no harm. */
import { duration } from '../incident/format.ts'
import { ENOUGH_BASELINE, limitIsKnown } from '../timeline/episode.ts'
import { median } from '../timeline/robust.ts'
import type { Evidence } from './attribution.ts'
import type { Missing } from './cause.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

/** Against every cause that acts through slow batches: all batches are within their limit. null while one is not (or may not be), or none was seen. */
export function keepsUp(facts: Facts): Evidence | null {
  const limit = facts.timeline.triggerS
  if (facts.episode !== null || facts.blip !== null || facts.behind !== null || facts.well.length < ENOUGH_BASELINE) return null
  if (!limitIsKnown(facts.timeline)) return null
  return observation(
    'batch.keeps_up',
    'batch',
    -2.5,
    `The reader keeps up: its last ${facts.well.length} batches took ${duration(median(facts.well.map((b) => b.seconds)))} (median)${limit === null ? '' : ` of ${duration(limit)}`}.`,
  )
}

/** A reader that takes less than arrives while its batches are in time is held back by a setting that no system tells. */
export function unknownCap(facts: Facts): Missing[] {
  const { max_offsets_per_trigger: cap, rate_cap_per_partition_s: rateCap } = facts.timeline.pipeline.reader
  if (facts.behind === null || facts.episode !== null || typeof cap === 'number' || typeof rateCap === 'number') return []
  return [
    {
      signal: 'the cap of the reader',
      how: 'batches have time to spare and leave records behind: add "max_offsets_per_trigger: <its maxOffsetsPerTrigger>" to the pipeline',
      weight: 3,
    },
  ]
}

/** Where no batch was seen at all, a cause that acts through them cannot be judged. */
export function unseenBatches(facts: Facts): Missing[] {
  return facts.timeline.batches.length > 0
    ? []
    : [{ signal: 'batches', how: 'add "checkpoint: <folder>" to the pipeline, or let Headwater reach the Spark UI', weight: 2.5 }]
}
