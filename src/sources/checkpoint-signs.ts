/** What is odd about a checkpoint, in plain words: positions set back, files missing in the middle, a log that was begun anew. */
import type { EvidenceEvent } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'

export interface Logs {
  readonly source: string
  /** Batch numbers of which a file exists, rising. */
  readonly offsets: readonly number[]
  readonly commits: readonly number[]
  /** The newest batches, by rising id. */
  readonly batches: readonly BatchSighting[]
  readonly seenMs: number
}

/** Times are epoch seconds. */
export function checkpointSigns(logs: Logs): EvidenceEvent[] {
  const base = { source: logs.source, seen: logs.seenMs / 1000 }
  const events: EvidenceEvent[] = []
  const newestPlan = (logs.batches.at(-1)?.plannedAtMs ?? logs.seenMs) / 1000
  const last = logs.offsets.at(-1)
  const lastCommit = logs.commits.at(-1)
  if (last !== undefined && (lastCommit ?? -1) < last - 1) {
    const commits = lastCommit === undefined ? 'none is committed' : `the newest commit is batch ${lastCommit}`
    events.push({
      at: newestPlan,
      kind: 'note',
      text: `the checkpoint plans up to batch ${last} but ${commits}: commits are missing, or progress is tracked asynchronously`,
      ...base,
    })
  }
  for (const [name, ids] of [
    ['offsets', logs.offsets],
    ['commits', logs.commits],
  ] as const) {
    const holes = holesOf(ids)
    if (holes.length > 0)
      events.push({
        at: newestPlan,
        kind: 'note',
        text: `${name} files are missing in the middle of the checkpoint: ${holes.slice(0, 3).join(', ')}${holes.length > 3 ? ` and ${holes.length - 3} more` : ''}`,
        ...base,
      })
  }
  for (let i = 0; i < logs.batches.length; i++) {
    const batch = logs.batches[i] as BatchSighting
    const at = (batch.plannedAtMs ?? batch.offsetsWrittenMs ?? logs.seenMs) / 1000
    if (batch.id === 0) events.push({ at, kind: 'note', text: 'batch 0: the query began on a new checkpoint', ...base })
    const before = logs.batches[i - 1]
    if (before?.id === batch.id - 1) events.push(...positionChanges(before, batch, at).map((event) => ({ ...event, ...base })))
  }
  return events
}

/** e.g. "812", "820 to 831". */
function holesOf(ids: readonly number[]): string[] {
  const holes: string[] = []
  for (let i = 1; i < ids.length; i++) {
    const [before, id] = [ids[i - 1] as number, ids[i] as number]
    if (id - before > 1) holes.push(id - before === 2 ? `${before + 1}` : `${before + 1} to ${id - 1}`)
  }
  return holes
}

function positionChanges(before: BatchSighting, batch: BatchSighting, at: number): EvidenceEvent[] {
  const events: EvidenceEvent[] = []
  for (const [topic, from] of Object.entries(before.toOffset ?? {})) {
    const to = batch.toOffset?.[topic]
    if (to === undefined) {
      events.push({ at, kind: 'topic_changed', entity: { topic }, text: `batch ${batch.id} no longer reads ${topic}` })
      continue
    }
    const back = Object.entries(from).flatMap(([partition, end]) =>
      (to[partition] ?? end) < end ? [{ partition: Number(partition), by: end - (to[partition] as number) }] : [],
    )
    if (back.length > 0)
      events.push({
        at,
        kind: 'offsets_reset',
        entity: placeOf(
          topic,
          back.map((b) => b.partition),
        ),
        text: `batch ${batch.id} ends ${back.reduce((sum, b) => sum + b.by, 0)} records before the end of batch ${before.id} (${listed(
          topic,
          back.map((b) => b.partition),
        )}): the position was set back`,
      })
    const gone = Object.keys(from)
      .filter((partition) => to[partition] === undefined)
      .map(Number)
    if (gone.length > 0)
      events.push({
        at,
        kind: 'topic_changed',
        entity: placeOf(topic, gone),
        text: `batch ${batch.id} no longer reads ${listed(topic, gone)}`,
      })
    const added = Object.keys(to)
      .filter((partition) => from[partition] === undefined)
      .map(Number)
    if (added.length > 0)
      events.push({
        at,
        kind: 'topic_changed',
        entity: placeOf(topic, added),
        text: `batch ${batch.id} reads ${listed(topic, added)} for the first time`,
      })
  }
  return events
}

function placeOf(topic: string, partitions: readonly number[]): { topic: string; partition?: number } {
  const [only, second] = partitions
  return only !== undefined && second === undefined ? { topic, partition: only } : { topic }
}

function listed(topic: string, partitions: readonly number[]): string {
  const sorted = partitions.toSorted((a, b) => a - b)
  const shown = sorted.slice(0, 5).join(', ')
  return `${topic} partition${sorted.length === 1 ? '' : 's'} ${shown}${sorted.length > 5 ? ` and ${sorted.length - 5} more` : ''}`
}
