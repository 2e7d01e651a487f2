/** One frozen expectation against the readings since: back only where it stays inside for five readings and three minutes (engine.md §3.9). */
import type { Expectation } from '../incident/expectation.ts'
import { count, duration, share } from '../incident/format.ts'
import { HOLD_BATCHES, HOLD_SECONDS } from '../proposal/expect.ts'
import type { Look } from '../proposal/grounds.ts'
import type { Term } from '../proposal/terms.ts'
import { isTerm, terms } from '../proposal/terms.ts'
import { median } from '../timeline/robust.ts'
import type { Measured } from './verification.ts'

/** On a shared machine one calm batch in ten strays (rig-spark.md §5): one in five may. */
const INSIDE_SHARE = 0.8

/** What is worked out beforehand is right to a twentieth; what found the constraint has its own scatter in its interval already. */
const ROUGHLY = 1.05

/** Better than expected is good too: only the end towards worse can be missed. */
function isGood({ to, located }: Expectation, term: Term | null): (value: number) => boolean {
  const near = located ? 1 : ROUGHLY
  return term?.better === 'higher' ? (value) => value >= to[0] / near : (value) => value <= to[1] * near
}

/**
 * @param from seconds since window.from of `now` from which on readings count
 * @param acting from which on the setting acts; readings between the two (cold batches, two batches to settle) can show that it does
 * nothing once the time for it is over, never that it helps
 * @param over whether that time is over
 */
export function measure(expectation: Expectation, now: Look, from: number, acting: number, over: boolean): Measured {
  const { signal, unit, located, to } = expectation
  const term: Term | null = isTerm(signal) ? terms[signal] : null
  const good = isGood(expectation, term)
  const readings = term?.read(now, from) ?? []
  const early = over && readings.length < HOLD_BATCHES ? (term?.read(now, acting, true) ?? []) : []
  const last = readings.at(-1)
  const tail = last === undefined ? [] : readings.filter(({ at }) => at >= last.at - HOLD_SECONDS)
  const held = early.length > readings.length ? early : tail.length >= HOLD_BATCHES ? tail : readings.slice(-HOLD_BATCHES)
  const value = held.length === 0 ? null : median(held.map((one) => one.value))
  const inside = held.filter((one) => good(one.value)).length
  const long = held !== early && (located ? enough(readings.map(({ at }) => at)) : held.length > 0)
  // A few long batches that are all as bad as before are no reason to wait for more of them.
  const hopeless = inside === 0 && (over || now.timeline.now - from >= HOLD_SECONDS)
  const back = value === null || (!long && !hopeless) ? null : long && good(value) && inside >= INSIDE_SHARE * held.length
  return {
    signal,
    unit,
    located,
    before: expectation.from,
    now: value,
    expected: to,
    back,
    says: words(expectation, value, held.length, back),
  }
}

/** Five readings, over three minutes. */
function enough(times: readonly number[]): boolean {
  const [first, last] = [times[0], times.at(-1)]
  return first !== undefined && last !== undefined && times.length >= HOLD_BATCHES && last - first >= HOLD_SECONDS
}

/** How much of the way from before to the nearer end of what was expected; 1 = all of it. null = not seen. */
export function gainOf({ before, now, expected: [low, high] }: Measured): number | null {
  if (now === null) return null
  const target = before > high ? high : before < low ? low : before
  return target === before ? 1 : (before - now) / (before - target)
}

/** @param name what is measured: a unit that it names already is not said again */
function writtenOf(name: string, unit: string): (value: number) => string {
  return (value) => (unit !== '' && unit !== 's' && unit !== 'share' && name.includes(unit) ? count(value) : written(value, unit))
}

export function written(value: number, unit: string): string {
  if (unit === 'share') return share(value)
  return unit === 's' ? duration(value) : `${count(value)} ${unit}`
}

function words({ signal, from, to, unit }: Expectation, value: number | null, readings: number, back: boolean | null): string {
  const name = isTerm(signal) ? terms[signal].words : signal
  const said = writtenOf(name, unit)
  const wanted = to[0] <= 0 ? `at most ${said(to[1])}` : to[0] === to[1] ? said(to[0]) : `${said(to[0])} to ${said(to[1])}`
  if (value === null) return `${name}: not seen since; ${said(from)} before, ${wanted} expected`
  const state = back === null ? `, not for long enough to judge (${readings} readings)` : back ? '' : ': not there'
  return `${name}: ${said(value)} now, ${said(from)} before, ${wanted} expected${state}`
}
