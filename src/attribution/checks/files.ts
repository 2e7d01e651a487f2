/** What the reader and the table write down of themselves: checkpoint and Delta log, each file named for its batch or version. */
import { withoutLogin } from '../../incident/address.ts'
import { duration, grouped } from '../../incident/format.ts'
import { plannedAt } from '../../timeline/partitions.ts'
import type { TimedBatch } from '../../timeline/timeline.ts'
import type { Check, NoCheck } from '../attribution.ts'
import type { Facts } from '../facts.ts'
import type { PressureTerm } from '../pressure.ts'
import { groupCheck, intakeCheck } from './kafka.ts'
import { contentOf, newestIn, timesOf } from './shell.ts'
import { dstreamsCheck, executorCountCheck, inputCheck, stageCheck, tasksCheck } from './spark.ts'

const NO_BATCH: NoCheck = { none: 'no batch is named' }

const trimmed = (folder: string) => withoutLogin(folder).replace(/\/+$/, '')
const checkpoint = (facts: Facts, file: string) => `${trimmed(facts.timeline.pipeline.look?.checkpoint ?? 'CHECKPOINT')}/${file}`
const log = (facts: Facts) => `${trimmed(facts.timeline.pipeline.look?.table ?? 'TABLE')}/_delta_log`

/** A checkpoint is Structured Streaming's; where one is named there is one, whatever the reader calls itself. */
function hasCheckpoint(facts: Facts): boolean {
  const { look, reader } = facts.timeline.pipeline
  return look?.checkpoint !== undefined || reader.kind === 'spark-structured-streaming'
}

/** When a batch was planned and when it was done. */
export function batchCheck(facts: Facts, batch: TimedBatch | undefined): Check | NoCheck {
  if (batch === undefined) return NO_BATCH
  if (!hasCheckpoint(facts)) {
    return facts.timeline.pipeline.reader.kind === 'spark-dstreams'
      ? dstreamsCheck(facts, batch)
      : { none: 'this kind of reader keeps no log of its batches' }
  }
  const { id, end, seconds } = batch
  const planned = plannedAt(batch)
  const done =
    end === null
      ? `no commits/${id} as long as it runs (it ran for ${duration(seconds)})`
      : `commits/${id} about ${duration(Math.max(0, end - planned))} later`
  return {
    command: timesOf(checkpoint(facts, `offsets/${id}`), checkpoint(facts, `commits/${id}`)),
    expect: `offsets/${id} written at {at ${planned.toFixed(1)}}, ${done}`,
  }
}

/** The slow batch that took longest. */
export function longestIll(facts: Facts): TimedBatch | undefined {
  return facts.episode?.ill.reduce<TimedBatch | undefined>((a, b) => (a === undefined || b.seconds > a.seconds ? b : a), undefined)
}

/** Records of a batch: from the stage that read them, else from where it ends and the one before it did. */
export function rowsCheck(facts: Facts, batch: TimedBatch | undefined): Check | NoCheck {
  if (batch === undefined) return NO_BATCH
  const input = inputCheck(facts, batch)
  if (input !== null) return input
  const [from, to] = [sumOf(batch.from_offset), sumOf(batch.to_offset)]
  if (from === null || to === null || !hasCheckpoint(facts)) return batchCheck(facts, batch)
  return {
    command: contentOf(checkpoint(facts, `offsets/${batch.id - 1}`), checkpoint(facts, `offsets/${batch.id}`)),
    expect: `offsets that add up to ${grouped(from)}, then to ${grouped(to)}`,
  }
}

function sumOf(offsets: TimedBatch['to_offset']): number | null {
  const all = Object.values(offsets ?? {}).flatMap((byPartition) => Object.values(byPartition))
  return all.length === 0 ? null : all.reduce((a, b) => a + b, 0)
}

/** How far the reader got: what its newest batch takes, or what its group committed. */
export function positionCheck(facts: Facts): Check | NoCheck {
  const group = groupCheck(facts)
  if (group !== null) return group
  const last = facts.timeline.batches.findLast((batch) => sumOf(batch.to_offset) !== null)
  const to = sumOf(last?.to_offset)
  if (last === undefined || to === null || !hasCheckpoint(facts)) return intakeCheck(facts)
  return { command: contentOf(checkpoint(facts, `offsets/${last.id}`)), expect: `offsets that add up to ${grouped(to)} (batch ${last.id})` }
}

/** The table's commit of the newest slow batch, or that it is still missing. */
export function commitCheck(facts: Facts): Check | NoCheck {
  const { commits } = facts.timeline
  const commitOf = (one: TimedBatch) => commits.find(({ version, batch_id }) => version === one.commit_version || batch_id === one.id)
  const batch = facts.episode?.ill.findLast((one) => commitOf(one) !== undefined)
  const commit = batch === undefined ? undefined : commitOf(batch)
  if (batch === undefined || commit === undefined) return newestCommitCheck(facts)
  const writes = (batch.jobs ?? []).filter((job) => job.kind !== 'delta-snapshot').map((job) => job.end ?? Number.NaN)
  const written = Math.max(...writes)
  const after = Number.isFinite(written) ? `, ${duration(Math.max(0, commit.at - written))} after the last write job` : ''
  return {
    command: timesOf(`${log(facts)}/${String(commit.version).padStart(20, '0')}.json`),
    expect: `written at about {at ${commit.at.toFixed(1)}}${after} of batch ${batch.id}`,
  }
}

/** How old the newest commit is. */
export function newestCommitCheck(facts: Facts): Check | NoCheck {
  const newest = facts.timeline.commits.findLast((commit) => commit.kind === 'data')
  const expect =
    newest === undefined ? 'whether a new version came' : `version ${newest.version} of {at ${newest.at.toFixed(1)}} or a newer one`
  return { command: newestIn(log(facts)), expect }
}

/** A number made of several: the command for the term that is the largest of them. */
export function accountCheck(facts: Facts, terms: readonly PressureTerm[]): Check | NoCheck {
  const shares = facts.pressure?.shares
  const largest = terms.reduce<PressureTerm | undefined>(
    (a, b) => (a === undefined || (shares?.[b] ?? 0) > (shares?.[a] ?? 0) ? b : a),
    undefined,
  )
  const batch = longestIll(facts)
  switch (largest) {
    case 'intake':
      return rowsCheck(facts, batch)
    case 'skew_or_wait':
      return orBatch(facts, tasksCheck(facts))
    case 'cost':
      return orBatch(facts, stageCheck(facts))
    case 'slots':
      return executorCountCheck(facts)
    case 'sink':
      return commitCheck(facts)
    default:
      return batchCheck(facts, batch)
  }
}

const orBatch = (facts: Facts, check: Check | NoCheck) => ('none' in check ? batchCheck(facts, longestIll(facts)) : check)
