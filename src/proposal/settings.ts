/**
 * What the settings are now. No system tells most of them, so they are inferred from what the reader does where that is beyond doubt,
 * and asked for where it is not: a proposal that starts from a guess is no bounded change.
 */

import { duration, grouped } from '../incident/format.ts'
import type { Knob, Setting } from '../incident/knob.ts'
import { heldAt } from '../timeline/line.ts'
import type { Grounds } from './grounds.ts'
import { newest } from './grounds.ts'
import { counts } from './interval.ts'
import { batchesWithTasks, pinnedRows } from './seen-settings.ts'
import { tasksByMaxRecords, tasksByMinPartitions } from './split-ranges.ts'

/** Nobody told, and nothing shows it. */
export interface Unknown {
  readonly unknown: true
  readonly reason: string
  /** The line of configuration that would tell. */
  readonly needs: string
}

export type Found = Setting | Unknown

/** Fewer batches than this show no habit. */
const ENOUGH_BATCHES = 5
/** Spark rounds the share of each partition, so a batch may hold slightly more than its cap. */
const ROUNDING = 1.02

const setting = (value: number | null, provenance: Setting['provenance'], how: string): Setting => ({ value, provenance, how })
const unknown = (reason: string, needs: string): Unknown => ({ unknown: true, reason, needs })

export function isKnown(found: Found): found is Setting {
  return !('unknown' in found)
}

/**
 * What was set on a proposal before: nobody writes that into a configuration at night. Only where the batches since agree.
 * @param agrees what shows it, in words; null = it does not show
 */
function setHere({ tried, timeline }: Grounds, knob: Knob, agrees: (to: number, since: number) => string | null): Setting | null {
  const last = tried.findLast((one) => one.knob === knob)
  if (last === undefined || last.takenBack === true) return null
  const shown = agrees(last.to, last.appliedAtMs / 1000 - timeline.zeroS)
  return shown === null ? null : setting(last.to, 'inferred', `set as proposed before, and ${shown}`)
}

/** Tasks of the newest batch since, as a setting gives them for its records. */
const cutBy =
  (grounds: Grounds, tasksOf: (rows: readonly number[], setting: number) => readonly number[]) =>
  (to: number, since: number): string | null => {
    const newest = batchesWithTasks(grounds.timeline, since).at(-1)
    const wanted = newest === undefined ? 0 : tasksOf(newest.rows, to).reduce((a, b) => a + b, 0)
    return newest?.tasks === wanted ? `the newest batch has ${wanted} tasks, as that gives` : null
  }

/** An option of Spark's Kafka source that divides partitions: what the owners say, or "not set" where each partition has one task. */
function splitting(grounds: Grounds, declared: number | undefined, key: string): Found {
  const seen = batchesWithTasks(grounds.timeline, Number.NEGATIVE_INFINITY)
  const last = seen.at(-1)
  if (declared !== undefined && declared > 0) {
    // What was changed since is not always written down.
    const whole = last !== undefined && last.tasks === last.ranges && declared > last.ranges
    return whole
      ? unknown(`the configuration says ${declared}, and Spark makes one task for each partition`, `correct "${key}:" of the pipeline`)
      : setting(declared, 'declared', `${key} in the configuration`)
  }
  if (last === undefined || seen.length < ENOUGH_BATCHES) {
    if (declared === 0) return setting(null, 'declared', `${key}: none in the configuration`)
    return unknown(
      `whether it is set cannot be told: the tasks of ${seen.length} batches were seen, ${ENOUGH_BATCHES} are needed`,
      `add "${key}: <number or none>" to the pipeline, or let Headwater reach the Spark UI and the checkpoint`,
    )
  }
  if (seen.every(({ tasks, ranges }) => tasks === ranges)) {
    return setting(
      null,
      'inferred',
      `in the last ${seen.length} batches Spark made one task for each partition with records (${last.tasks} in the newest)`,
    )
  }
  if (declared === 0) return setting(null, 'declared', `${key}: none in the configuration`)
  return unknown(
    `Spark makes ${last.tasks} tasks for ${last.ranges} partitions with records, so a setting divides them, but not which one`,
    `add "min_partitions: <number or none>" and "max_records_per_partition: <number or none>" to the pipeline`,
  )
}

export function minPartitions(grounds: Grounds): Found {
  const here = setHere(grounds, 'minPartitions', cutBy(grounds, tasksByMinPartitions))
  return here ?? splitting(grounds, grounds.declared.minPartitions, 'min_partitions')
}

