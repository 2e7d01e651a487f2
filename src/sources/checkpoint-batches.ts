/** The newest batches of a checkpoint: one small file each, and the time at which its commit file was written. */
import type { Gap } from '../incident/evidence.ts'
import type { BatchSighting } from '../incident/findings.ts'
import type { Question } from '../workflow/ports.ts'
import { parseOffsetsFile } from './checkpoint-files.ts'
import { gap, mendOf } from './checkpoint-gaps.ts'
import type { Failure, Folder } from './folder.ts'
import { several } from './folder.ts'

/** Spark keeps 100 batches and reads one more; a checkpoint that keeps more is followed back to the begin of the question. */
export const NEWEST_FIRST = 101
const MOST = 1000
/** The second look wants the newest ones only. */
export const NEWEST_AGAIN = 4
const WIDTH = 8
/** A topic of 10,000 partitions has offsets files of about 200 kB. */
const FILE_CAP = 4_000_000
export interface Depth {
  readonly newest: number
  /** Go on past `newest` to the begin of the question, and say what is odd or missing. */
  readonly back: boolean
}

/** Only whole numbers: `.N.crc`, `.N.<uuid>.tmp`, `N.crc` stand beside them. By number, not as text: 100 is after 99. */
export function batchIds(names: readonly string[]): number[] {
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}

interface Reading {
  readonly batches: readonly BatchSighting[]
  readonly gaps: readonly Gap[]
  /** Files that were looked at, understood or not. */
  readonly tried: number
}

/** Newest first, in portions, until the begin of the question is passed; what is purged meanwhile is no loss. */
export async function readBatches(
  folder: Folder,
  planned: readonly number[],
  committed: readonly number[] | null,
  query: string | null,
  question: Question,
  depth: Depth,
): Promise<Reading> {
  const batches: BatchSighting[] = []
  const failed: string[] = []
  let stopped = 0
  let next = planned.length
  let portion = depth.newest
  while (next > 0 && batches.length < MOST && stopped === 0) {
    const ids = planned.slice(Math.max(0, next - portion), next)
    next -= ids.length
    portion = 50
    const answers = await several(ids, WIDTH, (id) => readBatch(folder, id, committed, query, question.signal))
    for (const answer of answers) {
      if (answer.ok) batches.push(answer.value)
      else if (answer.failure.kind === 'stopped') stopped++
      else if (answer.failure.kind !== 'gone') failed.push(answer.failure.why)
    }
    const oldest = Math.min(...batches.map((batch) => batch.plannedAtMs ?? Number.POSITIVE_INFINITY))
    if (!depth.back || oldest < question.fromMs) break
  }
  const gaps: Gap[] = []
  if (failed.length > 0)
    gaps.push(
      gap(
        `${failed[0] as string}${failed.length > 1 ? `, and ${failed.length - 1} more file${failed.length > 2 ? 's' : ''} like it` : ''}`,
        failed[0]?.endsWith('permission denied') ? mendOf({ kind: 'forbidden', why: '' }, `${folder.address}/offsets`) : undefined,
      ),
    )
  if (stopped > 0)
    gaps.push(
      gap(
        depth.back
          ? `the time for it ran out after ${batches.length} of ${batches.length + stopped + next} files of the checkpoint`
          : `the time for the second look ran out after ${batches.length} of the newest ${batches.length + stopped} files of the checkpoint`,
        'look again; if that repeats, the file system is slow',
      ),
    )
  return { batches: batches.sort((a, b) => a.id - b.id), gaps, tried: planned.length - next }
}

type ReadBatch = { readonly ok: true; readonly value: BatchSighting } | { readonly ok: false; readonly failure: Failure }

async function readBatch(
  folder: Folder,
  id: number,
  committed: readonly number[] | null,
  query: string | null,
  signal: AbortSignal,
): Promise<ReadBatch> {
  const path = `offsets/${id}`
  const hasCommit = committed?.includes(id) ?? false
  const [file, commit] = await Promise.all([
    folder.read(path, FILE_CAP, signal),
    hasCommit ? folder.modified(`commits/${id}`, signal) : null,
  ])
  if (!file.ok)
    return {
      ok: false,
      failure:
        file.failure.kind === 'gone'
          ? file.failure
          : { ...file.failure, why: `${path} of the checkpoint could not be read: ${file.failure.why}` },
    }
  if (file.value.cut)
    return {
      ok: false,
      failure: { kind: 'odd', why: `${path} of the checkpoint is larger than ${FILE_CAP / 1_000_000} MB and was left out` },
    }
  const parsed = parseOffsetsFile(file.value.text)
  if (!parsed.ok) return { ok: false, failure: { kind: 'odd', why: `${path} of the checkpoint could not be understood: ${parsed.why}` } }
  const { plannedAtMs, watermarkMs, toOffset } = parsed.value
  // Without a commit file it is in flight, unless the file was purged or commits/ could not be listed.
  const pending = committed !== null && !hasCommit && !(id < (committed[0] ?? -1))
  return {
    ok: true,
    value: {
      id,
      ...(query === null ? {} : { query }),
      ...(plannedAtMs === null ? {} : { plannedAtMs }),
      offsetsWrittenMs: file.value.modifiedMs,
      ...(commit?.ok === true ? { committedMs: commit.value.modifiedMs } : pending ? { committedMs: null } : {}),
      ...(toOffset === null ? {} : { toOffset }),
      ...(watermarkMs === null ? {} : { watermarkMs }),
    },
  }
}

/** A restored checkpoint has new file times: they say when it was copied, not when its batches ran. */
export function withoutCopiedTimes(batches: readonly BatchSighting[]): { batches: readonly BatchSighting[]; copied: boolean } {
  const times = batches.flatMap((b) =>
    b.plannedAtMs === undefined || b.offsetsWrittenMs === undefined ? [] : [{ planned: b.plannedAtMs, written: b.offsetsWrittenMs }],
  )
  const [first] = times
  // With many files the older half is looked at: the newest may have been written after the restore.
  const last = times.length < 10 ? times.at(-1) : times[times.length >> 1]
  if (first === undefined || last === undefined || times.length < 3) return { batches, copied: false }
  const span = last.planned - first.planned
  const copied = span > 5000 && last.written - first.written < span / 10
  if (!copied) return { batches, copied }
  return {
    batches: batches.map(({ offsetsWrittenMs: _written, committedMs, ...rest }) =>
      committedMs === null ? { ...rest, committedMs } : rest,
    ),
    copied,
  }
}
