// What a kind of fault is to the rig. One file per kind in this folder, and one line in index.ts.
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
  /** kill -9 of the executor on a host in the midst of a batch, waited for. Throws when none is there to kill. */
  killExecutor(host: string): Promise<void>
  /** The executors of a host run only `runningShare` (0..1) of the time. */
  slowHost(host: string, runningShare: number): void
}

export interface Drawn {
  readonly load: Load
  readonly place: TruthPlace
  /** Strength and kind of the fault, for the record. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Computed from the knobs; null where the fault is not one of load. */
  readonly demandOverCapacity: number | null
  /** What is visibly on when the question is asked, whatever the load: null where only demand over capacity shows. */
  readonly mechanism: string | null
  /** Switches the fault on; it is on from when this ends. Everything is put back by the rig. */
  inject(hands: Hands): void | Promise<void>
}

export interface Fault {
  /** Also the name of the cause that a verdict must give. */
  readonly kind: string
  /** The product has no such cause yet: not drawn by itself, and the best answer is "inconclusive". */
  readonly notYet?: true
  /** An event that cannot be held: until so many seconds after it one may honestly be asked about it. */
  readonly askWithinSeconds?: number
  /** `heldSeconds`: from the fault to the question. A fault that is held for long must not drown the machine. */
  draw(draw: Draw, plan: SessionPlan, heldSeconds: number): Drawn
}
