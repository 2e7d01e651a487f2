/**
 * Which levers are tried for which cause. The order does not matter: of those that are enough the one that is most easily taken back is
 * proposed. `enough`: how sure it has to be that the backlog drains. Where somebody else can end the trouble, a knob that is not sure to
 * is not worth turning; where the knob is the trouble itself, it is right even if something else is short as well.
 */
import type { Fit, Lever } from './lever.ts'
import { levers } from './levers/index.ts'

const {
  consumers,
  executors,
  lostExecutors,
  lowerCap,
  maxRecordsPerPartition,
  minPartitions,
  partitionReassignment,
  raiseCap,
  triggerInterval,
} = levers

export interface Tries {
  readonly levers: readonly Lever[]
  readonly enough: Fit['drains']
}

export const remedies: Readonly<Record<string, Tries>> = {
  hot_partition: { levers: [maxRecordsPerPartition, minPartitions, consumers], enough: 'no' },
  intake_surge: { levers: [minPartitions, executors, consumers, raiseCap], enough: 'likely' },
  consumer_parallelism: { levers: [minPartitions, executors, consumers], enough: 'likely' },
  slow_processing: { levers: [minPartitions, executors], enough: 'surely' },
  executor_loss: { levers: [lostExecutors], enough: 'no' },
  slow_sink: { levers: [raiseCap], enough: 'surely' },
  rate_cap: { levers: [raiseCap, triggerInterval], enough: 'no' },
  memory_gc: { levers: [lowerCap], enough: 'no' },
  broker_degraded: { levers: [partitionReassignment], enough: 'no' },
  leader_or_isr: { levers: [partitionReassignment], enough: 'no' },
}
