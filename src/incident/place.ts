/** Where pressure began. Only what applies is set. */
export interface Place {
  readonly topic: string | null
  readonly partitions: readonly number[]
  readonly executor: string | null
  readonly host: string | null
  readonly broker: string | null
  readonly phase: string | null
}
