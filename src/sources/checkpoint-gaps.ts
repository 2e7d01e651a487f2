/** What could not be seen of a checkpoint, in words, each with what would mend it. */
import type { Gap } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import type { Failure, Folder } from './folder.ts'

export const CHECKPOINT = 'checkpoint'

export function absentGap(): Gap {
  return {
    source: CHECKPOINT,
    signal: null,
    reason: 'no checkpoint is configured: how far Spark has read, and so the absolute lag, is not known, nor are the phases of its batches',
    mend: 'checkpoint: <the checkpointLocation of the query>',
  }
}

/** `leftOut` = files not looked at. Said only where it is shorter than what was asked for; a checkpoint that begins at batch 0 has lost nothing. */
export function reachGap(batches: readonly BatchSighting[], leftOut: number, question: Question): Gap[] {
  const [oldest] = batches
  if (oldest?.plannedAtMs === undefined || oldest.id === 0 || oldest.plannedAtMs <= question.fromMs) return []
  const kept =
    leftOut > 0 ? `the newest ${batches.length} batches of the checkpoint were read` : `the checkpoint keeps ${batches.length} batches`
  return [
    {
      ...gap(`${kept}; older ones are not seen`, 'spark.sql.streaming.minBatchesToRetain=1000   # at the next start of the query'),
      from: question.fromMs / 1000,
      to: oldest.plannedAtMs / 1000,
    },
  ]
}

/** Why there is no `offsets` folder: no such checkpoint, no permission, or some other folder. */
export async function unreadable(folder: Folder, failure: Failure, signal: AbortSignal): Promise<Gap> {
  if (failure.kind !== 'gone')
    return gap(`the checkpoint ${folder.address} could not be listed: ${failure.why}`, mendOf(failure, folder.address))
  const root = await folder.names('', signal)
  if (!root.ok)
    return gap(
      root.failure.kind === 'gone'
        ? `there is no folder ${folder.address} on this machine`
        : `the checkpoint ${folder.address} could not be listed: ${root.failure.why}`,
      mendOf(root.failure, folder.address),
    )
  if (root.value.length === 0)
    return gap(`the checkpoint ${folder.address} is empty: the query has not started yet, or its files were removed`)
  return gap(
    `${folder.address} is no checkpoint of a streaming query: it holds no offsets folder`,
    'checkpoint: <the checkpointLocation of the query, the folder that holds offsets/ and commits/>',
  )
}

export function mendOf(failure: Failure, path: string): string {
  if (failure.kind === 'forbidden') return `give the user that runs headwater read access to ${path}`
  if (failure.kind === 'stopped') return 'look again; if that repeats, the file system is slow or hangs'
  if (failure.kind === 'lost') return 'look again'
  return 'checkpoint: <the checkpointLocation of the query, as this machine sees it>'
}

export function gap(reason: string, mend?: string): Gap {
  return { source: CHECKPOINT, signal: null, reason, ...(mend === undefined ? {} : { mend }) }
}
