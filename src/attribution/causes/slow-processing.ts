/**
 * A record costs more than before, everywhere: a heavier handler, a slow look-up, a new version.
 * Looks like: task time a record up on all executors, CPU share kept (computing) or fallen (waiting for something a record asks).
 * Confused with: a slow sink (the extra time comes once a file, not once a record), a slow host, collections of garbage.
 * Ruled out by: cost per record as before.
 */
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { stageCheck, taskPlacesCheck, tasksCheck } from '../checks/spark.ts'
import { coldExecutor } from '../cold-executor.ts'
import { costSplit, slowdown } from '../cost-split.ts'
import { stageLater } from '../needs.ts'
import { onsetOfEpisode } from '../order.ts'
import { notEverywhere } from '../stands-still.ts'
import { observation, ramp, weightOf } from '../weight.ts'

/** Cost of a record over its usual: unchanged, surely up. */
const COST_RATIO = [1.25, 1.8] as const
const PER_RECORD = [0.35, 0.65] as const
const ONE_HOST = [1.4, 1.9] as const
const CPU_UP = [1.2, 1.7] as const

export const slowProcessing: CauseFile = {
  name: 'slow_processing',
  prior: 0.08,
  needs: [{ signal: 'stage.run_ms', how: stageLater, weight: 2.2, unmet: (facts) => facts.episode !== null && slowdown(facts) === null }],
  through: { terms: ['cost'], by: 'slower work' },
  remedy: { action: 'hand_over', to: 'job', why: 'what made a record dearer is in the job; more slots would only pay for it' },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const slower = slowdown(facts)
    const split = costSplit(facts)
    const before = facts.tasksBefore
    const now = facts.tasksNow
    if (slower !== null) {
      const risen = ramp(slower, COST_RATIO[0], COST_RATIO[1])
      if (risen === 0) {
        evidence.push(
          observation(
            'task.per_record',
            'task',
            weightOf('always', 'mechanism', 0),
            `A task of equal size takes ${slower.toFixed(1)} times as long as before.`,
            tasksCheck(facts),
          ),
        )
      } else if (split === null) {
        missing.push({
          signal: 'stage.run_ms against cpu_ms',
          how: 'task sizes hardly differ: a sink metric (sink.write_ms) or a handler metric would decide',
          weight: 2.2,
        })
      } else {
        const perRecord = ramp(1 - split.perTaskShare, PER_RECORD[0], PER_RECORD[1])
        evidence.push(
          observation(
            'task.per_record',
            'task',
            weightOf('always', 'mechanism', risen * perRecord),
            `A record costs ${split.perRowMs[1].toFixed(2)} ms of task time, ${split.perRowMs[0].toFixed(2)} ms before; what a task needs besides rose from ${Math.round(split.perTaskMs[0])} to ${Math.round(split.perTaskMs[1])} ms.`,
            stageCheck(facts),
          ),
        )
      }
      if (before?.cpuPerRowMs && now?.cpuPerRowMs) {
        const up = ramp(now.cpuPerRowMs / before.cpuPerRowMs, CPU_UP[0], CPU_UP[1])
        evidence.push(
          observation(
            'cpu.per_record',
            'cpu',
            up > 0 ? 1.4 * up : 0,
            `CPU time a record: ${now.cpuPerRowMs.toFixed(3)} ms, ${before.cpuPerRowMs.toFixed(3)} ms before.`,
            stageCheck(facts),
          ),
        )
      }
      if (now?.executorRatio && risen > 0) {
        const one = ramp(now.executorRatio, ONE_HOST[0], ONE_HOST[1])
        evidence.push(
          observation(
            'task.all_executors',
            'place',
            one > 0 ? -2 * one : 0.5,
            `The slowest executor needs ${now.executorRatio.toFixed(1)} times the fastest's time a record.`,
            taskPlacesCheck(facts),
          ),
        )
      }
    }
    return {
      evidence: [...evidence, ...[notEverywhere(facts), coldExecutor(facts)].filter((one) => one !== null)],
      missing,
      onset: onsetOfEpisode(facts),
      place: { ...nowhere, phase: 'processing' },
      headline: 'every record costs more work than before',
      lagWithout: facts.lag?.before ?? null,
    }
  },
}
