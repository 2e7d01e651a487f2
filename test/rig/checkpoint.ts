// The rig's own look at a query's checkpoint: which batches ended when, and how far they read. Written from the format,
// not from the product's reader: the injector must not share a mistake with what it judges.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Batch {
  readonly number: number
  /** Shortly after the trigger began (offsets/N batchTimestampMs). */
  readonly startMs: number
  /** When commits/N was written; undefined while the batch runs. */
  readonly endMs: number | undefined
  /** End offset by partition. */
  readonly ends: readonly number[]
  readonly records: number | undefined
}

const numbersIn = (folder: string): number[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .sort((a, b) => a - b)
    : []

interface Planned {
  readonly startMs: number
  readonly ends: number[]
}

function planned(file: string, topic: string): Planned | undefined {
  let lines: string[]
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch {
    return undefined
  }
  if (lines.length < 3) return undefined
  const header = JSON.parse(lines[1] ?? '{}') as { batchTimestampMs: number }
  const offsets = (JSON.parse(lines[2] ?? '{}') as Record<string, Record<string, number>>)[topic] ?? {}
  const ends: number[] = []
  for (const [partition, offset] of Object.entries(offsets)) ends[Number(partition)] = offset
  return { startMs: header.batchTimestampMs, ends }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** The newest `count` batches in order, the last one perhaps still running. */
export function readBatches(checkpoint: string, topic: string, count: number): Batch[] {
  const numbers = numbersIn(join(checkpoint, 'offsets')).slice(-(count + 1))
  const batches: Batch[] = []
  let before: Planned | undefined
  for (const number of numbers) {
    const now = planned(join(checkpoint, 'offsets', `${number}`), topic)
    if (now === undefined) continue
    const commit = join(checkpoint, 'commits', `${number}`)
    const endMs = existsSync(commit) ? statSync(commit).mtimeMs : undefined
    const records = before === undefined ? undefined : sum(now.ends) - sum(before.ends)
    batches.push({ number, startMs: now.startMs, endMs, ends: now.ends, records })
    before = now
  }
  return batches.slice(-count)
}

/** Number of the newest committed batch; -1 when there is none. */
export function newestCommit(checkpoint: string): number {
  return numbersIn(join(checkpoint, 'commits')).at(-1) ?? -1
}

/** Seconds from start to commit; undefined while the batch runs. */
export const batchSeconds = (batch: Batch): number | undefined =>
  batch.endMs === undefined ? undefined : (batch.endMs - batch.startMs) / 1000
