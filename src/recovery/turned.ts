/**
 * Whether a setting was really turned: what the reader does since the application, read as it was read before (proposal/settings.ts). The
 * word of whoever pressed "Applied" is not enough, and neither is a restart.
 */

import { count, duration, grouped } from '../incident/format.ts'
import type { Knob } from '../incident/knob.ts'
import { knobs } from '../incident/knob.ts'
import type { Proposal } from '../incident/proposal.ts'
import type { Look } from '../proposal/grounds.ts'
import { newest } from '../proposal/grounds.ts'
import { batchesWithTasks, pinnedRows } from '../proposal/seen-settings.ts'
import { tasksByMaxRecords, tasksByMinPartitions } from '../proposal/split-ranges.ts'
import { heldAt } from '../timeline/line.ts'
import { median } from '../timeline/robust.ts'
import type { JudgedWindow } from './judged-window.ts'

export interface Turned {
  readonly is: 'turned' | 'old' | 'unknown'
  /** How it shows, with numbers. */
  readonly how: string
}

type Change = Pick<Proposal['action'], 'from' | 'to'>
type Reader = (change: Change, now: Look, from: number, before: Look) => Turned

/** Batches that must agree. */
const ENOUGH_BATCHES = 3
/** Spark rounds the share of each partition, so a batch holds slightly more or less than its cap. */
const ROUNDING = 1.02

const unseen = (how: string): Turned => ({ is: 'unknown', how })

/** Tasks, rows and starts of a batch do not depend on how warm its JVMs are: all batches since the application count. */
export function turnedOf({ knob, ...change }: Proposal['action'], now: Look, window: JudgedWindow, before: Look): Turned {
  const fixedAtStart = knobs[knob].restarts && knob !== 'executors'
  if (fixedAtStart && window.restarted === false && window.ended.some((b) => b.start >= window.applied)) {
    return { is: 'old', how: 'the query has not been started anew since' }
  }
  return readers[knob](change, now, window.acting, before)
}

const readers: Readonly<Record<Knob, Reader>> = {
  minPartitions: (change, now, from) => byTasks(change, now, from, tasksByMinPartitions),
  maxRecordsPerPartition: (change, now, from) => byTasks(change, now, from, tasksByMaxRecords),
  maxOffsetsPerTrigger: byRows,
  triggerInterval: byStarts,
  executors: ({ from, to }, { timeline }) => byCount(heldAt(timeline.executors, timeline.now), from.value ?? 0, to, 'executors'),
  consumers: ({ from, to }, now) => byCount(newest(now, 'group.members'), from.value ?? 0, to, 'members'),
  partitionReassignment: byLeaders,
}

/** The tasks of each batch against those that the old and the new setting would give for its records. */
function byTasks(
  { from, to }: Change,
  { timeline }: Look,
  since: number,
  tasksOf: (rows: readonly number[], setting: number | null) => number[],
): Turned {
  const sum = (tasks: readonly number[]) => tasks.reduce((a, b) => a + b, 0)
  const seen = batchesWithTasks(timeline, since).map(({ tasks, rows }) => ({
    tasks,
    old: sum(tasksOf(rows, from.value)),
    next: sum(tasksOf(rows, to)),
  }))
  const telling = seen.filter(({ old, next }) => old !== next)
  if (telling.length === 0) return unseen('the tasks of no batch since could be seen, or both settings would give the same')
  const nearer = telling.filter(({ tasks, old, next }) => Math.abs(tasks - next) < Math.abs(tasks - old)).length
  const { tasks, old, next } = telling.at(-1) as (typeof telling)[number]
  const how = `the newest batch had ${tasks} tasks; ${old} with the old setting, ${next} with the new one`
  if (nearer >= (2 / 3) * telling.length) return { is: 'turned', how }
  return nearer <= telling.length / 3
    ? { is: 'old', how }
    : unseen(`some batches have the tasks of the old setting, some those of the new one`)
}

/** A cap shows in a batch that holds more than it allows, or in batches that all hold as much. */
function byRows({ from, to }: Change, { timeline }: Look, since: number): Turned {
  const rows = timeline.batches.filter((b) => b.start >= since && typeof b.rows === 'number').map((b) => b.rows as number)
  if (rows.length < ENOUGH_BATCHES) return unseen(`${rows.length} batches were seen since, ${ENOUGH_BATCHES} are needed`)
  const most = Math.max(...rows)
  const raised = from.value !== null && to > from.value
  if (raised && most > (from.value as number) * ROUNDING)
    return { is: 'turned', how: `a batch held ${grouped(most)} records, more than the old cap allows` }
  if (!raised && most > to * ROUNDING) return { is: 'old', how: `a batch held ${grouped(most)} records, more than the new cap allows` }
  const pinned = pinnedRows(timeline, since)
  const held = pinned === null ? 0 : pinned.most
  if (raised && held >= (from.value as number) / ROUNDING) return { is: 'old', how: `its batches still hold ${grouped(held)} records each` }
  if (!raised && held >= to / ROUNDING) return { is: 'turned', how: `its batches hold ${grouped(held)} records each` }
  return unseen(`no batch reached the ${raised ? 'old' : 'new'} cap, so none shows it: ${grouped(most)} records at most`)
}

/** Batches that wait for their trigger start that far apart. */
function byStarts({ from, to }: Change, { timeline }: Look, since: number): Turned {
  const batches = timeline.batches.filter((b) => b.start >= since)
  const apart = batches.flatMap((batch, i) => {
    const before = batches[i - 1]
    return before?.end == null || batch.start - before.end < 0.2 ? [] : [batch.start - before.start]
  })
  if (apart.length < ENOUGH_BATCHES) return unseen('batches ran one after the other, so they do not show their trigger')
  const usual = median(apart)
  const old = from.value ?? 0
  const how = `batches start ${duration(usual)} apart`
  return Math.abs(usual - to) < Math.abs(usual - old) ? { is: 'turned', how } : { is: 'old', how }
}

function byCount(now: number | null, from: number, to: number, what: string): Turned {
  if (now === null) return unseen(`the number of ${what} could not be seen`)
  const how = `${count(now)} ${what}, ${count(from)} before, ${count(to)} wanted`
  return Math.sign(to - from) * (now - from) > 0 ? { is: 'turned', how } : { is: 'old', how }
}

function byLeaders(_: Change, now: Look, __: number, before: Look): Turned {
  const { broker, topic } = before.attribution.place
  const leaders = now.evidence.series.filter((one) => one.signal === 'partition.leader' && (topic === null || one.entity.topic === topic))
  if (leaders.length === 0 || broker === null) return unseen('the leaders of the partitions could not be seen')
  const left = leaders.filter((one) => String(one.v.findLast((value) => value !== null)) === broker).length
  const how = `broker ${broker} leads ${left} partitions`
  return left === 0 ? { is: 'turned', how } : { is: 'old', how }
}
