/**
 * One partition (or a few) takes much more than its peers, and the one task that reads it is the batch's length.
 * Looks like: its share of the intake jumps; the longest task follows its rows; most slots idle at the end of the stage.
 * Confused with: a surge (the total may rise too), a slow host (long tasks follow the host, not the rows), an even rate cap (all
 * partitions are read at one rate). Ruled out by: shares of intake as before.
 */
import { count, duration, rate, share, times } from '../../incident/format.ts'
import { batchRows } from '../../timeline/intake.ts'
import type { LatePartition } from '../../timeline/lateness.ts'
import type { TaskFacts } from '../../timeline/tasks.ts'
import { workStage } from '../../timeline/tasks.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { intakeCheck, recordTimeCheck } from '../checks/kafka.ts'
import { runningTasksCheck, tasksCheck } from '../checks/spark.ts'
import type { Facts } from '../facts.ts'
import { logEnds } from '../needs.ts'
import { orderEvidence } from '../order.ts'
import { always, observation, ramp, weightOf } from '../weight.ts'

/** Odds of the hot share over the odds of a fair one (1/P; shares themselves cannot triple with two partitions): even, surely hot. */
const EVEN_TIMES_FAIR = 1.5
const HOT_TIMES_FAIR = 3
/** Longest over median task: even, one task is the batch (engine.md: >= 3; rig: 18-44 hot, 1.1 usual). */
const EVEN_TASKS = 1.5
const LONG_TASK = 2.5
/** Records older than this on arrival were held back. */
const LATE_SECONDS = 60
/** Correlation of task time and rows: the host decides, the rows decide. */
const BY_HOST = 0.3
const BY_ROWS = 0.7

export const hotPartition: CauseFile = {
  name: 'hot_partition',
  prior: 0.08,
  needs: [logEnds(3, ({ intake }) => intake === null || intake.partitions.length < 2)],
  through: { terms: ['skew_or_wait', 'intake'], by: 'more rows' },
  remedy: {
    action: 'rebalance_partitions',
    why: 'one task reads one partition: only spreading its records shortens that task, more executors do not',
  },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const { intake, concentration, timeline } = facts
    const topic = concentration?.partitions[0]?.topic ?? timeline.partitions[0]?.topic ?? null
    let onset: readonly [number, number] | null = null
    if (concentration === null && intake !== null && intake.partitions.length > 1) {
      evidence.push(
        observation(
          'place.concentrated',
          'place',
          -3,
          `No partition takes a share that grew: the largest shift is ${share(facts.shift ?? 0)} of the records.`,
          intakeCheck(facts),
        ),
      )
    } else if (concentration !== null && intake !== null) {
      const [first] = concentration.partitions
      const fair = concentration.partitions.length / intake.partitions.length
      evidence.push(
        always(
          'place.concentrated',
          'place',
          ramp(odds(concentration.shareNow) / odds(fair), EVEN_TIMES_FAIR, HOT_TIMES_FAIR),
          `Partition ${concentration.partitions.map((p) => p.partition).join(', ')} takes ${share(concentration.shareNow)} of the intake (${rate(concentration.partitions.reduce((a, p) => a + p.now, 0))}), ` +
            `${share(concentration.shareBefore)} before; ${times(concentration.timesMedian)} the median partition.`,
          intakeCheck(facts, first),
        ),
      )
      if (intake.step) {
        onset = intake.step.between
        const order = orderEvidence(facts, onset, 'its share rose', 'on intake')
        if (order) evidence.push(order)
      }
    }
    const late = lateUpload(facts)
    if (late) evidence.push(late)
    const tail = longTask(facts)
    if (tail) evidence.push(tail)
    else if (facts.episode) missing.push({ signal: 'stage.task_ms', how: 'let Headwater reach the Spark UI', weight: 1.8 })
    const partitions = concentration?.partitions.map((p) => p.partition) ?? []
    const extra = concentration?.partitions.reduce((a, p) => a + Math.max(0, p.now - p.before), 0) ?? 0
    const began = onset?.[1] ?? facts.episode?.since ?? null
    return {
      evidence,
      missing,
      onset,
      place: { ...nowhere, topic, partitions },
      headline:
        concentration === null
          ? 'one partition takes more than its reader can work off'
          : `partition ${partitions.join(', ')} of ${topic} takes ${share(concentration.shareNow)} of the intake, more than one task can work off`,
      lagWithout: facts.lag === null || began === null ? null : Math.max(0, facts.lag.now - extra * (timeline.now - began)),
    }
  },
}

