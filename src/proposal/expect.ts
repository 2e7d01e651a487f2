/**
 * What a change should do, as intervals that are frozen with it. The reading that found the trouble must come back to where it usually
 * is (its middle, give or take twice its scatter or the smallest difference that matters), or to where the change is worked out to
 * bring it, whichever is wider; and the lag must fall.
 */

import type { Expectation } from '../incident/expectation.ts'
import { count, duration, rate, share } from '../incident/format.ts'
import type { Knob } from '../incident/knob.ts'
import { knobs } from '../incident/knob.ts'
import { known } from '../timeline/line.ts'
import { median, quantile, spread } from '../timeline/robust.ts'
import type { BatchModel, Planned } from './batch-model.ts'
import { bounds } from './bounds.ts'
import { drainOf } from './drain.ts'
import type { Grounds } from './grounds.ts'
import type { Interval } from './interval.ts'
import { seconds, shares } from './interval.ts'
import type { Term, TermName } from './terms.ts'
import { terms } from './terms.ts'

/** Batches after a restart that judge nothing (rig-spark.md T13), and seconds that any change gets to act (engine.md §3.9). */
const COLD_BATCHES = 5
const SETTLE_SECONDS = 60
/** A reading has come back when it stays for so many batches and so long, s (engine.md §3.9). */
export const HOLD_BATCHES = 5
export const HOLD_SECONDS = 180

/** A rate within a quarter of what was said is what was said (engine.md §3.9). */
export const ABOUT = 1.25

export interface Timing {
  /** Nothing counts before, seconds from the application. */
  readonly settled: number
  /** By then it should have held for long enough. */
  readonly held: number
  readonly restart: number
}

/** @param batch longest that a batch should take afterwards, s */
export function timing(knob: Knob, period: number, batch: number, drain: number): Timing {
  const restart = knobs[knob].restarts ? bounds.restartSeconds : 0
  const settled = Math.max(SETTLE_SECONDS, restart + (knobs[knob].restarts ? COLD_BATCHES : 2) * Math.max(period, batch))
  return {
    settled,
    restart,
    held: settled + Math.min(drain, bounds.catchUpSeconds) + Math.max(HOLD_SECONDS, HOLD_BATCHES * Math.max(period, batch)),
  }
}

/** Values of a term in the batches that were well, and in the slow ones. */
export function levels(grounds: Grounds, name: TermName): { readonly usual: readonly number[]; readonly now: readonly number[] } {
  const { facts } = grounds
  const term: Term = terms[name]
  const since = facts.episode?.since ?? grounds.timeline.now - SETTLE_SECONDS
  const first = facts.base[0]?.start ?? Number.NEGATIVE_INFINITY
  const all = term.read(grounds, first)
  const ill = facts.episode === null ? [] : all.filter(({ at }) => at > facts.episode!.from)
  const rest = ill.length > 0 ? ill : all.filter(({ at }) => at >= since)
  // Where no batch is too long nobody can say since when it is so: then nothing of what is kept is surely usual.
  const base = facts.episode === null ? [] : all.filter(({ at }) => at <= since)
  return { usual: base.map((one) => one.value), now: rest.map((one) => one.value) }
}

/** Where a term usually is; null with fewer than 5 readings. */
export function band(name: TermName, usual: readonly number[]): Interval | null {
  if (usual.length < 5) return null
  const middle = median(usual)
  const reach = Math.max(terms[name].floor, 2 * spread(usual))
  return [Math.max(0, middle - reach), middle + reach]
}

export interface Located {
  /** A share: what found the constraint must not depend on how much waits. */
  readonly name: TermName
  /** What it is now: the worst of the slow batches. */
  readonly now: number
  /** Where the change is worked out to bring it. */
  readonly predicted: Interval
  readonly timing: Timing
}