/** null = not declared: nothing tells from outside that this option exists. */
export function maxRecordsPerPartition(grounds: Grounds): Setting | null {
  const { maxRecordsPerPartition: declared = 0 } = grounds.declared
  if (declared <= 0) return null
  const here = setHere(grounds, 'maxRecordsPerPartition', cutBy(grounds, tasksByMaxRecords))
  return here ?? setting(declared, 'declared', 'max_records_per_partition in the configuration')
}

/** Batches since hold no more than the new cap allows, and one of them at least nearly as much. */
const heldBy =
  ({ timeline }: Grounds) =>
  (to: number, since: number): string | null => {
    const most = Math.max(0, ...timeline.batches.flatMap((b) => (b.start >= since && typeof b.rows === 'number' ? [b.rows] : [])))
    return most <= to * ROUNDING && most >= to / ROUNDING ? `batches hold up to ${grouped(most)} records` : null
  }

export function maxOffsetsPerTrigger(grounds: Grounds): Found {
  const here = setHere(grounds, 'maxOffsetsPerTrigger', heldBy(grounds))
  if (here !== null) return here
  const { timeline, facts, declared, evidence } = grounds
  const told = declared.maxOffsetsPerTrigger ?? evidence.pipeline.reader.max_offsets_per_trigger ?? null
  const rows = timeline.batches.flatMap((b) => (b.to_offset && typeof b.rows === 'number' ? [b.rows] : [])).slice(-20)
  const most = Math.max(0, ...rows)
  if (told !== null && most <= told * ROUNDING) return setting(told, 'declared', 'max_offsets_per_trigger in the configuration')
  if (told !== null) {
    return unknown(
      `the configuration says ${grouped(told)}, and a batch held ${grouped(most)} records`,
      'correct "max_offsets_per_trigger:" of the pipeline',
    )
  }
  const pinned = pinnedRows(timeline, Number.NEGATIVE_INFINITY)
  // Batches that all hold the same may be a steady intake as well: only the log ends tell, seen by others than the reader.
  const seesLog = evidence.series.some((one) => one.signal === 'partition.log_end_offset')
  if (facts.behind === null && rows.length >= ENOUGH_BATCHES && (seesLog || pinned === null)) {
    return setting(null, 'inferred', `each of the last ${rows.length} batches took all that was there, up to ${grouped(most)} records`)
  }
  if (facts.behind !== null && pinned !== null) {
    const left = grouped(facts.behind.left)
    return setting(
      pinned.most,
      'inferred',
      `the last ${pinned.batches} batches took ${counts([pinned.least, pinned.most])} records each and left ${left} in the log`,
    )
  }
  return unknown(
    'whether and where the reader is capped cannot be told from its batches',
    'add "max_offsets_per_trigger: <its maxOffsetsPerTrigger>" to the pipeline',
  )
}

export function triggerInterval({ timeline, declared }: Grounds): Found {
  const seconds = declared.triggerSeconds ?? timeline.triggerS
  if (seconds !== null && declared.triggerSeconds !== null) return setting(seconds, 'declared', 'trigger in the configuration')
  switch (seconds === null ? 'unknown' : timeline.triggerFrom) {
    case 'declared':
      return setting(seconds, 'declared', 'trigger in the configuration')
    case 'read':
      return setting(seconds, 'read', 'as the reader has it')
    case 'inferred':
      return setting(seconds, 'inferred', `batches that wait start on multiples of ${duration(seconds as number)}`)
    case 'unknown':
      return unknown(
        'how often the query is triggered cannot be told from its batches',
        'add "trigger: <interval, e.g. 10s>" to the pipeline',
      )
  }
}

export function executors({ timeline }: Grounds): Found {
  const count = heldAt(timeline.executors, timeline.now)
  const slots = heldAt(timeline.slots, timeline.now)
  if (count === null || count <= 0) {
    return unknown('the executors could not be seen', 'add "spark: <address of the driver UI>" to the pipeline, or let Headwater reach it')
  }
  return setting(count, 'read', `the Spark UI lists ${count}${slots === null ? '' : ` with ${slots} task slots`}`)
}

export function consumers(grounds: Grounds): Found {
  const members = newest(grounds, 'group.members')
  return members === null || members <= 0
    ? unknown('the members of the group could not be seen', 'add "group: <consumer group>" to the pipeline, or allow Describe on it')
    : setting(members, 'read', `its coordinator lists ${members}`)
}
