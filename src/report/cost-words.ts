/** What the incident costs now: records behind, seconds stale, and how much of it would be there without the cause. */
import type { Attribution } from '../attribution/attribution.ts'
import { count, duration, records } from '../incident/format.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { lastSeen, valueAt } from './line.ts'

export function costInWords(attribution: Attribution, timeline: Timeline): string[] {
  if (attribution.outcome === 'none') return []
  return [lagInWords(attribution, timeline), stalenessInWords(timeline)].filter((line) => line !== null)
}

function lagInWords(attribution: Attribution, timeline: Timeline): string | null {
  const now = lastSeen(timeline.lag)?.v ?? attribution.counterfactual?.lagNow ?? null
  if (now === null) return null
  const before = attribution.onset === null ? null : valueAt(timeline.lag, attribution.onset[0])
  const was = before === null ? '' : `, ${count(before)} before the onset`
  const without =
    attribution.counterfactual === null ? '' : `; without this cause it would be ${count(attribution.counterfactual.lagWithout)}`
  return `lag ${records(now)}${was}${without}`
}

function stalenessInWords(timeline: Timeline): string | null {
  const age = lastSeen(timeline.freshness)
  if (age === null) return null
  const objective = timeline.pipeline.objective?.freshness_s
  const table = timeline.pipeline.sink?.table ?? 'the table'
  return `${table} got its newest data ${duration(Math.round(age.v))} ago${objective === undefined ? '' : ` (objective ${duration(objective)})`}`
}
