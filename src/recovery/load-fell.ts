/** A reader that has less to do recovers with any setting: then nothing is proved about the one that was turned. */
import { gatherFacts } from '../attribution/facts.ts'
import { partitionsNamed, rate } from '../incident/format.ts'
import type { Look } from '../proposal/grounds.ts'
import { rateIn } from '../timeline/level.ts'

/** Less than this share of what came while it was ill. */
const FELL = 0.75

/** @returns what fell, in words; null = it did not, or was not seen */
export function loadFell(before: Look, now: Look, from: number): string | null {
  const { place } = before.attribution
  const then = gatherFacts(before.timeline).intake
  if (then === null) return null
  const meant = (partition: number) => place.partitions.length === 0 || place.partitions.includes(partition)
  const was = then.partitions.filter((one) => meant(one.partition)).reduce((sum, one) => sum + one.now, 0)
  let is = 0
  for (const flow of now.timeline.partitions.filter((one) => meant(one.partition))) {
    const one = rateIn(flow, [from, now.timeline.now])
    if (one === null) return null
    is += one
  }
  if (was <= 0 || is > FELL * was) return null
  const what = place.partitions.length === 0 ? 'intake' : `intake of ${partitionsNamed(place.partitions)}`
  return `${what} fell from ${rate(was)} to ${rate(is)} meanwhile`
}