/** The reading that found the constraint. What it is now is never among what is expected, or it would have come back at once. */
export function located(grounds: Grounds, { name, now, predicted, timing: { settled, held } }: Located): Expectation {
  const usual = band(name, levels(grounds, name).usual)
  const wide: Interval = usual === null ? predicted : [Math.min(predicted[0], usual[0]), Math.max(predicted[1], usual[1])]
  const to = away(now, wide, terms[name]) ? wide : short(now, predicted, terms[name])
  const { unit, words } = terms[name]
  return {
    signal: name,
    from: rounded(now),
    to: [rounded(to[0]), rounded(to[1])],
    unit,
    within: [Math.round(settled), Math.round(held)],
    located: true,
    says: `${words}: ${share(now)} now, ${terms[name].better === 'higher' ? `at least ${share(to[0])}` : to[0] <= 0 ? `at most ${share(to[1])}` : shares(to)} within ${about(held)}, and it stays there`,
  }
}

/**
 * Slots that idle beside a long task, for changes that divide it. What starting a task costs the scheduler is not in the model: so much
 * more than worked out is no difference that matters.
 */
export function idleExpected(grounds: Grounds, { slots }: BatchModel, now: Planned, after: Planned, when: Timing): Expectation {
  const name = 'stage.idle_slot_share'
  const idle = (plan: Planned): number => 1 - plan.total / (slots * plan.span[1])
  const seen = levels(grounds, name).now
  return located(grounds, {
    name,
    now: seen.length === 0 ? idle(now) : Math.max(...seen),
    predicted: [0, idle(after) + terms[name].floor],
    timing: when,
  })
}

/** The reader's load, for changes of what it can do in a time. */
export function loadExpected(grounds: Grounds, { period }: BatchModel, now: Planned, after: Planned, when: Timing): Expectation {
  const seen = levels(grounds, 'reader.load').now
  return located(grounds, {
    name: 'reader.load',
    now: seen.length === 0 ? now.seconds[1] / period : Math.max(...seen),
    predicted: [after.seconds[0] / period, after.seconds[0] > period ? after.seconds[1] / period : 1],
    timing: when,
  })
}

function away(value: number, [low, high]: Interval, { better, floor }: Term): boolean {
  return better === 'lower' ? value > high + floor : value < low - floor
}

/** The side of an interval that is nearer to good than a value, by at least the smallest difference that matters. */
function short(value: number, [low, high]: Interval, { better, floor }: Term): Interval {
  if (better === 'higher') {
    const end = Math.max(low, value + floor)
    return [end, Math.max(high, end)]
  }
  const end = Math.max(0, Math.min(high, value - floor))
  return [Math.min(low, end), end]
}

/** Records finished over records that arrive: above 1 while a backlog drains, 1 for good; below it as far as the new rate falls short. */
export function flowExpected(grounds: Grounds, now: number, rates: Interval, intake: number, when: Timing): Expectation {
  const name = 'reader.flow_ratio'
  const seen = levels(grounds, name).now
  const low = Math.min(1, rates[0] / intake) - terms[name].floor
  return located(grounds, {
    name,
    now: seen.length === 0 ? now : Math.min(...seen),
    predicted: [low, Math.max(1, rates[1] / intake)],
    timing: when,
  })
}

/** How sure it is that the backlog drains. @param pace records/s that are worked off most likely */
export function drainsHow(drains: Draining | null, pace: number, intake: number): 'surely' | 'likely' | 'perhaps' | 'no' {
  if (drains === null) return 'no'
  return drains.surely ? 'surely' : pace > intake ? 'likely' : 'perhaps'
}

/** The longest batch so far, s. */
export function longestBatch({ facts }: Grounds): number {
  return Math.max(facts.usual?.seconds ?? 0, ...(facts.episode?.ill ?? facts.well).map((b) => b.seconds))
}

/** How long batches take once the backlog is gone; nothing where they would only grow, and where they may, at least no longer than now. */
export function batchDuration(grounds: Grounds, [low, high]: Interval, { settled, held }: Timing): Expectation[] {
  if (!Number.isFinite(low)) return []
  const now = longestBatch(grounds)
  const predicted: Interval = [Math.min(low, now), Math.min(high, Math.max(low, now))]
  return [
    {
      signal: 'batch.duration_s',
      from: rounded(now),
      to: [rounded(predicted[0]), rounded(predicted[1])],
      unit: 's',
      within: [Math.round(settled), Math.round(held)],
      located: false,
      says: `batches: up to ${duration(now)} now, ${seconds(predicted)} within ${about(held)}`,
    },
  ]
}

