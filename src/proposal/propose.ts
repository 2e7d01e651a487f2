/**
 * From a verdict to what should be done about it: the smallest bounded change that helps, or to whom it goes, or why nothing is changed.
 * Pure: the same evidence gives the same remedy, byte for byte. Nothing here ever applies anything.
 */

import { duration } from '../incident/format.ts'
import type { Tried } from '../incident/incident.ts'
import { knobs } from '../incident/knob.ts'
import type { Declared } from '../incident/pipeline.ts'
import type { Refusal, Remedy } from '../incident/proposal.ts'
import { stepInWords, wasSetTo } from '../incident/setting-words.ts'
import type { Grounds, Look } from './grounds.ts'
import { groundsOf } from './grounds.ts'
import type { Fit, Lever, Unfit } from './lever.ts'
import { capital, changedBefore, referralFor } from './referrals.ts'
import type { Tries } from './remedies.ts'
import { remedies } from './remedies.ts'

/**
 * @param look evidence, its timeline and the verdict on it
 * @param declared what the owners say of the reader's settings
 * @param tried changes of this incident that were applied before, in this incident or lately in those before, oldest first
 */
export function propose(look: Look, declared: Declared, tried: readonly Tried[] = []): Remedy {
  const { attribution, timeline } = look
  if (attribution.outcome === 'none') return refuse('nothing here differs from its own baseline, so nothing should be changed')
  if (attribution.outcome === 'inconclusive' || attribution.cause === null) {
    const how = attribution.howToDecide === null ? null : withoutClock(attribution.howToDecide, timeline.now)
    return refuse(`no change before the cause is known: ${attribution.headline}`, how)
  }
  const underWay = tried.findLast((one) => one.outcome === null && one.takenBack !== true)
  if (underWay !== undefined) {
    return refuse(`one change at a time: ${wasSetTo(underWay.knob, underWay.to)}, and its recovery check is still under way`)
  }
  return forCause(attribution.cause, groundsOf(look, declared, tried))
}

function forCause(cause: string, grounds: Grounds): Remedy {
  const tries: Tries = (Object.hasOwn(remedies, cause) ? remedies[cause] : undefined) ?? { levers: [], enough: 'no' }
  const changed = cause === 'slow_processing' ? changedBefore(grounds) : null
  const weighed = changed !== null ? [] : byRung(tries.levers).map((lever) => ({ lever, answer: lever.weigh(grounds) }))
  const fits = weighed.flatMap(({ lever, answer }) => (answer.kind === 'fit' ? [{ lever, ...answer }] : []))
  const chosen = howSure
    .slice(0, howSure.indexOf(tries.enough) + 1)
    .map((drains) => fits.find((one) => one.drains === drains))
    .find((one) => one !== undefined)
  const refused = weighed.flatMap(({ lever, answer }) => (answer.kind === 'unfit' ? [{ lever, answer }] : []))
  if (chosen !== undefined) return chosen.proposal
  const unknown = refused.find(({ answer }) => answer.needs !== null)
  // Whoever has to act anyway can do so without what is not known here.
  if (unknown !== undefined && tries.enough !== 'surely') return refuse(sentence(unknown), unknown.answer.needs)
  // What came back by itself, or does no harm, is nobody's to mend tonight.
  const calm = refused.find(({ answer }) => answer.why === 'no_need')
  if (calm !== undefined) return refuse(calm.answer.reason)
  const notSure = fits.map(
    ({ lever, proposal: { action } }) =>
      `${lever.title} may not be enough: ${stepInWords(action.knob, action.from.value, action.to)} is as far as one step goes`,
  )
  const whyNot = [
    ...(changed === null ? [] : [changed]),
    ...notSure,
    ...refused.filter(({ answer }) => answer.why !== 'elsewhere').map(sentence),
  ]
  return (
    referralFor(cause, grounds, whyNot) ??
    refuse(`no setting is known that relieves ${cause.replaceAll('_', ' ')}: ${grounds.attribution.headline}`)
  )
}

/** The surest first. */
const howSure: readonly Fit['drains'][] = ['surely', 'likely', 'perhaps', 'no']

/** The lever that is most easily taken back first; of equal ones in the order of the list. */
function byRung(candidates: readonly Lever[]): Lever[] {
  return candidates.toSorted((a, b) => knobs[a.knob].rung - knobs[b.knob].rung)
}

const sentence = ({ lever, answer }: { readonly lever: Lever; readonly answer: Unfit }): string =>
  `${lever.title} ${answer.needs === null ? 'would not help' : 'cannot be weighed'}: ${answer.reason}`

function refuse(reason: string, needs: string | null = null): Refusal {
  return { kind: 'refusal', reason: capital(reason), needs }
}

/** A remedy outlives the look: a time of day in the words of the engine becomes how long ago it was. */
function withoutClock(text: string, now: number): string {
  return text.replaceAll(/\{at (-?[\d.]+)\}/g, (_, at: string) => `${duration(Math.max(0, now - Number(at)))} before this look`)
}
