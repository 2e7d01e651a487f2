/** What every lever looks at, worked out once: the evidence, what was made of it, and what the owners say. */
import type { Attribution } from '../attribution/attribution.ts'
import type { Facts } from '../attribution/facts.ts'
import { gatherFacts } from '../attribution/facts.ts'
import type { Evidence } from '../incident/evidence.ts'
import type { Tried } from '../incident/incident.ts'
import type { Declared } from '../incident/pipeline.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { BatchModel } from './batch-model.ts'
import { batchModel } from './batch-model.ts'

/** One look at a pipeline, judged. */
export interface Look {
  readonly evidence: Evidence
  readonly timeline: Timeline
  readonly attribution: Attribution
}

export interface Grounds extends Look {
  readonly facts: Facts
  readonly declared: Declared
  /** Changes of this incident that were applied, oldest first. */
  readonly tried: readonly Tried[]
  /** When the evidence was asked for, epoch ms: the "now" of every rule here. */
  readonly nowMs: number
  /** null = too little was seen to work batches out. */
  readonly model: BatchModel | null
}

export function groundsOf(look: Look, declared: Declared, tried: readonly Tried[]): Grounds {
  const facts = gatherFacts(look.timeline)
  return { ...look, facts, declared, tried, nowMs: Date.parse(look.evidence.asked_at), model: batchModel(facts) }
}

export function isSpark({ evidence }: Pick<Look, 'evidence'>): boolean {
  return evidence.pipeline.reader.kind === 'spark-structured-streaming'
}

/** Newest reading of a gauge that has no entity; null = not seen. */
export function newest({ evidence }: Pick<Look, 'evidence'>, signal: string): number | null {
  let found: { readonly at: number; readonly value: number } | null = null
  for (const one of evidence.series.filter((series) => series.signal === signal)) {
    for (let i = one.t.length - 1; i >= 0; i--) {
      const value = one.v[i] ?? null
      if (value === null) continue
      const at = one.t[i] as number
      if (found === null || at > found.at) found = { at, value }
      break
    }
  }
  return found?.value ?? null
}
