/**
 * Which signals of the table this version weighs. What a foreign file holds besides carries no weight; it is named, so that nobody
 * takes silence for "looked at and found normal".
 */
import type { SignalName } from './signal.ts'
import { signals } from './signal.ts'

/** Weighed by timeline or attribution. A test tries each name, and each that is not here, on the engine. */
const weighed: readonly SignalName[] = [
  'partition.log_end_offset',
  'partition.committed_offset',
  'partition.position',
  'partition.lag',
  'partition.leader',
  'partition.complete_to',
  'topic.intake_rate',
  'group.lag',
  'executor.count',
  'executor.slots',
  'executor.task_rate',
  'table.freshness_s',
]

export const judgedSignals: ReadonlySet<string> = new Set<string>(weighed)

/** Everything that can stand in a bundle as a series; events and settings have places of their own. */
export const knownSignals: ReadonlySet<string> = new Set(
  Object.entries(signals)
    .filter(([, { kind }]) => kind !== 'event' && kind !== 'setting')
    .map(([name]) => name),
)
