/** A reader that keeps up has no constraint: whatever changed, it did no harm. */
import { duration } from '../incident/format.ts'
import { ENOUGH_BASELINE, limitIsKnown } from '../timeline/episode.ts'
import { median } from '../timeline/robust.ts'
import type { Evidence } from './attribution.ts'
import { batchCheck } from './checks/files.ts'
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
    batchCheck(facts, facts.well.at(-1)),
  )
}
