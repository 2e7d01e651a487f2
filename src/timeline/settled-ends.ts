/**
 * Batches whose commit file is gone: the UI tells when their last job ended, and the table's log, which reaches much further back, when
 * their data was committed. The batch ended no sooner than that: without it a slow commit of the table would look as if it had begun
 * where the checkpoint's files begin.
 */
import type { Batch, Evidence } from '../incident/evidence.ts'
import { DRIVER, skewBetween, TABLE } from './clocks.ts'

/** Clocks that may differ by more than this tell nothing about parts of a batch, s: two hosts that keep time by NTP stay below it. */
const CLOSE_SECONDS = 3

/** The batches, each that ended at an unknown time no sooner than its commit of the table. */
export function settledEnds({ batches, commits, clocks, pipeline }: Evidence): readonly Batch[] {
  if (skewBetween(DRIVER, TABLE, clocks ?? [], pipeline.look) > CLOSE_SECONDS) return batches
  const committed = new Map(commits.filter((c) => c.kind === 'data').map((c) => [c.version, c.at]))
  return batches.map((batch) => {
    const at = typeof batch.commit_version === 'number' ? committed.get(batch.commit_version) : undefined
    if (at === undefined || batch.end_bounds === undefined || batch.end === null) return batch
    const [earliest, latest] = batch.end_bounds
    const end = Math.min(latest, Math.max(earliest, at))
    return { ...batch, end, end_bounds: [end, latest] as const }
  })
}
