/** Evidence in, verdict out: the same for a live look and for a bundle from anywhere. */
import { attribute } from '../attribution/attribute.ts'
import type { Attribution } from '../attribution/attribution.ts'
import type { Evidence } from '../incident/evidence.ts'
import { buildTimeline } from '../timeline/build.ts'
import type { Timeline } from '../timeline/timeline.ts'

export interface Judgement {
  readonly evidence: Evidence
  readonly timeline: Timeline
  readonly attribution: Attribution
}

export function judge(evidence: Evidence): Judgement {
  const timeline = buildTimeline(evidence)
  return { evidence, timeline, attribution: attribute(timeline) }
}
