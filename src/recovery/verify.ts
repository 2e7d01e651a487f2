/**
 * A frozen expectation against what is measured now. Recovered is only what the proposal said: the reading that found the constraint is
 * back and stays there, the lag falls as it should, nothing else has become the constraint, the setting was really turned, and no less
 * work arrived meanwhile. A healthy executor alone never counts; what was not seen makes "cannot tell", never "recovered".
 */

import { duration, share } from '../incident/format.ts'
import type { RecoveryOutcome } from '../incident/incident.ts'
import type { Proposal } from '../incident/proposal.ts'
import type { Look } from '../proposal/grounds.ts'
import { placeOf } from '../proposal/lever.ts'
import { capital } from '../proposal/referrals.ts'
import { isTerm, terms } from '../proposal/terms.ts'
import type { Flow } from './flow.ts'
import { flowOf, growthBefore, openAccount } from './flow.ts'
import type { JudgedWindow } from './judged-window.ts'
import { judgedWindow } from './judged-window.ts'
import { loadFell } from './load-fell.ts'
import { gainOf, measure, written } from './measure.ts'
import { nextLimit } from './next-limit.ts'
import type { Turned } from './turned.ts'
import { turnedOf } from './turned.ts'
import type { Measured, Verification } from './verification.ts'

export interface Check {
  readonly proposal: Proposal
  /** Epoch ms. */
  readonly appliedAtMs: number
  /** The look from which the proposal was made. */
  readonly before: Look
  readonly now: Look
  /** The last planned look: something has to be said. */
  readonly last: boolean
}

/** A reading this many times as bad as before is worse. */
const WORSE = 1.25
/** No batch for this long after the application, while records wait, is worse: the query does not run. */
const DEAD_SECONDS = 300
/** Less than this share of what was expected is nothing (Flink's autoscaler: 0.1). */
const NOTHING = 0.1

export function verify({ proposal, appliedAtMs, before, now, last }: Check): Verification {
  const window = judgedWindow(now, before, appliedAtMs)
  const seen: Seen = {
    proposal,
    window,
    before,
    now,
    last,
    measured: proposal.expects.map((one) => measure(one, now, isPerBatch(one.signal) ? window.from : window.applied, window.acting, last)),
    turned: turnedOf(proposal.action, now, window, before),
    flow: flowOf(proposal, now, window.from, window.applied),
  }
  const dead = doesNotRun(seen)
  if (dead !== null) return verdict(seen, 'worse', dead)
  if (seen.turned.is === 'old' && located(seen).some(({ back }) => back !== true)) return notApplied(seen)
  const missing = notSeen(seen)
  if (missing.length > 0)
    return last || sawNothing(seen)
      ? verdict(seen, last ? 'cannot_tell' : null, `not seen since the change: ${missing.join('; ')}`, [], missing)
      : later(seen, missing)
  const open = openAccount(now, window.batches[0]?.end ?? window.from, window.batches.at(-1)?.end ?? now.timeline.now)
  if (open !== null) return last ? verdict(seen, 'cannot_tell', open) : later(seen, [open])
  return located(seen).every(({ back }) => back === true) && !stillNamed(seen) ? cameBack(seen) : notBack(seen)
}

interface Seen {
  readonly proposal: Proposal
  readonly window: JudgedWindow
  readonly before: Look
  readonly now: Look
  readonly last: boolean
  readonly measured: readonly Measured[]
  readonly turned: Turned
  readonly flow: Flow
}

const located = ({ measured }: Seen): readonly Measured[] => measured.filter((one) => one.located)

function isPerBatch(signal: string): boolean {
  return signal !== 'executor.count' && signal !== 'group.members'
}

/** The located readings are back. Whether that is the change's doing is another question. */
function cameBack(seen: Seen): Verification {
  const { turned, flow, before, now, window, last } = seen
  if (turned.is === 'old') return verdict(seen, 'by_itself', `it came back, but the setting was not turned: ${turned.how}`)
  const fell = loadFell(before, now, window.from)
  if (fell !== null) return verdict(seen, 'by_itself', `it came back, but ${fell}: whether the change helped cannot be told`)
  const other = newConstraint(seen)
  if (other !== null) return verdict(seen, 'moved', `what was found is gone, but now it is ${other}`)
  if (flow.is === 'usual' || flow.is === 'falls') {
    const unsure =
      turned.is === 'unknown' ? [`whether the setting was turned does not show (${turned.how}); it is taken from whoever applied it`] : []
    const back = located(seen).map(
      (one) =>
        `${isTerm(one.signal) ? terms[one.signal].words : one.signal} ${written(one.now ?? 0, one.unit)} (${written(one.before, one.unit)} before)`,
    )
    return verdict(seen, 'recovered', `recovered: ${[...back, flow.says].join('; ')}`, unsure)
  }
  if (!last) return later(seen, [flow.says])
  return verdict(seen, 'moved', `what was found is gone, but ${flow.says}: ${nextLimit(before, now, window)}`)
}

