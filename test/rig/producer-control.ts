// What the producer does, as one file that is replaced as a whole. All rates are records per second.
import { readFileSync } from 'node:fs'
import { writeJson } from './layout.ts'

/** Buffered records sent in one go, with the timestamps of the minutes in which they were made. */
export interface Backdate {
  /** A new id makes a new upload; the producer runs each id once. */
  readonly id: string
  readonly partitions: readonly number[]
  readonly minutes: number
  readonly recordsPerPartition: number
}

export interface ProducerControl {
  readonly rate: number
  /** Relative weight of each partition; 0 = idle. */
  readonly weights: readonly number[]
  /** One partition takes this share (0..1) of the rate; the others share the rest by weight. */
  readonly hot?: { readonly partition: number; readonly share: number }
  /** Partitions that get nothing although their weight says otherwise. Their records are not given to others. */
  readonly stopped?: readonly number[]
  readonly paused?: boolean
  readonly backdate?: Backdate
}

/** The producer learns of new partitions within this; a client's default is 5 min. */
export const METADATA_AGE_MS = 5_000

export function writeProducerControl(path: string, control: ProducerControl): void {
  writeJson(path, control)
}

export function readProducerControl(path: string): ProducerControl {
  return JSON.parse(readFileSync(path, 'utf8')) as ProducerControl
}

/** Records per second of each partition under a control. */
export function partitionRates(control: ProducerControl): number[] {
  if (control.paused === true) return control.weights.map(() => 0)
  const { hot, rate, weights } = control
  const sum = weights.reduce((all, weight, p) => all + (p === hot?.partition ? 0 : weight), 0)
  const shared = rate * (hot === undefined ? 1 : 1 - hot.share)
  return weights.map((weight, p) => {
    if (control.stopped?.includes(p)) return 0
    if (p === hot?.partition) return rate * hot.share
    return sum === 0 ? 0 : (shared * weight) / sum
  })
}
