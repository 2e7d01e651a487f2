/** What the workflow needs from the outside world. Edge rooms implement these; `app.ts` binds them. */
import type { Clock, Commit, EvidenceEvent, Gap, Reader, Series, Sink, Stage, Topic } from '../incident/evidence.ts'
import type { Pipeline } from '../incident/pipeline.ts'

/** What a source is asked. All times are epoch milliseconds. */
export interface Question {
  readonly pipeline: Pipeline
  readonly askedAtMs: number
  readonly fromMs: number
  readonly toMs: number
  /** Wait for what only a heartbeat (10 s) shows. */
  readonly thorough: boolean
  /** Aborts when the source's own deadline or the caller (Ctrl-C) ends the look. Whatever was read by then still counts. */
  readonly signal: AbortSignal
  /** One line of progress for a person, e.g. "Kafka: 12 partitions, 61 of 120 points in time". */
  readonly progress: (line: string) => void
}

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
  readonly jobs?: readonly { readonly startMs: number; readonly endMs: number | null; readonly kind: 'query' | 'delta-snapshot'; readonly tasks: number; readonly failedTasks: number }[]
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

export interface Traffic {
  /** e.g. "broker 127.0.0.1:29092" or "driver 127.0.0.1:4040" or "files". */
  readonly to: string
  readonly requests: number
  readonly bytes: number
}

/** One way of looking at a pipeline. Reads only; judges nothing; never throws: what fails becomes a gap. */
export interface Source {
  readonly name: string
  /** false = not configured for this pipeline; then `missing` says which line to add. */
  readonly applies: (pipeline: Pipeline) => boolean
  /** The gap shown where it does not apply, or null when nobody would miss it. */
  readonly absent: (pipeline: Pipeline) => Gap | null
  readonly collect: (question: Question) => Promise<Findings>
  /**
   * A second look, 2-3 s after the first, knowing what all sources found: running tasks and executors again (busy or frozen?),
   * log ends again, and the time of the committed offsets ("complete up to").
   */
  readonly lookAgain?: (question: Question, seen: Seen) => Promise<Findings>
}

/** What the first looks established and a second look may build on. */
export interface Seen {
  /** Offset up to which the reader committed its work, by topic and partition; null = no source could tell. */
  readonly committed: Readonly<Record<string, Readonly<Record<string, number>>>> | null
  readonly findings: readonly Findings[]
}
