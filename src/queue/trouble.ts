/** What goes wrong in a queue and nobody awaits: told to whoever writes the log. */
import { HeadwaterError, messageOf } from '../errors.ts'

export interface Trouble {
  /** Key of the job; null = the queue itself, e.g. its connection. */
  readonly job: string | null
  readonly says: string
  /** The job will be tried again by itself. */
  readonly again: boolean
}

export function canTryAgain(error: unknown): boolean {
  return error instanceof HeadwaterError && error.retryable
}

export function troubleOf(job: string | null, error: unknown, again: boolean): Trouble {
  return { job, says: messageOf(error), again }
}
