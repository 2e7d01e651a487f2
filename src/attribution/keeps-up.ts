/** A reader that keeps up has no constraint: whatever changed, it did no harm. */
import { duration } from '../incident/format.ts'
import { ENOUGH_BASELINE } from '../timeline/episode.ts'
import type { Evidence } from './attribution.ts'
import type { Missing } from './cause.ts'
import type { Facts } from './facts.ts'
import { observation } from './weight.ts'

/** Against every cause that acts through slow batches: all batches are within their limit. null while one is not (or may not be), or none was seen. */
export function keepsUp(facts: Facts): Evidence | null {
  const limit = facts.timeline.triggerS
  if (facts.episode !== null || facts.blip !== null || facts.base.length < ENOUGH_BASELINE || facts.usual === null) return null
  return observation(
    'batch.keeps_up',
    'batch',
    -2.5,
    `The reader keeps up: its last ${facts.base.length} batches took ${duration(facts.usual.seconds)} (median)${limit === null ? '' : ` of ${duration(limit)}`}.`,
  )
}

/** Where no batch was seen at all, a cause that acts through them cannot be judged. */
export function unseenBatches(facts: Facts): Missing[] {
  return facts.timeline.batches.length > 0
    ? []
    : [{ signal: 'batches', how: 'add "checkpoint: <folder>" to the pipeline, or let Headwater reach the Spark UI', weight: 2.5 }]
}
