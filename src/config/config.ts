/** The configuration as everything behind it sees it: frozen, complete, secrets filled in. */
import type { Pipeline } from '../incident/pipeline.ts'

export interface Config {
  /** IANA zone in which times of day are written. */
  readonly zone: string
  readonly pipelines: readonly Pipeline[]
}

/** Zone where neither the configuration nor TZ names one: the one that logs, brokers and colleagues elsewhere agree on. */
export const defaultZone = 'UTC'
