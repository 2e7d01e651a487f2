/** What else could be read where no cause misses anything of what was asked for: a source that is not seen yet, or the next batch. */
import { duration } from '../incident/format.ts'
import type { Wish } from './cause.ts'
import type { Facts } from './facts.ts'

/** null where everything that is known to help was read. It weighs nothing: nobody knows what it would have said. */
export function otherwise({ timeline, episode }: Facts): Wish | null {
  const gap = timeline.gaps.find((one) => one.mend !== undefined && (one.to ?? timeline.now) >= timeline.now)
  if (gap?.mend !== undefined) return { signal: gap.signal ?? gap.source, how: gap.mend, weight: 0 }
  const last = timeline.batches.at(-1)
  if (episode === null || last === undefined) return null
  return {
    signal: 'the next batch',
    how: `ask again in ${duration(Math.ceil(Math.max(episode.limit, last.seconds)))}: it tells whether this goes on`,
    weight: 0,
  }
}
