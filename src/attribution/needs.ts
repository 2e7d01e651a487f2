/** Readings that several causes cannot do without, each with the line that gets it. */
import type { Need } from './cause.ts'
import type { Facts } from './facts.ts'

/** Where no batch was seen at all, a cause that acts through them cannot be judged. */
export const batchesSeen: Need = {
  signal: 'batches',
  how: 'add "checkpoint: <folder>" to the pipeline, or let Headwater reach the Spark UI',
  weight: 2.5,
  unmet: (facts) => facts.timeline.batches.length === 0,
}

/** @param unmet whether too little was seen of it for what is asked */
export function logEnds(weight: number, unmet: (facts: Facts) => boolean): Need {
  return { signal: 'partition.log_end_offset', how: 'let Headwater reach the Kafka brokers (Describe on the topic)', weight, unmet }
}

/** A reader that takes less than arrives while its batches are in time is held back by a setting that no system tells. */
export const capOfReader: Need = {
  signal: 'the cap of the reader',
  how: 'batches have time to spare and leave records behind: add "max_offsets_per_trigger: <its maxOffsetsPerTrigger>" to the pipeline',
  weight: 3,
  unmet: ({ behind, episode, timeline }) => {
    const { max_offsets_per_trigger: cap, rate_cap_per_partition_s: rateCap } = timeline.pipeline.reader
    return behind !== null && episode === null && typeof cap !== 'number' && typeof rateCap !== 'number'
  },
}

/** How to get the task times of a batch whose stage has not ended. */
export const stageLater = 'ask again when the running batch has finished a stage, or let Headwater reach the Spark UI'
