/** What the incident costs now: records behind, seconds stale, and how much of it would be there without the cause. */
import type { Attribution } from '../attribution/attribution.ts'
import { count, duration, records, relative, tableNamed } from '../incident/format.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { freshnessHoles, lastSeenBefore } from './chart/holes.ts'
import { lagRead, lastSeen, valueAt } from './line.ts'
import { delayInWords } from './scheduling-words.ts'

/** Seconds after which a lag is no longer called the lag of now. */
const tellAgeFrom = 60

export function costInWords(attribution: Attribution, timeline: Timeline): string[] {
  if (attribution.outcome === 'none') return []
  const delay = delayInWords(attribution.schedulingDelay)
  return [lagInWords(attribution, timeline), delay, stalenessInWords(timeline)].filter((line) => line !== null)
}

/** One short line for where there is room for no more. */
export function costInBrief(attribution: Attribution, timeline: Timeline): string | null {
  if (attribution.outcome === 'none') return null
  const now = lastSeen(timeline.lag)?.v ?? attribution.counterfactual?.lagNow ?? null
  if (now === null) return stalenessInWords(timeline)
  const before = attribution.onset === null ? null : valueAt(timeline.lag, attribution.onset[0])
  if (before === null) return `lag ${records(now)}`
  return now > before ? `lag ${records(now)}, before ${count(before)}` : `lag ${records(now)}, no more than before`
}

function lagInWords(attribution: Attribution, timeline: Timeline): string | null {
  const last = lastSeen(lagRead(timeline.lag, timeline.partitions, timeline.now))
  const now = last?.v ?? attribution.counterfactual?.lagNow ?? null
  if (now === null) return null
  const age = last === null ? 0 : timeline.now - last.t
  const before = attribution.onset === null ? null : valueAt(timeline.lag, attribution.onset[0])
  const was = before === null ? '' : `, ${count(before)} before the onset`
  return `lag ${records(now)}${age > tellAgeFrom ? ` ${relative(-age)}` : ''}${was}${withoutInWords(attribution)}`
}

/** Nobody needs a range whose ends differ by less than this share of the lag. */
const apart = 0.1

function withoutInWords({ counterfactual, also }: Attribution): string {
  if (counterfactual === null) return ''
  const [least, most] = counterfactual.between
  const text =
    most - least > apart * counterfactual.lagNow ? `between ${count(least)} and ${count(most)}` : count(counterfactual.lagWithout)
  return `; without ${also.length > 0 ? 'both causes' : 'this cause'} it would be ${text}`
}

function stalenessInWords(timeline: Timeline): string | null {
  const age = lastSeen(timeline.freshness)
  if (age === null) return null
  const table = tableNamed(timeline.pipeline.sink?.table)
  const window = { from: 0, to: timeline.now }
  const unseenSince = lastSeenBefore(freshnessHoles(timeline, window), window)
  if (unseenSince !== null)
    return `how old the newest data of ${table} is was not seen for ${duration(Math.round(timeline.now - unseenSince))}`
  const objective = timeline.pipeline.objective?.freshness_s
  return `${table} got its newest data ${duration(Math.round(age.v))} ago${objective === undefined ? '' : ` (objective ${duration(objective)})`}`
}
