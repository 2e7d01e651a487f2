/**
 * A recorded drill: raw answers of a real rig, polled every 2.5 s, with the truth beside them. The recordings are kept outside the
 * repository (../shared/data relative to its root); where they are absent, what is made from them is skipped.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** One answer. `status` 0 = none came, then the body is the client's error. */
export interface Poll {
  /** Epoch ms. */
  readonly t: number
  readonly src: string
  readonly status: number
  readonly body: string
}

export interface Recording {
  /** The injected fault, e.g. "slow_sink_commit". */
  readonly fault: string
  /** Epoch ms: fault on, fault off. */
  readonly start: number
  readonly end: number
  /** In order of time, with what was polled of the same query before this recording began: a source would have read that history. */
  readonly polls: readonly Poll[]
}

const folder = join(import.meta.dirname, '../../../shared/data/recordings/drills')

export const recordingsAreHere = existsSync(folder)

interface Loaded {
  readonly fault: string
  readonly start: number
  readonly end: number
  readonly t0: number
  readonly query: string | null
  readonly polls: readonly Poll[]
}

/** All recordings by fault; an empty list where they are absent. */
export function recordings(): Recording[] {
  if (!recordingsAreHere) return []
  const loaded = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => load(join(folder, entry.name)))
    .sort((a, b) => a.t0 - b.t0)
  return loaded
    .map((one) => ({
      fault: one.fault,
      start: one.start,
      end: one.end,
      polls: [...loaded.filter((other) => other.t0 < one.t0 && other.query === one.query).flatMap((other) => other.polls), ...one.polls],
    }))
    .sort((a, b) => (a.fault < b.fault ? -1 : 1))
}

function load(path: string): Loaded {
  const { fault, start, end, t0 } = JSON.parse(readFileSync(join(path, 'truth.json'), 'utf8')) as Loaded
  const polls = gunzipSync(readFileSync(join(path, 'poll.jsonl.gz')))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Poll)
  const jobs = polls.find((poll) => poll.src === 'jobs')?.body ?? ''
  return { fault, start, end, t0, query: /\\nid = (\S+?)\\n/.exec(jobs)?.[1] ?? null, polls }
}

/** The end of the newest poll at or before an instant: a diagnosis is asked then, for nothing tells how things went on after it. */
export function pollBefore(polls: readonly Poll[], atMs: number): number {
  const begin = newest(polls, 'procs', atMs)?.t ?? atMs
  // A poll begins with the processes' CPU times; while the broker hangs it takes longer.
  const next = polls.find(({ src, t }) => src === 'procs' && t > begin)?.t ?? Number.POSITIVE_INFINITY
  return polls.findLast(({ t }) => t >= begin && t < next)?.t ?? begin
}

/** The newest answer of one kind at or before an instant. */
export function newest(polls: readonly Poll[], src: string, atMs: number): Poll | undefined {
  return polls.findLast((poll) => poll.src === src && poll.t <= atMs)
}
