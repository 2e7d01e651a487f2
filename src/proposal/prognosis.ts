/** What becomes of a pipeline if nobody changes anything: often the most useful sentence at night. */
import { count, duration, rate } from '../incident/format.ts'
import { lineOf } from './batch-line.ts'
import { bounds } from './bounds.ts'
import { drainOf } from './drain.ts'
import type { Grounds } from './grounds.ts'
import { seconds } from './interval.ts'

/**
 * A reader without a cap takes what there is, so its batches grow until one takes as long as the next needs to fill: T = a / (1 - b λ)
 * (engine.md §3.2). At b λ >= 1 they never settle.
 */
export function settlesAt(grounds: Grounds): string | null {
  const { model } = grounds
  if (model === null) return null
  const { fixed, perRecord } = lineOf(grounds, model)
  const at = (a: number, b: number): number =>
    b * model.intake < 1 ? Math.max(model.period, a / (1 - b * model.intake)) : Number.POSITIVE_INFINITY
  const [low, high] = [at(fixed[0], perRecord[0]), at(fixed[1], perRecord[1])]
  if (!Number.isFinite(low))
    return `Without a change batches only get longer: ${rate(model.intake)} arrive, more than are worked off however large a batch is.`
  const objective = grounds.evidence.pipeline.objective?.freshness_s
  const kept =
    objective === undefined
      ? ''
      : low > objective
        ? `, and the objective of ${duration(objective)} stays broken`
        : high > objective
          ? `, and the objective of ${duration(objective)} may be broken`
          : `, within the objective of ${duration(objective)}`
  if (high <= model.period) return null
  return Number.isFinite(high)
    ? `Without a change batches settle at ${seconds([low, high])}: the table gets its commits that far apart${kept}.`
    : `Without a change batches settle at ${duration(low)} at best, and grow without end at worst${kept}.`
}

/** How long the backlog lasts once `intake` records/s arrive again. */
export function drainsOnceBack(grounds: Grounds, intake: number): string | null {
  const { model } = grounds
  if (model === null) return null
  const { perRecord } = lineOf(grounds, model)
  const drain = drainOf({ lag: model.lag, intake, restart: 0 }, [1 / perRecord[1], 1 / perRecord[0]])
  if (drain === null || model.lag <= 0) return null
  if (drain[1] !== null && drain[1] <= 2 * model.period)
    return `Once ${rate(intake)} arrive again, the ${count(model.lag)} records that wait are gone with the next batches.`
  return `Once ${rate(intake)} arrive again, the ${count(model.lag)} records that wait are gone ${drain[1] === null ? `after ${duration(drain[0])} at the earliest` : `after ${seconds([drain[0], Math.max(drain[0], drain[1])])}`}.`
}

/** Records/s that one task works off within a trigger, measured. */
export function oneTask(grounds: Grounds): number | null {
  const { model } = grounds
  return model === null
    ? null
    : Math.max(0, (bounds.fillsTrigger * model.period - model.fixed[1] - model.perTask) / model.perRow[1]) / model.period
}
