/** Stores what came in before Slack is told that it arrived. */
import { HeadwaterError } from '../errors.ts'
import type { Input } from '../incident/input.ts'
import type { Log } from '../log.ts'
import { within } from '../within.ts'
import type { Store } from '../workflow/incident-ports.ts'

/** 'away' = it may have been stored or not; the same again does no harm. */
export type Kept = 'stored' | 'known' | 'full' | 'away'

/** Longer, and the store is taken for away: Slack itself waits 3 s. */
const patienceMs = 1_200

export type Keep = (input: Input) => Promise<Kept>

export function createKeep(put: Store['put'], log: Log): Keep {
  return async (input) => {
    try {
      return await within(() => put(input), patienceMs)
    } catch (error) {
      const full = error instanceof HeadwaterError && error.code === 'inbox_full'
      const { kind, pipeline } = input
      const about = input.kind === 'press' ? { incident: input.incident } : {}
      log.warn('what Slack brought could not be stored', { ...about, kind, pipeline, err: error })
      return full ? 'full' : 'away'
    }
  }
}
