// What a kind of fault is to the rig. One file per kind in this folder, and one line in index.ts.
import type { Executor } from '../cluster.ts'
import type { Load } from '../load.ts'
import type { Draw } from '../prng.ts'
import type { ProducerControl } from '../producer-control.ts'
import type { SessionPlan } from '../session-plan.ts'

/** Where the fault is. Empty or null = no part of the truth for this kind. */
export interface TruthPlace {
  readonly topic: string | null
  readonly partitions: readonly number[]
  readonly executor: string | null
  readonly host: string | null
  /** Which part of a batch: 'write' (in the tasks) or 'commit' (of the table). */
  readonly phase: 'write' | 'commit' | null
}

export const somewhere: TruthPlace = { topic: null, partitions: [], executor: null, host: null, phase: null }

/** What a fault can do to the rig; everything else stays as the load says. */
export interface Hands {
  /** Changes the producer's control on top of the load. */
  produce(change: Partial<ProducerControl>): void
  /** Delays of the slow file system in ms by `KIND.OP`. */
  delay(delays: Readonly<Record<string, number>>): void
  /** kill -9 the executor on a host; throws when there is none. */
  killExecutor(host: string): Executor
}

export interface Drawn {
  readonly load: Load
  readonly place: TruthPlace
  /** Strength and kind of the fault, for the record. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Computed from the knobs; null where the fault is not one of load. */
  readonly demandOverCapacity: number | null
  /** What is visibly on, whatever the load: null where only demand over capacity shows. */
  readonly mechanism: string | null
  /** Switches the fault on. Returns what is known only then. Load and delays are put back by the rig. */
  inject(hands: Hands): Partial<TruthPlace>
}

export interface Fault {
  /** Also the name of the cause that a verdict must give. */
  readonly kind: string
  draw(draw: Draw, plan: SessionPlan): Drawn
}
