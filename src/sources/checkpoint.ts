/**
 * The checkpoint of a streaming query as a source. It tells, without anything switched on in Spark, which records each of the last
 * 100 batches took, when it was planned and when it was committed, and that a batch is in flight and for how long: also while the UI
 * is silent or gone. Reads only names, file times and the small files of `offsets/`.
 */
import type { Gap } from '../incident/evidence.ts'
import type { BatchSighting, Findings } from '../incident/findings.ts'
import type { Question, Source } from '../workflow/ports.ts'
import type { Depth } from './checkpoint-batches.ts'
import { batchIds, NEWEST_AGAIN, NEWEST_FIRST, readBatches, withoutCopiedTimes } from './checkpoint-batches.ts'
import { parseQueryId } from './checkpoint-files.ts'
import { absentGap, CHECKPOINT, gap, mendOf, reachGap, unreadable } from './checkpoint-gaps.ts'
import { checkpointSigns } from './checkpoint-signs.ts'
import type { Folder } from './folder.ts'
import { openFolder, unsupported } from './folder.ts'

/** File systems and driver hosts keep time by NTP. */
const SKEW_S = 2

export const checkpoint: Source = {
  name: CHECKPOINT,
  applies: (pipeline) => pipeline.checkpoint !== null,
  absent: (pipeline) => (pipeline.checkpoint === null && (pipeline.spark !== null || pipeline.group === null) ? absentGap() : null),
  collect: (question) => look(question, { newest: NEWEST_FIRST, back: true }),
  lookAgain: (question) => look(question, { newest: NEWEST_AGAIN, back: false }),
}

async function look(question: Question, depth: Depth): Promise<Findings> {
  const address = question.pipeline.checkpoint
  if (address === null) return findings([], [absentGap()])
  const folder = openFolder(address)
  if (folder === null)
    return findings([], [gap(unsupported(address) ?? 'its address cannot be read', 'checkpoint: /mnt/<mount of the bucket>/…')])
  try {
    return await readCheckpoint(folder, question, depth)
  } catch (cause) {
    // The last net: an odd file must not cost the findings of the other sources.
    return findings(
      [],
      [gap(`the checkpoint ${address} could not be read (${cause instanceof Error ? cause.message : 'unknown reason'})`)],
      folder,
    )
  }
}

async function readCheckpoint(folder: Folder, question: Question, depth: Depth): Promise<Findings> {
  const { signal } = question
  // Offsets first: a batch that ends between the two listings then looks committed, never lost.
  const offsets = await folder.names('offsets', signal)
  if (!offsets.ok) return findings([], [await unreadable(folder, offsets.failure, signal)], folder)
  const [commits, metadata] = await Promise.all([folder.names('commits', signal), folder.read('metadata', 65_536, signal)])
  const planned = batchIds(offsets.value)
  const committed = commits.ok ? batchIds(commits.value) : []
  const gaps: Gap[] = []
  if (!commits.ok && (commits.failure.kind !== 'gone' || planned.length > 1))
    gaps.push(
      gap(`commits/ of the checkpoint could not be listed: ${commits.failure.why}`, mendOf(commits.failure, `${folder.address}/commits`)),
    )
  if (!metadata.ok && metadata.failure.kind !== 'gone')
    gaps.push(
      gap(`metadata of the checkpoint could not be read: ${metadata.failure.why}`, mendOf(metadata.failure, `${folder.address}/metadata`)),
    )
  if (planned.length === 0)
    return findings(
      [],
      [...gaps, gap('the checkpoint holds no batch yet: the query has not planned its first one, or the folder was emptied')],
      folder,
    )
  const query = metadata.ok ? parseQueryId(metadata.value.text) : null
  const reading = await readBatches(folder, planned, commits.ok ? committed : null, query, question, depth)
  gaps.push(...reading.gaps)
  const { batches, copied } = withoutCopiedTimes(reading.batches)
  if (depth.back && copied)
    gaps.push(gap('all files of the checkpoint were written within moments, so it was copied: when its batches ended is not known from it'))
  if (depth.back) gaps.push(...reachGap(batches, planned.length - reading.tried, question))
  question.progress(`Checkpoint: ${batches.length} batches, ${batches.at(0)?.id ?? ''} to ${batches.at(-1)?.id ?? ''}`)
  const found = findings(batches, gaps, folder)
  return depth.back
    ? {
        ...found,
        events: checkpointSigns({
          source: CHECKPOINT,
          offsets: planned,
          commits: commits.ok ? committed : planned,
          batches,
          seenMs: question.askedAtMs,
        }),
      }
    : found
}

function findings(batches: readonly BatchSighting[], gaps: readonly Gap[], folder?: Folder): Findings {
  const marks = batches.filter((batch) => batch.plannedAtMs !== undefined && batch.watermarkMs !== undefined)
  return {
    source: CHECKPOINT,
    series:
      marks.length === 0
        ? []
        : [
            {
              signal: 'event_time.watermark',
              entity: {},
              source: CHECKPOINT,
              t: marks.map((b) => (b.plannedAtMs as number) / 1000),
              v: marks.map((b) => (b.watermarkMs as number) / 1000),
            },
          ],
    sightings: batches,
    commits: [],
    events: [],
    gaps,
    clocks: [{ source: CHECKPOINT, skew_bound_s: SKEW_S }],
    topics: topicsOf(batches.at(-1)),
    reader: batches.length === 0 ? {} : { kind: 'spark-structured-streaming' },
    sink: {},
    traffic: folder === undefined ? [] : [folder.traffic()],
  }
}

function topicsOf(batch: BatchSighting | undefined): Findings['topics'] {
  return Object.entries(batch?.toOffset ?? {}).map(([name, ends]) => ({ name, partitions: Object.keys(ends).length }))
}
