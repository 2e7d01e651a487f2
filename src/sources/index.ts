/** All ways of looking at a pipeline. A new source is one file beside this one and one line here. */
import type { Source } from '../workflow/ports.ts'
import { checkpoint } from './checkpoint.ts'
import { delta } from './delta.ts'
import { kafkaGroup } from './kafka-group.ts'
import { kafkaPartitions } from './kafka-partitions.ts'
import { eventLog } from './spark-event-log.ts'
import { sparkUi } from './spark-ui.ts'

export const sources: readonly Source[] = [kafkaPartitions, kafkaGroup, sparkUi, checkpoint, eventLog, delta]
