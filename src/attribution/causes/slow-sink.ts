/**
 * The table's storage became slow: opening, closing or renaming a data file takes long in every task, or the table's commit does.
 * Looks like: (a) every task longer by the same time whatever it reads, on all executors, while CPU time a record stays;
 * (b) the batch goes on without a job running, after its write job: the commit.
 * Confused with: slow processing (the extra time follows the records), a slow checkpoint (walCommit and commitOffsets grow),
 * a straggler (one host), planning over many small files. Ruled out by: task time and commit time as before.
 */
import { duration, share } from '../../incident/format.ts'
import { median } from '../../timeline/robust.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { commitCheck, longestIll, rowsCheck } from '../checks/files.ts'
import { stageCheck, taskPlacesCheck, tasksCheck } from '../checks/spark.ts'
import { coldExecutor } from '../cold-executor.ts'
import { costSplit, slowdown } from '../cost-split.ts'
import type { Facts } from '../facts.ts'
import { stageLater } from '../needs.ts'
import { onsetOfEpisode } from '../order.ts'
import { notEverywhere } from '../stands-still.ts'
import { observation, ramp, weightOf } from '../weight.ts'

/** The commit over its usual time, and its share of the extra time, at which it surely is the trouble. */
const COMMIT_RATIO = [1.5, 3] as const
const COMMIT_SHARE = [0.25, 0.6] as const
/** Less than this of extra commit time is noise of a shared machine, s. */
const COMMIT_FLOOR = 0.8
/** Extra task time over the usual: no change, surely slower. */
const TASK_RATIO = [1.25, 1.7] as const
/** Share of the rise that every task has alike: by the records, by the file. */
const PER_FILE = [0.35, 0.65] as const
/** One executor this much slower than the other is a host's trouble, not the sink's. */
const ONE_HOST = [1.4, 1.9] as const

export const slowSink: CauseFile = {
  name: 'slow_sink',
  prior: 0.08,
  needs: [],
  through: { terms: ['sink', 'cost'], by: 'slower work' },
  remedy: {
    action: 'hand_over',
    to: 'store',
    why: 'the store behind the table is slow; more readers would write to it at once and make it worse',
  },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const commit = commitEvidence(facts)
    const tasks = taskEvidence(facts)
    // Two ways to be slow, each known by its first observation: what speaks for one outweighs what speaks against the other.
    const byCommit = commit[0]?.weight ?? 0
    const byTasks = tasks[0]?.weight ?? 0
    if (commit.length > 0 && (tasks.length === 0 || byCommit >= byTasks)) {
      evidence.push(...commit)
      const slower = slowdown(facts)
      if (byCommit > 0 && slower !== null) {
        const same = 1 - ramp(slower, 1.3, 2)
        evidence.push(
          observation(
            'task.unchanged',
            'task',
            weightOf('often', 'symptom', same),
            `A task of equal size takes ${slower.toFixed(1)} times as long as before.`,
            tasksCheck(facts),
          ),
        )
      }
    } else evidence.push(...tasks)
    // What more rows explain needs no other explanation.
    const open =
      facts.excess === null || facts.excessSeconds <= 0 ? 1 : Math.max(0.1, Math.min(1, 1 - facts.excess.volume / facts.excessSeconds))
    if (commit.length === 0 && facts.episode)
      missing.push({
        signal: 'end of the write job against the end of the batch',
        how: 'let Headwater reach the Spark UI',
        weight: 2.5 * open,
      })
    if (tasks.length === 0 && facts.episode && byCommit <= 0) {
      missing.push({
        signal: 'stage.run_ms over tasks of different size',
        how: facts.tasksNow === null ? stageLater : 'task sizes hardly differ: a sink metric (sink.write_ms) would decide',
        weight: 2.2 * open,
      })
    }
    if (facts.excess && facts.excessSeconds > 0 && facts.intake !== null && facts.intake.before > 0) {
      const surge = ramp(facts.intake.now / facts.intake.before, 1.2, 1.6)
      const rows = facts.pressure?.shares?.intake ?? facts.excess.volume / facts.excessSeconds
      const byRows = ramp(rows, 0.5, 0.85)
      if (surge * byRows > 0)
        evidence.push(
          observation(
            'batch.rows_explain',
            'batch',
            -2 * surge * byRows,
            `More rows explain ${share(rows)} of the extra time, and intake rose.`,
            rowsCheck(facts, longestIll(facts)),
          ),
        )
    }
    const cold = coldExecutor(facts)
    if (cold && byCommit <= 0) evidence.push(cold)
    const stands = notEverywhere(facts)
    if (stands) evidence.push(stands)
    const table = facts.timeline.pipeline.sink?.table
    const where = byCommit >= byTasks && commit.length > 0 ? 'its commit' : 'writing its files'
    return {
      evidence,
      missing,
      onset: onsetOfEpisode(facts),
      place: { ...nowhere, phase: 'sink' },
      headline: `the sink${table === undefined ? '' : ` ${table}`} is slow: ${where} takes longer than before`,
      lagWithout: facts.lag?.before ?? null,
    }
  },
}

