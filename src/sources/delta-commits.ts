/** From the actions of a commit to what the evidence keeps of it. Times are epoch seconds. */
import type { Commit, EvidenceEvent } from '../incident/evidence.ts'
import type { DeltaCommit } from './delta-actions.ts'
import { DELTA } from './delta-gaps.ts'

export interface SeenCommit {
  readonly version: number
  readonly modifiedMs: number
  readonly body: DeltaCommit
}

/** Who writes the table: `unmarked` commits carry no batch number (foreachBatch, a batch job). */
export interface Writers {
  readonly queries: readonly string[]
  readonly unmarkedData: number
  /** Whose batch numbers were taken; null = nobody's. */
  readonly taken: string | null
}

export interface Commits {
  readonly commits: readonly Commit[]
  /** Column whose statistics were taken as event time. */
  readonly column: string | null
  readonly copied: boolean
  readonly writer: Writers
}

/** Operations that bring new data, where the file was too long to see its adds. */
const WRITES: ReadonlySet<string> = new Set([
  'STREAMING UPDATE',
  'WRITE',
  'MERGE',
  'UPDATE',
  'DELETE',
  'COPY INTO',
  'CREATE TABLE AS SELECT',
  'REPLACE TABLE AS SELECT',
  'CREATE OR REPLACE TABLE AS SELECT',
])
/** In the order in which they are believed to be the time of the event; `ts` is often Kafka's own record time. */
const EVENT_TIME_NAMES = [
  'event_time',
  'eventtime',
  'event_timestamp',
  'eventtimestamp',
  'event_ts',
  'et',
  'occurred_at',
  'created_at',
  'timestamp',
  'ts',
  'time',
]

export function commitsOf(seen: readonly SeenCommit[], query: string | null): Commits {
  const copied = isCopied(seen)
  const column = eventTimeColumn(seen)
  const queries = [...new Set(seen.flatMap((commit) => commit.body.transactions.map((txn) => txn.appId)))].sort()
  const [only, second] = queries
  // Without a checkpoint to name the query, a table with a single streaming writer leaves no doubt.
  const taken = query ?? (second === undefined ? (only ?? null) : null)
  return {
    commits: seen.map((commit) => commitOf(commit, taken, column, copied)),
    column,
    copied,
    writer: { queries, unmarkedData: seen.filter((c) => kindOf(c.body) === 'data' && c.body.transactions.length === 0).length, taken },
  }
}

function commitOf({ version, modifiedMs, body }: SeenCommit, query: string | null, column: string | null, copied: boolean): Commit {
  const time = column === null ? undefined : body.times.get(column)
  const batch = query === null ? undefined : body.transactions.find((txn) => txn.appId === query)?.version
  const files = body.cut ? body.metrics.files : body.adds.count
  const bytes = body.cut ? body.metrics.bytes : body.adds.bytes
  const rows = body.metrics.rows ?? (body.cut ? null : body.adds.rows)
  const atMs = body.inCommitMs ?? (copied ? (body.timestampMs ?? modifiedMs) : modifiedMs)
  return {
    version,
    at: atMs / 1000,
    kind: kindOf(body),
    ...(files === undefined ? {} : { files_added: files }),
    ...(bytes === undefined ? {} : { bytes_added: bytes }),
    rows,
    batch_id: batch ?? null,
    max_event_time: time === undefined ? null : time.maxMs / 1000,
    min_event_time: time === undefined ? null : time.minMs / 1000,
  }
}

function kindOf(body: DeltaCommit): Commit['kind'] {
  if (body.operation === 'OPTIMIZE') return 'optimize'
  if (body.adds.dataChanges > 0) return 'data'
  if (body.adds.count > 0 && !body.cut) return 'optimize'
  // Only its head was read, and there was no add in it yet.
  return body.cut && body.operation !== null && WRITES.has(body.operation) && body.metrics.files !== 0 ? 'data' : 'other'
}

/** A known name first, whatever its case; otherwise the only column with times. Where several could be meant, none is. */
function eventTimeColumn(seen: readonly SeenCommit[]): string | null {
  const columns = [...new Set(seen.flatMap((commit) => [...commit.body.times.keys()]))].sort()
  for (const name of EVENT_TIME_NAMES) {
    const column = columns.find((candidate) => candidate.toLowerCase() === name)
    if (column !== undefined) return column
  }
  const [only, second] = columns
  return only !== undefined && second === undefined ? only : null
}

/** A copied log has new file times; its commits are then placed by the clock of their writer. */
function isCopied(seen: readonly SeenCommit[]): boolean {
  const times = seen.flatMap((c) => (c.body.timestampMs === null ? [] : [{ told: c.body.timestampMs, written: c.modifiedMs }]))
  const [first] = times
  const last = times.length < 10 ? times.at(-1) : times[times.length >> 1]
  if (first === undefined || last === undefined || times.length < 3) return false
  const span = last.told - first.told
  return span > 5000 && last.written - first.written < span / 10
}

/** Changes of schema, properties or protocol: they explain what comes after them. */
export function tableChanges(seen: readonly SeenCommit[], commits: readonly Commit[]): EvidenceEvent[] {
  return seen.flatMap((commit, i) => {
    if (!commit.body.changesTable) return []
    const operation = commit.body.operation === null ? '' : ` (${commit.body.operation})`
    const created = commit.version === 0
    return [
      {
        at: commits[i]?.at ?? commit.modifiedMs / 1000,
        kind: created ? 'note' : 'config_change',
        text: created
          ? `the table was created${operation}`
          : `version ${commit.version} changed schema or properties of the table${operation}`,
        source: DELTA,
      },
    ]
  })
}
