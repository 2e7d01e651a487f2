/** What the sources bring home, before it is joined: the input of `timeline/merge.ts` and `timeline/batches.ts`. */
import type { Clock, Commit, EvidenceEvent, Gap, Reader, Series, Sink, Stage, Topic } from './evidence.ts'

/** A batch as one source saw it; `timeline/batches.ts` joins the sightings. Epoch milliseconds throughout. */
export interface BatchSighting {
  readonly id: number
  readonly query?: string
  readonly run?: string
  /** batchTimestampMs of offsets/N: trigger start + latestOffset. */
  readonly plannedAtMs?: number
  /** Modification time of offsets/N. */
  readonly offsetsWrittenMs?: number
  /** Modification time of commits/N; null = the file does not exist (in flight, or died in it). */
  readonly committedMs?: number | null
  readonly toOffset?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly watermarkMs?: number
  /** The root SQL execution: its duration is addBatch. */
  readonly sqlStartMs?: number
  readonly sqlDurationMs?: number
  readonly sqlRunning?: boolean
  readonly jobs?: readonly {
    readonly startMs: number
    readonly endMs: number | null
    readonly kind: 'query' | 'delta-snapshot'
    readonly tasks: number
    readonly failedTasks: number
  }[]
  readonly stages?: readonly Stage[]
  /** Whole progress of the event log: the names of durationMs, and its trigger start. */
  readonly triggerStartMs?: number
  readonly phasesMs?: Readonly<Record<string, number>>
  readonly rows?: number
  readonly stateRows?: number
  readonly stateBytes?: number
  readonly lateRows?: number
}

/**
 * What one source brought home. Times inside series, commits, events, gaps and stages are epoch SECONDS here (fractional);
 * the workflow rebases them to seconds since window.from.
 */
export interface Findings {
  readonly source: string
  readonly series: readonly Series[]
  readonly sightings: readonly BatchSighting[]
  readonly commits: readonly Commit[]
  readonly events: readonly EvidenceEvent[]
  readonly gaps: readonly Gap[]
  readonly clocks: readonly Clock[]
  readonly topics: readonly Topic[]
  readonly reader: Partial<Reader>
  readonly sink: Partial<Sink>
  /** Load put on what was looked at, by address: for --verbose and the bench. */
  readonly traffic: readonly Traffic[]
}

/** Nothing found by a source but what is given. */
export function emptyFindings(source: string, part: Partial<Findings> = {}): Findings {
  return {
    source,
    series: [],
    sightings: [],
    commits: [],
    events: [],
    gaps: [],
    clocks: [],
    topics: [],
    reader: {},
    sink: {},
    traffic: [],
    ...part,
  }
}

export interface Traffic {
  /** e.g. "broker 127.0.0.1:29092" or "driver 127.0.0.1:4040" or "files". */
  readonly to: string
  readonly requests: number
  readonly bytes: number
}

/** What the first looks established and a second look may build on. */
export interface Seen {
  /** Offset up to which the reader committed its work, by topic and partition; null = no source could tell. */
  readonly committed: Readonly<Record<string, Readonly<Record<string, number>>>> | null
  readonly findings: readonly Findings[]
}
