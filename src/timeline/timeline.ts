/**
 * The timeline: what was seen, put on one axis (seconds since `window.from`), with what follows from it by arithmetic alone:
 * rates from offsets, lag from log end and position, batches with their phases, table freshness from data commits.
 * Nothing is interpolated across a gap; where a series was not seen it has no points.
 */
import type { Batch, Clock, Commit, EvidenceEvent, EvidencePipeline, Gap } from '../incident/evidence.ts'
import type { ClockName } from './clocks.ts'
import type { Closure } from './closure.ts'
import type { Standing } from './pace.ts'
import type { NoDelay } from './scheduling.ts'

/** Points in time order. `null` = asked and not answered. Equal lengths. */
export interface Line {
  readonly t: readonly number[]
  readonly v: readonly (number | null)[]
}

export interface PartitionFlow {
  readonly topic: string
  readonly partition: number
  /** Log end offset: by arrival where arrivals are known, else (and before the first of them) by record time (arrival.ts). */
  readonly logEnd: Line
  /** Log end offset when it was so (planned end of uncapped batches, direct readings). */
  readonly arrived: Line
  /** Records that bear a time before t, as the topic keeps them (CreateTime); empty where it keeps none. */
  readonly made: Line
  /** Offset up to which the reader had finished its work. */
  readonly position: Line
  /** Records/s between neighbouring log end points, placed at the later one. */
  readonly intake: Line
  /** Records between log end and position, at the times of `position` and at the end. */
  readonly lag: Line
  /** All records made before this time are in the table; null = not known. Seconds since window.from. */
  readonly completeTo: number | null
  /** Why its log end could not be read although it was asked for; absent = it could, or nobody asked. */
  readonly unread?: 'no leader' | 'no answer'
}

/** A batch with what follows from its neighbours. */
export interface TimedBatch extends Batch {
  /** Seconds from trigger to commit; for an open batch the age when last seen. */
  readonly seconds: number
  readonly open: boolean
  /** First batches after a start of the query are slow by nature (rig-spark.md T13). */
  readonly warmUp: boolean
}

/** How long after its trigger each batch began (scheduling.ts). */
export interface SchedulingDelay {
  /** Seconds, at the start of each batch; null = not known. While a trigger waits for the batch in flight the last point is now. */
  readonly line: Line
  /** Time of the oldest trigger that waits for the batch in flight; null = none does, or not known. */
  readonly waitsSince: number | null
  /** Why nothing is known of it; null = something is. */
  readonly unknown: NoDelay | null
}

export type SeriesName = 'intake' | 'lag' | 'batches' | 'stages' | 'executors' | 'freshness'

/** First and last reading of a series; holes between them are null in its line. */
export interface Completeness {
  readonly series: SeriesName
  readonly from: number
  readonly to: number
}

export interface Timeline {
  readonly pipeline: EvidencePipeline
  /** Epoch seconds of window.from. */
  readonly zeroS: number
  /** Seconds since window.from at which the question was asked: the right edge. */
  readonly now: number
  /** The topic keeps the times at which its records were made. */
  readonly recordClock: boolean
  /** Bounds of all clocks, and whose times intake and executors stand on (clocks.ts); batches stand on the driver's. */
  readonly clocks: readonly Clock[]
  readonly clockOf: { readonly intake: ClockName; readonly executors: ClockName }
  /** Before this, intake and lag go by the time records were made; -Infinity = all by arrival, Infinity = nothing by arrival. */
  readonly arrivalsFrom: number
  readonly partitions: readonly PartitionFlow[]
  /** Sum over partitions, only where all partitions were seen. */
  readonly intake: Line
  readonly lag: Line
  readonly batches: readonly TimedBatch[]
  /** Seconds a batch may take: the trigger interval, known or inferred; null = back to back or unknown. */
  readonly triggerS: number | null
  readonly triggerFrom: 'declared' | 'read' | 'inferred' | 'unknown'
  readonly scheduling: SchedulingDelay
  /** Task slots over time, as steps. */
  readonly slots: Line
  readonly executors: Line
  /** Executors that have work and finish none of it; empty = none was seen to. */
  readonly standing: readonly Standing[]
  /** Age of the newest data commit (saw-tooth: each commit and the moment before the next). */
  readonly freshness: Line
  readonly commits: readonly Commit[]
  readonly events: readonly EvidenceEvent[]
  readonly gaps: readonly Gap[]
  readonly complete: readonly Completeness[]
  /** Names of all signals that were read, as they came, whether anything is made of them or not. */
  readonly signals: readonly string[]
  /** Whether intake, consumption and lag add up. */
  readonly closure: Closure
}
