/** What the workflow needs from the outside world. Edge rooms implement these; `app.ts` binds them. */
import type { Gap } from '../incident/evidence.ts'
import type { Findings, Seen } from '../incident/findings.ts'
import type { Pipeline } from '../incident/pipeline.ts'

export type { BatchSighting, Findings, Seen, Traffic } from '../incident/findings.ts'

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
