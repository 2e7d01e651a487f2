/** Checkpoint and Delta log as the polls of `files` show them: a folder in memory, read by the same code that reads a real one. */
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import { batchIds, NEWEST_FIRST, readBatches } from '../../src/sources/checkpoint-batches.ts'
import { checkpointSigns } from '../../src/sources/checkpoint-signs.ts'
import { parseDeltaCommit } from '../../src/sources/delta-actions.ts'
import { commitsOf, tableChanges } from '../../src/sources/delta-commits.ts'
import type { Answer, Folder } from '../../src/sources/folder.ts'
import type { Question } from '../../src/workflow/ports.ts'
import type { Poll } from './recording.ts'

interface File {
  modifiedMs: number | null
  text: string | null
}

const FOLDERS = { 'ckpt/offsets': 'offsets', 'ckpt/commits': 'commits', 'table/_delta_log': '_delta_log' } as const

/** Everything that was seen up to the instant, by path. */
function filesAt(polls: readonly Poll[], atMs: number): Map<string, File> {
  const files = new Map<string, File>()
  const at = (path: string): File => {
    const file = files.get(path) ?? { modifiedMs: null, text: null }
    files.set(path, file)
    return file
  }
  for (const poll of polls) {
    if (poll.src !== 'files' || poll.status !== 200 || poll.t > atMs) continue
    const body = JSON.parse(poll.body) as Record<string, unknown>
    for (const [key, folder] of Object.entries(FOLDERS)) {
      for (const [name, ms] of (body[key] ?? []) as [string, number][]) at(`${folder}/${name}`).modifiedMs = ms
      for (const [name, text] of Object.entries((body[`${key}:new`] ?? {}) as Record<string, string>)) at(`${folder}/${name}`).text = text
    }
  }
  mendTimes(files, polls)
  return files
}

/**
 * The recorder listed the twelve last names in the order of text, so from batch 100 on file times are lost. The event log of the same
 * rig tells when the steps that write them ended; where it does not, the time stays unknown.
 */
function mendTimes(files: Map<string, File>, polls: readonly Poll[]): void {
  for (const poll of polls) {
    if (poll.src !== 'eventlog' || poll.status !== 200) continue
    for (const line of poll.body.split('\n')) {
      if (!line.includes('QueryProgressEvent')) continue
      const { progress } = JSON.parse(line) as { progress: { timestamp: string; batchId: number; durationMs: Record<string, number> } }
      const start = Date.parse(progress.timestamp)
      const { latestOffset = 0, walCommit = 0, triggerExecution } = progress.durationMs
      const offsets = files.get(`offsets/${progress.batchId}`)
      const commit = files.get(`commits/${progress.batchId}`)
      if (offsets !== undefined) offsets.modifiedMs ??= start + latestOffset + walCommit
      if (commit !== undefined && triggerExecution !== undefined) commit.modifiedMs ??= start + triggerExecution
    }
  }
}

function folderOf(files: ReadonlyMap<string, File>): Folder {
  const gone = { ok: false, failure: { kind: 'gone', why: 'no such file' } } as const
  const answer = <T>(value: T | null): Promise<Answer<T>> => Promise.resolve(value === null ? gone : { ok: true, value })
  return {
    address: 'recorded',
    names: (below) => answer([...files.keys()].filter((path) => path.startsWith(`${below}/`)).map((path) => path.slice(below.length + 1))),
    modified: (path) => {
      const ms = files.get(path)?.modifiedMs ?? null
      return answer(ms === null ? null : { name: path, modifiedMs: ms, bytes: 0 })
    },
    read: (path) => {
      const file = files.get(path)
      return answer(file?.text == null ? null : { text: file.text, modifiedMs: file.modifiedMs ?? Number.NaN, cut: false })
    },
    part: () => answer<Buffer>(null),
    traffic: () => ({ to: 'files', requests: 0, bytes: 0 }),
  }
}

export async function checkpointAt(polls: readonly Poll[], question: Question, query: string | null): Promise<Findings> {
  const files = filesAt(polls, question.askedAtMs)
  const folder = folderOf(files)
  const ids = (name: string) =>
    batchIds([...files.keys()].filter((path) => path.startsWith(`${name}/`)).map((path) => path.split('/')[1] as string))
  const seen = ids('offsets').filter((id) => files.get(`offsets/${id}`)?.text != null)
  const planned = seen.slice(-NEWEST_FIRST)
  const newestCommit = ids('commits').at(-1) ?? -1
  // A batch follows its predecessor's commit, so what the recorder missed between two recordings was committed all the same.
  const committed = planned.filter((id) => id <= newestCommit)
  const reading = await readBatches(folder, planned, committed, query, question, { newest: NEWEST_FIRST, back: true })
  const batches = reading.batches.map(({ offsetsWrittenMs, ...batch }) =>
    Number.isFinite(offsetsWrittenMs) ? { ...batch, offsetsWrittenMs: offsetsWrittenMs as number } : batch,
  )
  return emptyFindings('checkpoint', {
    sightings: batches,
    gaps: reading.gaps,
    // Only the unbroken end: holes between two recordings are the recorder's.
    events: checkpointSigns({
      source: 'checkpoint',
      offsets: unbroken(planned),
      commits: unbroken(committed),
      batches: batches.filter(({ id }) => unbroken(planned).includes(id)),
      seenMs: question.askedAtMs,
    }),
    clocks: [{ source: 'checkpoint', skew_bound_s: 2 }],
    reader: { kind: 'spark-structured-streaming' },
  })
}

function unbroken(ids: readonly number[]): number[] {
  const from = ids.findLastIndex((id, i) => i > 0 && id !== (ids[i - 1] as number) + 1)
  return ids.slice(Math.max(0, from))
}

export function deltaAt(polls: readonly Poll[], question: Question, query: string | null): Findings {
  const seen = [...filesAt(polls, question.askedAtMs)]
    .filter(([path, file]) => /^_delta_log\/\d{20}\.json$/.test(path) && file.text !== null && file.modifiedMs !== null)
    .map(([path, file]) => ({
      version: Number(path.slice(-25, -5)),
      modifiedMs: file.modifiedMs as number,
      body: parseDeltaCommit(file.text as string, false),
    }))
    .sort((a, b) => a.version - b.version)
  const { commits } = commitsOf(seen, query)
  return emptyFindings('delta', {
    commits,
    events: tableChanges(seen, commits),
    clocks: [{ source: 'delta', skew_bound_s: 2 }],
    sink: { kind: 'delta', table: 'orders_bronze' },
  })
}