function notApplied(seen: Seen): Verification {
  const says = `the setting is still the old one: ${seen.turned.how}`
  return seen.last ? verdict(seen, 'not_applied', says) : later(seen, [says])
}

function notBack(seen: Seen): Verification {
  const { last, now } = seen
  const [worst] = located(seen).toSorted((a, b) => (gainOf(a) ?? 0) - (gainOf(b) ?? 0))
  const gain = worst === undefined ? null : gainOf(worst)
  if (worst !== undefined && isWorse(worst, seen)) return verdict(seen, 'worse', `it got worse: ${worst.says}`)
  if (!last) return later(seen, worst === undefined ? [] : [worst.says])
  const named =
    now.attribution.outcome === 'cause' && now.attribution.cause !== seen.proposal.cause
      ? [`the diagnosis now says: ${now.attribution.headline}`]
      : []
  const still = stillNamed(seen) ? [`the diagnosis still says: ${now.attribution.headline}`] : []
  const part = gain === null || gain < NOTHING ? 'it had no effect' : `it brought ${share(Math.min(1, gain))} of what was expected`
  return verdict(seen, 'no_effect', `${part}: ${worst?.says ?? 'nothing moved'}`, [...named, ...still])
}

/** The same trouble at the same place is still what the diagnosis finds. */
function stillNamed({ now, proposal }: Seen): boolean {
  const { outcome, cause, place } = now.attribution
  return outcome === 'cause' && cause === proposal.cause && placeOf(place) === proposal.place
}

/** Another cause, or the same one elsewhere; null = none. */
function newConstraint({ now, proposal }: Seen): string | null {
  const { outcome, cause, place, headline } = now.attribution
  if (outcome !== 'cause' || cause === null || (cause === proposal.cause && placeOf(place) === proposal.place)) return null
  return `${cause.replaceAll('_', ' ')}: ${headline}`
}

/** The reading is further away than before, and the lag grows faster: more idle slots alone, after more executors, are no harm. */
function isWorse({ before, now, expected: [low, high] }: Measured, { flow, before: look }: Seen): boolean {
  if (now === null) return false
  const away = (before > high && now > before * WORSE) || (before < low && now < before / WORSE)
  return away && flow.slope !== null && flow.slope > Math.max(1, WORSE * growthBefore(look))
}

function doesNotRun({ window, now }: Seen): string | null {
  const { timeline } = now
  const since = timeline.now - window.applied
  const failed = timeline.events.findLast((e) => e.kind === 'app_failed' && e.at >= window.applied)
  if (failed !== undefined && window.ended.every((b) => (b.end as number) < failed.at)) {
    return `the query ended ${duration(timeline.now - failed.at)} ago${failed.text === undefined ? '' : ` (${failed.text})`} and has not finished a batch since: take the change back`
  }
  const lag = timeline.lag.v.at(-1) ?? null
  if (timeline.batches.length === 0 || window.ended.length > 0 || since < DEAD_SECONDS || lag === null || lag <= 0) return null
  // A batch may take that long: tasks that run are no sign of a query that does not.
  if (timeline.batches.some(({ open, stages }) => open && stages?.some(({ running }) => running === true))) return null
  return `no batch has ended since it was applied ${duration(since)} ago, while records wait: take the change back`
}

/** What is missing to say anything: readings that were not seen, or too few of them yet. */
function notSeen({ measured, flow, window, now }: Seen): string[] {
  const out = measured
    .filter((one) => one.located && one.back === null)
    .map((one) => {
      const words = isTerm(one.signal) ? terms[one.signal].words : one.signal
      return one.now === null ? words : `${words} for long enough (${window.batches.length} batches count)`
    })
  if (flow.is === 'unseen') out.push('the lag')
  return [...out, ...(out.length === 0 ? [] : now.timeline.gaps.map((gap) => `${gap.source}: ${gap.reason}`).slice(0, 2))]
}

/** Not a batch, at no time: no look becomes better by waiting alone. */
const sawNothing = ({ flow, now }: Seen): boolean => flow.is === 'unseen' && now.timeline.batches.length === 0

function later(seen: Seen, why: readonly string[]): Verification {
  return verdict(seen, null, why.length === 0 ? 'it is too early to say' : `it is too early to say: ${why.join('; ')}`, [], [])
}

function verdict(
  seen: Seen,
  outcome: RecoveryOutcome | null,
  says: string,
  more: readonly string[] = [],
  missing: readonly string[] = [],
): Verification {
  const { measured, turned, window, flow } = seen
  const started =
    window.restarted === true ? [`the query was started anew; its first 5 batches are left out, ${window.batches.length} count`] : []
  return {
    outcome,
    says: capital(says),
    reasons: [
      ...more,
      `setting: ${turned.is === 'unknown' ? 'not shown' : turned.is}, ${turned.how}`,
      ...started,
      ...measured.map((one) => one.says),
      flow.says,
    ],
    measured,
    missing,
  }
}
