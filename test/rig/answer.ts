// What one drill comes to. All that counts, repeats or adds up drills asks here.
import { LONGEST_GROWING_SECONDS } from './held.ts'
import type { DrillRecord } from './truth.ts'
import type { Verdict } from './verdict.ts'

/**
 * 'not knowable': inconclusive, and the injector had said before that nobody could know; neither for nor against the product.
 * 'beyond reach': inconclusive about a beginning that is no longer kept, and it says so: as good as right.
 */
export type Answer = 'right' | 'wrong' | 'inconclusive' | 'not knowable' | 'beyond reach' | 'void' | 'no answer'

type Answered = Pick<DrillRecord, 'void' | 'judgement' | 'knowable' | 'verdict' | 'times' | 'observed'>

/** A wrong verdict stays wrong and a missing one missing, knowable or not: "inconclusive" could have been said. */
export function answerOf(record: Answered): Answer {
  const { void: why, judgement, knowable } = record
  if (why !== null) return 'void'
  if (judgement === null) return 'no answer'
  if (judgement.wrong) return 'wrong'
  if (judgement.right) return 'right'
  if (!knowable.is) return 'not knowable'
  return isBeyondReach(record) ? 'beyond reach' : 'inconclusive'
}

/** Words by which a verdict may say that something is kept no longer. */
const NO_LONGER_KEPT = /\b(no longer|kept|keeps?|retain\w*|retention|reach\w*|older|began before|history)\b/i

/** Only for a fault held for long whose beginning the checkpoint had dropped: what is still there can be looked at. */
function isBeyondReach({ times, observed, verdict }: Answered): boolean {
  if (times.askedMs - times.faultMs <= LONGEST_GROWING_SECONDS * 1000) return false
  if (observed.keptFromMs === null || observed.keptFromMs <= times.faultMs) return false
  return namesWhatIsKept(verdict)
}

function namesWhatIsKept(verdict: Verdict | null): boolean {
  return NO_LONGER_KEPT.test(`${verdict?.reason ?? ''} ${verdict?.deciding_signal ?? ''}`.replaceAll('_', ' '))
}