/** What the lag does where it does not drain, said beforehand: it grows by so many records/s while so many arrive. */
export function growing(grounds: Grounds, perSecond: number, intake: number, { settled, held }: Timing): Expectation {
  const seen = levels(grounds, 'reader.lag_growth').now
  const now = seen.length === 0 ? perSecond : median(seen)
  return {
    signal: 'reader.lag_growth',
    from: rounded(now),
    // A backlog cannot fall faster than by what is taken besides.
    to: [-Math.round(intake), Math.max(1, Math.round(perSecond * ABOUT))],
    unit: 'records/s',
    within: [Math.round(settled), Math.round(held)],
    located: false,
    says: perSecond < 1 ? 'lag: it does not grow any more' : `lag: it still grows, by ${rate(perSecond)}`,
  }
}

/** Lag that is nothing unusual: 95 of 100 readings of the time before lay below, records; 0 where no time before is known. */
export function usualLag({ facts, timeline }: Grounds): number {
  const { episode, base } = facts
  if (episode === null) return 0
  const values = known(timeline.lag, base[0]?.start ?? episode.since - 300, episode.since).map(([, value]) => value)
  return values.length === 0 ? Math.max(0, facts.lag?.before ?? 0) : quantile(values, 0.95)
}

export interface Draining {
  /** At the lower rate as well. */
  readonly surely: boolean
  readonly expects: Expectation
  /** Seconds to the end of the backlog at the latest; the catch-up time where it may take longer. */
  readonly latest: number
  /** One line for the arithmetic. */
  readonly line: string
}

/**
 * @param rates records/s that the reader should work off afterwards
 * @param intake records/s that arrive meanwhile
 * @param batch where batches settle afterwards, s: what arrives during one, or during a trigger, waits when it is committed
 * @returns null where even the upper one does not drain: what the lag does then is the caller's to say
 */
export function draining(grounds: Grounds, rates: Interval, intake: number, restart: number, batch: Interval): Draining | null {
  const lag = grounds.facts.lag?.now ?? grounds.timeline.lag.v.at(-1) ?? 0
  const drain = drainOf({ lag, intake, restart }, rates)
  if (drain === null) return null
  const longest = Math.max(grounds.timeline.triggerS ?? 0, Number.isFinite(batch[1]) ? batch[1] : batch[0])
  const usual = Math.max(usualLag(grounds), intake * longest)
  const latest = drain[1] ?? bounds.catchUpSeconds
  const pause = restart === 0 ? '' : ` + ${count(intake)} × ${duration(restart)} while it restarts`
  const by =
    drain[1] === null
      ? `at the earliest after ${duration(drain[0])}; at the lower rate it does not drain`
      : `after ${seconds([drain[0], drain[1]])}`
  return {
    surely: drain[1] !== null,
    latest,
    line: `backlog: ${count(lag)} records${pause}, worked off at ${count(rates[0])} to ${count(rates[1])} records/s while ${count(intake)} arrive: gone ${by}`,
    expects: {
      signal: 'reader.lag',
      from: Math.round(lag),
      to: [0, Math.round(usual)],
      unit: 'records',
      within: [Math.round(restart), Math.round(latest)],
      located: false,
      says: `lag: ${count(lag)} records now, ${drain[1] === null ? `falling to ${count(usual)}` : `at most ${count(usual)} within ${about(latest)}`}`,
    },
  }
}

/** Nobody means seconds in "within 9 min 44 s": full minutes, upwards, from two minutes on. */
const about = (seconds: number): string => duration(seconds > 120 ? 60 * Math.ceil(seconds / 60) : Math.ceil(seconds))

/** Equal evidence gives equal bytes, whatever the last bit of a sum says. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000
