/**
 * "Without it the lag would be …": the reader is run once more from its last well batch on, with the doing of the cause taken away and
 * everything else as it was. A cause that removes less than half of the peak cannot be the one that matters (engine.md §3.6).
 */
import type { Account } from '../timeline/account.ts'
import type { IntakeChange } from '../timeline/intake.ts'
import { known } from '../timeline/line.ts'
import { quantile, theilSen } from '../timeline/robust.ts'
import { arrivalsOf, withoutUploads } from './arrivals.ts'
import type { Counterfactual } from './attribution.ts'
import type { Facts } from './facts.ts'
import type { ReaderModel } from './reader-model.ts'
import { courseOf, waitAt } from './reader-model.ts'
import { without } from './without.ts'
import { intakeWithout } from './without-intake.ts'

/** From so many batches, whose rows differ so much, fixed time and time by rows can be told apart (engine.md §3.2). */
const FIT_BATCHES = 20
const FIT_RANGE = 1.5
/** A longest wait this little above the usual, as a share of it, leaves nothing to remove. */
const VISIBLE = 0.25
/** How long records usually wait at most: the upper edge of a saw-tooth. */
const USUAL_PEAK = 0.9

/** null where the doing of one of the causes, the lag or the intake is not known, or nothing is ill. @param causes taken away together */
export function counterfactual(causes: readonly string[], facts: Facts): Counterfactual | null {
  const { timeline, episode, usual, intake } = facts
  const rest = causes.reduce<Facts | null>((left, cause) => left && without(cause, left), facts)
  if (rest === null || episode === null || usual === null || intake === null || rest.intake === null) return null
  const lagThen = known(timeline.lag, Number.NEGATIVE_INFINITY, episode.since).at(-1)
  const lagNow = timeline.lag.v.at(-1) ?? null
  if (lagThen === undefined || lagNow === null) return null
  // The lag was read after a commit: up to there everything is as it was, from there on it grows by what would have arrived.
  const [at, lag] = lagThen
  const done = arrivalsOf(timeline.intake, intake.before, timeline.now, 1).by(at) - lag
  const courses = fixedShares(facts).map((fixed) => {
    const model = modelOf(facts, rest, fixed)
    return courseOf(model, { at: episode.since, lag: Math.max(0, model.arrivals.by(episode.since) - done) }, timeline.now)
  })
  const lags = courses.map((course) => Math.min(lagNow, course.lag))
  return {
    lagNow: Math.round(lagNow),
    lagWithout: Math.round(lags[0] as number),
    between: [Math.round(Math.min(...lags)), Math.round(Math.max(...lags))],
    removed: removed(
      facts,
      courses.map((course) => course.longestWait),
    ),
  }
}

/** Share of the peak above the usual that goes, at the end of the interval that is kinder to the cause: only a clear case refutes it. */
function removed(facts: Facts, waits: readonly number[]): number | null {
  const { timeline, episode, intake, base } = facts
  const first = base[0]
  if (episode === null || intake === null || first === undefined) return null
  const arrivals = arrivalsOf(timeline.intake, intake.before, timeline.now, 1)
  const waited = (from: number, to: number) => known(timeline.lag, from, to).map(([t, lag]) => waitAt(arrivals, arrivals.by(t) - lag, t))
  const [before, since] = [waited(first.start, episode.since), waited(episode.since, timeline.now)]
  if (before.length === 0 || since.length === 0) return null
  const usual = quantile(before, USUAL_PEAK)
  const above = Math.max(...since) - usual
  if (above <= VISIBLE * usual) return null
  return Math.max(0, Math.min(1, (Math.max(...since) - Math.min(...waits)) / above))
}

/** Share of the jobs' time that does not grow with rows: from a fit over well batches, or else both ends of what is possible. */
function fixedShares({ base, usual }: Facts): readonly number[] {
  const points = base.flatMap((b) => (typeof b.rows === 'number' && b.rows > 0 ? [[b.rows, b.seconds] as const] : []))
  const rows = points.map(([n]) => n)
  const scaling = usual?.jobs ?? usual?.seconds ?? 0
  if (points.length >= FIT_BATCHES && Math.max(...rows) >= FIT_RANGE * Math.min(...rows) && usual?.rows && scaling > 0) {
    const fit = theilSen(points)
    if (fit !== null) return [Math.max(0, Math.min(1, 1 - (fit.slope * usual.rows) / scaling))]
  }
  return [0, 1]
}

function modelOf(facts: Facts, rest: Facts, fixed: number): ReaderModel {
  const { timeline, episode, usual, intake } = facts
  const { triggerS, zeroS } = timeline
  const byId = new Map(rest.ill.map((account) => [account.id, account]))
  // Records that came late, at once, are taken out where they came; what else is less is a share of all that came since it changed.
  const uploads = rest.lateness?.records === 0 ? (facts.lateness?.partitions ?? []) : []
  const level = uploads.length > 0 ? intakeWithout('late', facts) : intake
  const share = level !== null && rest.intake !== null && level.now > 0 ? rest.intake.now / level.now : 1
  const ill = (episode?.ill ?? []).filter((b) => !b.open)
  return {
    arrivals: arrivalsOf(
      withoutUploads(timeline.intake, uploads),
      intake?.before ?? 0,
      intake === null ? timeline.now : changeOf(intake),
      share,
    ),
    seconds(start, rows) {
      // A batch that would begin now is as slow as the one that really ran then, less the cause; between them and after, as usual.
      const batch = ill.find((b) => b.start <= start && start < (b.end as number))
      const account = batch === undefined ? usual : (byId.get(batch.id) ?? usual)
      return account === null ? 0 : secondsFor(account, rows, fixed)
    },
    nextTrigger: triggerS === null ? null : (after) => (Math.floor((zeroS + after) / triggerS + 1e-9) + 1) * triggerS - zeroS,
    cap: timeline.pipeline.reader.max_offsets_per_trigger ?? Number.POSITIVE_INFINITY,
  }
}

/** When the new level of the intake began: in the first interval that may hold some of it already. */
const changeOf = ({ step, nowWindow }: IntakeChange): number => (step?.between[1] === nowWindow[0] ? step.between[0] : nowWindow[0])

function secondsFor(account: Account, rows: number, fixed: number): number {
  if (account.rows === null || account.rows <= 0) return account.seconds
  const scaling = account.jobs ?? account.seconds
  return account.seconds - scaling + scaling * (fixed + (1 - fixed) * (rows / account.rows))
}
