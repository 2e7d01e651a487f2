/** Up to which offset the reader has finished its work, as the first looks saw it. */
import type { BatchSighting, Findings, Seen } from '../incident/findings.ts'

/**
 * A Spark reader commits to no group: what it has finished is where its newest committed batch ends. A plain reader's word is
 * its group's last commit. null = nobody could tell.
 */
export function committedOffsets(findings: readonly Findings[]): Seen['committed'] {
  return ofNewestBatch(findings.flatMap((found) => found.sightings)) ?? ofGroup(findings)
}

function ofNewestBatch(sightings: readonly BatchSighting[]): Seen['committed'] {
  let newest: BatchSighting | null = null
  for (const batch of sightings) {
    if (typeof batch.committedMs === 'number' && batch.toOffset !== undefined && (newest === null || batch.id > newest.id)) newest = batch
  }
  return newest?.toOffset ?? null
}

function ofGroup(findings: readonly Findings[]): Seen['committed'] {
  const committed: Record<string, Record<string, number>> = {}
  for (const { signal, entity, v } of findings.flatMap((found) => found.series)) {
    const last = v.findLast((value) => value !== null)
    if (signal !== 'partition.committed_offset' || entity.topic === undefined || entity.partition === undefined) continue
    if (typeof last !== 'number') continue
    const topic = committed[entity.topic] ?? {}
    committed[entity.topic] = { ...topic, [entity.partition]: Math.max(last, topic[entity.partition] ?? 0) }
  }
  return Object.keys(committed).length === 0 ? null : committed
}
