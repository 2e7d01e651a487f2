/** Every lever there is: one file a knob, one line. */
import type { Lever } from '../lever.ts'
import { consumers } from './consumers.ts'
import { executors } from './executors.ts'
import { lostExecutors } from './lost-executors.ts'
import { lowerCap, raiseCap } from './max-offsets-per-trigger.ts'
import { maxRecordsPerPartition } from './max-records-per-partition.ts'
import { minPartitions } from './min-partitions.ts'
import { partitionReassignment } from './partition-reassignment.ts'
import { triggerInterval } from './trigger-interval.ts'

export const levers = {
  consumers,
  executors,
  lostExecutors,
  lowerCap,
  maxRecordsPerPartition,
  minPartitions,
  partitionReassignment,
  raiseCap,
  triggerInterval,
} as const satisfies Record<string, Lever>