function commitEvidence(facts: Facts): Evidence[] {
  const usual = facts.usual?.sinkCommit
  const seen = facts.ill.map((a) => a.sinkCommit).filter((v) => v !== null)
  if (usual === null || usual === undefined || seen.length === 0) return []
  const now = Math.max(median(seen), seen.at(-1) as number)
  const extra = now - usual
  // Rows that wait because slow commits came before are a consequence of them: where it is known, what a batch of one trigger's rows needs counts.
  const ofAll = facts.excess !== null && facts.excessSeconds > 0 ? facts.excess.sinkCommit / facts.excessSeconds : 0
  const excess = Math.max(ofAll, facts.pressure?.shares?.sink ?? 0)
  const open = facts.ill.at(-1)
  const openShare =
    open && facts.episode && open.sinkCommit !== null ? (open.sinkCommit - usual) / Math.max(0.1, open.seconds - facts.episode.usual) : 0
  const sure =
    extra < COMMIT_FLOOR
      ? 0
      : ramp(now / Math.max(0.05, usual), COMMIT_RATIO[0], COMMIT_RATIO[1]) *
        ramp(Math.max(excess, openShare), COMMIT_SHARE[0], COMMIT_SHARE[1])
  return [
    observation(
      'sink.commit',
      'sink',
      weightOf('always', 'mechanism', sure),
      `After its last write job a batch needs ${duration(now)} for the table's commit, usual ${duration(usual)}` +
        (extra > COMMIT_FLOOR ? `: ${share(Math.min(1, Math.max(excess, openShare)))} of the extra time.` : '.'),
      commitCheck(facts),
    ),
  ]
}

function taskEvidence(facts: Facts): Evidence[] {
  const split = costSplit(facts)
  const slower = slowdown(facts)
  if (slower === null) return []
  const risen = ramp(slower, TASK_RATIO[0], TASK_RATIO[1])
  const out: Evidence[] = []
  const number = slower.toFixed(1)
  if (risen === 0) {
    out.push(
      observation(
        'sink.per_file',
        'sink',
        weightOf('always', 'mechanism', 0),
        `Tasks of equal size take ${number} times as long as before: no file became slow to write.`,
        tasksCheck(facts),
      ),
    )
    return out
  }
  if (split === null) return []
  const perFile = ramp(split.perTaskShare, PER_FILE[0], PER_FILE[1])
  out.push(
    observation(
      'sink.per_file',
      'sink',
      weightOf('always', 'mechanism', risen * perFile),
      `Every task takes ${duration(Math.max(0, split.perTaskExtraMs) / 1000)} more whatever it reads; a record costs ${split.perRowMs[1].toFixed(2)} ms, ${split.perRowMs[0].toFixed(2)} ms before.`,
      tasksCheck(facts),
    ),
  )
  const before = facts.tasksBefore
  const now = facts.tasksNow
  if (before?.cpuShare && now?.cpuShare) {
    const waits = ramp(now.cpuShare / before.cpuShare, 0.95, 0.6)
    out.push(
      observation(
        'task.waits',
        'task',
        weightOf('always', 'symptom', waits) * 0.7,
        `Tasks compute for ${share(now.cpuShare)} of their time, ${share(before.cpuShare)} before: the extra time is waiting.`,
        stageCheck(facts),
      ),
    )
  }
  if (now?.executorRatio) {
    const one = ramp(now.executorRatio, ONE_HOST[0], ONE_HOST[1])
    out.push(
      observation(
        'task.all_executors',
        'place',
        one > 0 ? -2 * one : 0.5,
        `The slowest executor needs ${now.executorRatio.toFixed(1)} times the fastest's time a record.`,
        taskPlacesCheck(facts),
      ),
    )
  }
  return out
}
