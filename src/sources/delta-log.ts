/**
 * Finds and reads the newest commits of a Delta log. Versions have no holes, so the newest is found by asking for names further and
 * further past the last checkpoint: a log of a month may hold half a million files, and listing it would be the dearest request of all.
 */
import { parse } from './delta-actions.ts'
import type { Answer, Failure, Folder } from './folder.ts'
import { several } from './folder.ts'

export const LOG = '_delta_log'

export interface CommitFile {
  readonly version: number
  readonly text: string
  readonly cut: boolean
  readonly modifiedMs: number
}

const WIDTH = 8
/** commitInfo comes first; adds of 12 files are 7 kB, those of 1,500 files a megabyte. */
const FILE_CAP = 1_000_000
/** Of one look at one table. */
export const TOTAL_CAP = 24_000_000

export function commitName(version: number): string {
  return `${LOG}/${String(version).padStart(20, '0')}.json`
}

/** Newest version, from `_last_checkpoint` onwards; by listing where that file is missing, torn, or older than what is kept. */
export async function newestVersion(folder: Folder, signal: AbortSignal): Promise<Answer<number | null>> {
  const exists = async (version: number): Promise<boolean | Failure> => {
    const answer = await folder.modified(commitName(version), signal)
    return answer.ok ? true : answer.failure.kind === 'gone' ? false : answer.failure
  }
  const pointer = await folder.read(`${LOG}/_last_checkpoint`, 4_000_000, signal)
  const checkpointed = pointer.ok && !pointer.value.cut ? parse(pointer.value.text)?.version : undefined
  const start = typeof checkpointed === 'number' && Number.isSafeInteger(checkpointed) && checkpointed >= 0 ? checkpointed : 0
  const first = await exists(start)
  if (typeof first === 'object') return { ok: false, failure: first }
  return first ? await gallop(start, exists) : await byListing(folder, signal)
}

/** Doubling steps past the last that exists, then halving between: about 2·log2(distance) requests. */
async function gallop(start: number, exists: (version: number) => Promise<boolean | Failure>): Promise<Answer<number>> {
  let low = start
  let step = 1
  for (;;) {
    const there = await exists(low + step)
    if (typeof there === 'object') return { ok: false, failure: there }
    if (!there) break
    low += step
    step *= 2
  }
  let high = low + step
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const there = await exists(middle)
    if (typeof there === 'object') return { ok: false, failure: there }
    if (there) low = middle
    else high = middle
  }
  return { ok: true, value: low }
}

async function byListing(folder: Folder, signal: AbortSignal): Promise<Answer<number | null>> {
  const names = await folder.names(LOG, signal)
  if (!names.ok) return names
  let newest: number | null = null
  for (const name of names.value) {
    if (!/^\d{20}\.json$/.test(name)) continue
    const version = Number(name.slice(0, 20))
    if (newest === null || version > newest) newest = version
  }
  return { ok: true, value: newest }
}

export interface CommitFiles {
  /** By rising version. */
  readonly files: readonly CommitFile[]
  readonly failures: readonly Failure[]
  readonly stopped: boolean
}

/** Versions [from, to]; those that the log's clean-up removed are left out. */
export async function readCommits(folder: Folder, from: number, to: number, signal: AbortSignal): Promise<CommitFiles> {
  const versions = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  const answers = await several(versions, WIDTH, async (version) => ({
    version,
    answer: await folder.read(commitName(version), FILE_CAP, signal),
  }))
  const files: CommitFile[] = []
  const failures: Failure[] = []
  let stopped = false
  for (const { version, answer } of answers) {
    if (answer.ok) files.push({ version, ...answer.value })
    else if (answer.failure.kind === 'stopped') stopped = true
    else if (answer.failure.kind !== 'gone') failures.push(answer.failure)
  }
  return { files, failures, stopped }
}

/** Reader features of the table, from the checksum file of a version (written by default since Delta 3.3); null = not told there. */
export async function readerFeaturesAt(folder: Folder, version: number, signal: AbortSignal): Promise<readonly string[] | null> {
  const answer = await folder.read(`${LOG}/${String(version).padStart(20, '0')}.crc`, 2_000_000, signal)
  if (!answer.ok || answer.value.cut) return null
  const protocol = parse(answer.value.text)?.protocol
  if (typeof protocol !== 'object' || protocol === null) return null
  const features = (protocol as { readerFeatures?: unknown }).readerFeatures
  return Array.isArray(features) ? features.filter((feature): feature is string => typeof feature === 'string') : []
}
