/**
 * A checkpoint that was rolled back by hand: the table already holds commits of later batches than the checkpoint has planned. Spark
 * numbers on from the checkpoint, and the table skips every batch up to the newest it has, which loses their records.
 */
import type { Batch, Commit, EvidenceEvent } from '../incident/evidence.ts'

/** Checkpoint and table are read at moments a little apart; a quick query may plan a batch or two in between. */
const READ_APART = 3

export function rolledBack(batches: readonly Batch[], commits: readonly Commit[]): EvidenceEvent[] {
  const planned = batches.filter((batch) => batch.to_offset != null).at(-1)
  const newest = commits.reduce<Commit | null>((best, commit) => ((commit.batch_id ?? -1) > (best?.batch_id ?? -1) ? commit : best), null)
  if (planned === undefined || newest === null || typeof newest.batch_id !== 'number' || newest.batch_id <= planned.id + READ_APART)
    return []
  return [
    {
      at: planned.start,
      kind: 'offsets_reset',
      source: 'checkpoint',
      text: `the table holds batch ${newest.batch_id} (version ${newest.version}) but the checkpoint has planned only up to batch ${planned.id}: it was rolled back, and the table skips batches up to ${newest.batch_id}`,
    },
  ]
}
