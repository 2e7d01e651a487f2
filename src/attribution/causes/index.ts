/** Every cause that can be named: one file, one line. */
import type { Cause } from '../cause.ts'
import { causeOf } from '../cause-of.ts'
import { executorLoss } from './executor-loss.ts'
import { hotPartition } from './hot-partition.ts'
import { intakeSurge } from './intake-surge.ts'
import { none } from './none.ts'
import { slowProcessing } from './slow-processing.ts'
import { slowSink } from './slow-sink.ts'
import { sourceStall } from './source-stall.ts'
import { upstreamLate } from './upstream-late.ts'

const files = [executorLoss, hotPartition, intakeSurge, none, slowProcessing, slowSink, sourceStall, upstreamLate]

export const causes: readonly Cause[] = files.map(causeOf)