const odds = (share: number) => share / Math.max(1e-6, 1 - share)

/** Old records that arrived at once explain a long task already: the partition is not hot, its upstream was late. */
function lateUpload(facts: Facts): Evidence | null {
  const { lateness, usual } = facts
  if (lateness === null || lateness.partitions.length === 0 || lateness.seconds < LATE_SECONDS) return null
  if (lateness.records < 0.5 * (usual?.rows ?? 0)) return null
  return observation(
    'arrival.old',
    'arrival',
    -2,
    `${count(lateness.records)} of the records are old ones that arrived at once, up to ${duration(lateness.seconds)} late.`,
    recordTimeCheck(facts, lateness.partitions[0] as LatePartition, lateness.arrived[0]),
  )
}

/** Without single tasks: whether the largest task has as many times the median's rows as the longest has its time. null = rows not seen. */
function rowsOfLongest(now: TaskFacts, ratio: number): number | null {
  if (now.maxRows === null || !now.medianRows) return null
  return ramp((now.maxRows / now.medianRows - 1) / Math.max(0.1, ratio - 1), BY_HOST, BY_ROWS)
}

/** One long task, explained by its rows: from finished stages, or from the stage that runs while all but a few tasks are done. */
function longTask(facts: Facts): Evidence | null {
  const now = facts.tasksNow
  const before = facts.tasksBefore
  if (now !== null && now.medianMs > 0) {
    const ratio = now.maxMs / now.medianMs
    const usual = before !== null && before.medianMs > 0 ? before.maxMs / before.medianMs : null
    const long = ramp(ratio / Math.max(1, usual ?? 1), EVEN_TASKS, LONG_TASK)
    const byRows = now.rowsCorrelation === null ? rowsOfLongest(now, ratio) : ramp(now.rowsCorrelation, BY_HOST, BY_ROWS)
    const weight = long === 0 ? weightOf('always', 'mechanism', 0) * 0.6 : weightOf('always', 'mechanism', long * (byRows ?? 0.8))
    return observation(
      'task.long_by_rows',
      'task',
      weight,
      `The longest task takes ${times(ratio)} the median (${usual === null ? 'before is not known' : `${times(usual)} before`})` +
        (now.rowsCorrelation === null ? '.' : `; task time follows rows with correlation ${now.rowsCorrelation.toFixed(2)}.`),
      tasksCheck(facts),
    )
  }
  const open = facts.episode?.ill.find((b) => b.open)
  const stage = open ? workStage(open) : null
  if (!open || !stage?.running || stage.tasks === undefined || stage.tasks_done === undefined) return null
  const running = stage.running_tasks ?? []
  const oldest = Math.max(0, ...running.map((t) => t.ms))
  const usual = before?.maxMs ?? stage.task_ms?.median
  if (running.length === 0 || usual === undefined) return null
  // The tail: nearly all tasks are done and what runs has run far longer than any usually does.
  const left = stage.tasks - stage.tasks_done
  const rows = batchRows(facts.timeline, open.id)
  const few = left <= Math.max(1, Math.floor(stage.tasks / 4)) ? 1 : 0
  const long = ramp(oldest / usual, EVEN_TASKS, LONG_TASK)
  return observation(
    'task.long_by_rows',
    'task',
    few === 0 ? 0 : weightOf('always', 'mechanism', 0.3 + 0.6 * long),
    `In the batch that runs now ${stage.tasks_done} of ${stage.tasks} tasks are done; the oldest of the rest runs for ${duration(oldest / 1000)} (usual longest ${duration(usual / 1000)})` +
      (rows[0] ? `; partition ${rows[0].partition} has ${rows[0].rows} of its ${open.rows ?? '?'} rows.` : '.'),
    runningTasksCheck(facts),
  )
}
