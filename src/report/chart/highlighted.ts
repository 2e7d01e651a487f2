/** The partitions the verdict points at: drawn in colour with a name; all others stand back. */
import type { Attribution } from '../../attribution/attribution.ts'
import type { PartitionFlow, Timeline } from '../../timeline/timeline.ts'

/** More than three coloured lines are a tangle. */
const mostHighlighted = 3

export function highlightedFlows(timeline: Timeline, attribution: Attribution | null): PartitionFlow[] {
  const place = attribution?.place
  if (place === undefined || place.partitions.length === 0) return []
  return timeline.partitions
    .filter((flow) => place.partitions.includes(flow.partition) && (place.topic === null || place.topic === flow.topic))
    .slice(0, mostHighlighted)
}

/** With several topics a bare number would be ambiguous. */
export function flowName(flow: PartitionFlow, timeline: Timeline): string {
  return timeline.pipeline.topics.length > 1 ? `${flow.topic} ${flow.partition}` : `partition ${flow.partition}`
}

export function briefFlowName(flow: PartitionFlow, timeline: Timeline): string {
  return timeline.pipeline.topics.length > 1 ? flowName(flow, timeline) : `p${flow.partition}`
}
