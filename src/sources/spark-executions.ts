/**
 * `/sql`: SQL executions. The *root* execution of a micro-batch spans addBatch exactly (rig-spark.md §3), also while it runs.
 *
 * The list is oldest first, without `length` it is the 20 OLDEST, and its rows have consecutive ids. So the place of the wanted
 * rows follows from one look at the first row: offset = wanted id − id of the first row.
 */

import type { BatchLabel } from './spark-descriptions.ts'
import { parseDescription } from './spark-descriptions.ts'
import type { Fields } from './spark-fields.ts'
import { entries, instantAt, isFields, numberAt, textAt } from './spark-fields.ts'

export interface SqlExecution {
  readonly id: number
  readonly label: BatchLabel | null
  readonly startMs: number
  /** Grows while it runs. */
  readonly durationMs: number
  readonly running: boolean
  readonly failed: boolean
  /** Spark 4.2: which execution this one belongs to; null = not told. */
  readonly rootId: number | null
  /** Spark 4.2: first line of the error of a failed execution. */
  readonly error: string | null
}

/** Null = not a list. Rows without id or start are dropped. */
export function parseExecutions(body: unknown): SqlExecution[] | null {
  return entries(body)?.flatMap((entry) => parseOne(entry) ?? []) ?? null
}

/** Body of `/sql/<id>`. */
export function parseExecution(body: unknown): SqlExecution | null {
  return isFields(body) ? parseOne(body) : null
}

function parseOne(entry: Fields): SqlExecution | null {
  const id = numberAt(entry, 'id')
  const startMs = instantAt(entry, 'submissionTime')
  if (id === undefined || startMs === undefined) return null
  const status = textAt(entry, 'status')
  const error = textAt(entry, 'errorMessage')?.split('\n')[0]?.slice(0, 200) ?? ''
  return {
    id,
    label: parseDescription(textAt(entry, 'description')),
    startMs,
    durationMs: Math.max(0, numberAt(entry, 'duration') ?? 0),
    running: status === 'RUNNING',
    failed: status === 'FAILED',
    rootId: numberAt(entry, 'rootExecutionId') ?? null,
    error: error === '' ? null : error,
  }
}

export const batchKey = (run: string, batch: number): string => `${run}/${batch}`

/**
 * The root execution of every batch, by run and batch: the row the jobs' tags name, or else the lowest id whose description ends
 * in exactly `batch = N`. The oldest batch of a list may have lost its root to the cut: it only counts where something proves it.
 */
export function rootsOf(executions: readonly SqlExecution[], taggedRoots: ReadonlySet<number>): Map<string, SqlExecution> {
  const roots = new Map<string, SqlExecution>()
  const sorted = executions.toSorted((a, b) => a.id - b.id)
  const first = sorted[0]
  for (const execution of sorted) {
    const label = execution.label
    if (label === null || label.batch === null || label.about !== null) continue
    if (execution.rootId !== null && execution.rootId !== execution.id) continue
    const key = batchKey(label.run, label.batch)
    if (!roots.has(key)) roots.set(key, execution)
  }
  if (first?.label != null && first.label.batch !== null) {
    const key = batchKey(first.label.run, first.label.batch)
    const root = roots.get(key)
    if (root !== undefined && root.id !== 0 && root.rootId !== root.id && !taggedRoots.has(root.id)) roots.delete(key)
  }
  return roots
}

export interface Listing {
  readonly offset: number
  readonly length: number
}

/** Rows beyond the newest tagged root: batches without any job. */
const BEYOND = 40
/** Some rows more at the old end, should ids not be consecutive after all. */
const BEFORE = 4

/** Where rows `fromId`…`toId` stand in a list whose first row is `oldestId`. */
export function planListing(oldestId: number, fromId: number, toId: number, most: number): Listing {
  const start = Math.max(oldestId, fromId - BEFORE, toId - most + 1)
  return { offset: Math.max(0, start - oldestId), length: Math.max(1, Math.min(most, toId - start + 1) + BEYOND) }
}
