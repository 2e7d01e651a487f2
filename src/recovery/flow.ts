/** Whether records flow again: the lag is where it usually is, or it falls about as fast as was said; and intake, consumption and lag add up. */
import { gatherFacts } from '../attribution/facts.ts'
import { count, duration, rate, share } from '../incident/format.ts'
import type { Proposal } from '../incident/proposal.ts'
import { ABOUT } from '../proposal/expect.ts'
import type { Look } from '../proposal/grounds.ts'
import { terms } from '../proposal/terms.ts'
import { between, heldAt } from '../timeline/line.ts'
import { median, theilSen } from '../timeline/robust.ts'
import type { Timeline } from '../timeline/timeline.ts'

export interface Flow {
  /** usual: at its baseline, or where the change should bring it; falls: fast enough; falls_slowly; grows (or stands); unseen. */
  readonly is: 'usual' | 'falls' | 'falls_slowly' | 'grows' | 'unseen'
  /** Records/s by which the lag changes; null = not seen. */
  readonly slope: number | null
  readonly says: string
}

/** Readings that a trend needs. */
const ENOUGH = 3
/** Lag that moves less than this share of itself a minute stands still. */
const STANDS = 0.01

export function flowOf({ expects }: Proposal, now: Look, from: number, applied: number): Flow {
  const points = terms['reader.lag'].read(now, from)
  if (points.length < ENOUGH) return withoutCommits(now, applied)
  const latest = median(points.slice(-ENOUGH).map(({ value }) => value))
  const slope = theilSen(points.map(({ at, value }) => [at, value] as const))?.slope ?? 0
  const said = expects.find(({ signal }) => signal === 'reader.lag')
  const usual = said?.to[1] ?? null
  if (usual !== null && latest <= usual)
    return { is: 'usual', slope, says: `the lag is ${count(latest)} records, and at most ${count(usual)} were expected` }
  if (slope >= -Math.max(1, (STANDS * latest) / 60)) {
    const moves = slope > 1 ? `grows by ${rate(slope)}` : 'does not fall'
    return { is: 'grows', slope, says: `the lag is ${count(latest)} records and ${moves}` }
  }
  const left = (latest - (usual ?? 0)) / -slope
  const gone = now.timeline.now - applied + left
  const falls = `the lag is ${count(latest)} records and falls by ${rate(-slope)}`
  if (said === undefined || gone <= ABOUT * said.within[1])
    return { is: 'falls', slope, says: `${falls}: as low as expected in ${duration(left)}` }
  return {
    is: 'falls_slowly',
    slope,
    says: `${falls}, as low as expected in ${duration(left)}; it was said to take ${duration(said.within[1])} in all`,
  }
}

/** A reader that commits next to nothing: its lag now against that at the change can only show that it grows. */
function withoutCommits({ timeline }: Look, applied: number): Flow {
  const then = between(timeline.lag, applied) ?? heldAt(timeline.lag, applied)
  const lag = timeline.lag.v.at(-1) ?? null
  const slope = then === null || lag === null || timeline.now <= applied ? null : (lag - then) / (timeline.now - applied)
  if (slope === null || lag === null || slope <= 1) return { is: 'unseen', slope, says: 'the lag was not seen often enough since' }
  return { is: 'grows', slope, says: `the lag is ${count(lag)} records and grows by ${rate(slope)}` }
}

/** Records/s by which the lag grew while it was ill; 0 where that was not seen. */
export function growthBefore({ timeline }: Look): number {
  const since = gatherFacts(timeline).episode?.since ?? null
  const then = since === null ? null : heldAt(timeline.lag, since)
  const lag = timeline.lag.v.at(-1) ?? null
  return since === null || then === null || lag === null || timeline.now <= since ? 0 : Math.max(0, (lag - then) / (timeline.now - since))
}

/** |change of lag - (arrived - finished)| over the larger of the two: above this the readings contradict each other (engine.md §3.2). */
const CLOSED = 0.15

/** What does not add up between two commits, in words; null = it adds up, or too little was seen to tell. */
export function openAccount({ timeline }: Look, first: number, last: number): string | null {
  const [a, b] = [sums(timeline, first), sums(timeline, last)]
  const [before, after] = [heldAt(timeline.lag, first), heldAt(timeline.lag, last)]
  if (a === null || b === null || before === null || after === null || last <= first) return null
  const [arrived, finished] = [b.log - a.log, b.read - a.read]
  const most = Math.max(arrived, finished)
  if (most <= 0) return null
  const error = Math.abs(after - before - (arrived - finished)) / most
  return error <= CLOSED ? null : `intake, consumption and lag do not add up by ${share(error)}`
}

function sums({ partitions }: Timeline, at: number): { log: number; read: number } | null {
  let [log, read] = [0, 0]
  for (const { logEnd, arrived, position } of partitions) {
    const end = between(logEnd, at) ?? between(arrived, at)
    const done = heldAt(position, at)
    if (end === null || done === null) return null
    log += end
    read += done
  }
  return partitions.length === 0 ? null : { log, read }
}
