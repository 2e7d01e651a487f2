/** A look at the pipeline in motion, judged; and what the engine does not name yet, named by hand. */
import type { Attribution } from '../../src/attribution/attribution.ts'
import type { Evidence, Series } from '../../src/incident/evidence.ts'
import type { Declared } from '../../src/incident/pipeline.ts'
import type { Place } from '../../src/incident/place.ts'
import type { Proposal, Remedy } from '../../src/incident/proposal.ts'
import type { Look } from '../../src/proposal/grounds.ts'
import { judge } from '../../src/workflow/judge.ts'
import type { Motion } from './pipeline.ts'
import { evidenceOf } from './pipeline.ts'

export const undeclared: Declared = { triggerSeconds: null, maxOffsetsPerTrigger: null }

/** Epoch ms of a second since window.from of the pipeline in motion. */
export const msAt = (second: number): number => Date.parse('2026-11-30T13:00:00Z') + second * 1000

/** Everything changes 45 s before it is asked. */
export const since = 3600 - 45
export const changing =
  <T>(before: T, now: T, at = since) =>
  (t: number): T =>
    t < at ? before : now

export function lookOf(evidence: Evidence): Look {
  return judge(evidence)
}

export function lookAt(motion: Motion): Look {
  return lookOf(evidenceOf(motion))
}

/** The same look with another verdict. */
export function named(look: Look, cause: string, place: Partial<Place> = {}): Look {
  const attribution: Attribution = {
    ...look.attribution,
    outcome: 'cause',
    cause,
    place: { topic: 'orders', partitions: [], executor: null, host: null, broker: null, phase: null, ...place },
    headline: `${cause.replaceAll('_', ' ')} was found`,
    howToDecide: null,
  }
  return { ...look, attribution }
}

/** With readings that the pipeline in motion does not have. */
export function withSeries(evidence: Evidence, ...series: readonly Series[]): Evidence {
  return { ...evidence, series: [...evidence.series, ...series] }
}

export function proposed(remedy: Remedy): Proposal {
  if (remedy.kind !== 'proposal') throw new Error(`no proposal: ${JSON.stringify(remedy)}`)
  return remedy
}
