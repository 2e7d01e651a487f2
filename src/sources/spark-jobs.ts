/** `/jobs`: newest first, unpaged, about 1,000 kept. Each job says in its description which batch of which query it works for. */

import type { BatchLabel } from './spark-descriptions.ts'
import { isDStreamsDescription, parseDescription, rootExecutionOf } from './spark-descriptions.ts'
import { countAt, entries, instantAt, numberAt, numbersAt, textAt, textsAt } from './spark-fields.ts'

export interface SparkJob {
  readonly id: number
  readonly label: BatchLabel | null
  /** Job group: the run id, unless user code set its own. */
  readonly group: string | null
  /** Root SQL execution, from the tags of Spark 4.x. */
  readonly root: number | null
  readonly startMs: number
  readonly endMs: number | null
  readonly running: boolean
  readonly stageIds: readonly number[]
  readonly tasks: number
  readonly failedTasks: number
  readonly dstreams: boolean
}

/** Null = not a list of jobs. Jobs without id or submission time (not started yet) are dropped. */
export function parseJobs(body: unknown): SparkJob[] | null {
  const list = entries(body)
  if (list === null) return null
  return list.flatMap((entry) => {
    const id = numberAt(entry, 'jobId')
    const startMs = instantAt(entry, 'submissionTime')
    if (id === undefined || startMs === undefined) return []
    const description = textAt(entry, 'description')
    const endMs = instantAt(entry, 'completionTime') ?? null
    return [
      {
        id,
        label: parseDescription(description),
        group: textAt(entry, 'jobGroup') ?? null,
        root: rootExecutionOf(textsAt(entry, 'jobTags')),
        startMs,
        endMs,
        running: textAt(entry, 'status') === 'RUNNING' || (endMs === null && textAt(entry, 'status') !== 'UNKNOWN'),
        stageIds: numbersAt(entry, 'stageIds'),
        tasks: countAt(entry, 'numTasks'),
        failedTasks: countAt(entry, 'numFailedTasks'),
        dstreams: isDStreamsDescription(description),
      },
    ]
  })
}
