/**
 * More records arrive than the reader can work off, spread over the topic as before.
 * Looks like: total intake steps up, every partition alike; batches grow with their rows while a record costs what it always did.
 * Confused with: a backlog after a restart or a slow spell (batches grow, intake does not), a hot partition (the total may rise too),
 * an upload of old records (they arrive now and bear old times). Ruled out by: intake by arrival flat or falling.
 */
import { count, duration, rate, share, times } from '../../incident/format.ts'
import { rowsToldApart } from '../account-evidence.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile } from '../cause.ts'
import { rowsCheck } from '../checks/files.ts'
import { intakeCheck } from '../checks/kafka.ts'
import { stageCheck } from '../checks/spark.ts'
import type { Facts } from '../facts.ts'
import { capOfReader, logEnds } from '../needs.ts'
import { orderEvidence } from '../order.ts'
import { always, observation, ramp, weightOf } from '../weight.ts'

/** Intake over its level before: surely no surge, surely one (engine.md: up >= 25 %). */
const FLAT_RATIO = 1.1
const SURGE_RATIO = 1.35
/** Half the sum of share differences: spread as before, moved. */
const SPREAD_AS_BEFORE = 0.12
const MOVED = 0.3
/** Share of the extra seconds that more rows explain. */
const ROWS_EXPLAIN_NOTHING = 0.2
const ROWS_EXPLAIN_MOST = 0.55

export const intakeSurge: CauseFile = {
  name: 'intake_surge',
  prior: 0.12,
  needs: [capOfReader, logEnds(3, ({ intake }) => intake === null)],
  through: { terms: ['intake'], by: 'more rows' },
  remedy: {
    action: 'intake_rate',
    why: 'a bound on the records of a batch keeps batches short while the surge lasts; it drains once intake falls',
  },
  weigh(facts) {
    const evidence: Evidence[] = []
    const { intake, timeline } = facts
    const topic = timeline.partitions[0]?.topic ?? timeline.pipeline.topics[0]?.name ?? null
    let onset: readonly [number, number] | null = null
    if (intake !== null) {
      const late = lateRate(facts)
      // What one partition gained is that partition's matter: a surge is what is up besides.
      const single = facts.concentration?.partitions.reduce((a, p) => a + Math.max(0, p.now - p.before), 0) ?? 0
      const now = Math.max(0, intake.now - late - single)
      const ratio = intake.before > 0 ? now / intake.before : 1
      evidence.push(
        always(
          'flow.intake_up',
          'flow',
          ramp(ratio, FLAT_RATIO, SURGE_RATIO),
          `Intake ${rate(intake.before)} before, ${rate(now)} now (${times(ratio)})${late > 0 ? ` without ${rate(late)} of late records` : ''}${single > 0 ? ` without the ${rate(single)} that single partitions gained` : ''}.`,
          intakeCheck(facts),
        ),
      )
      if (facts.shift !== null && facts.concentration === null && ratio > FLAT_RATIO && intake.partitions.length > 1) {
        const moved = ramp(facts.shift, SPREAD_AS_BEFORE, MOVED)
        evidence.push(
          observation(
            'place.spread_as_before',
            'place',
            weightOf('always', 'symptom', 1 - moved) * 0.6,
            `It is spread over the ${intake.partitions.length} partitions as before (${share(facts.shift)} of the records moved).`,
            intakeCheck(facts),
          ),
        )
      }
      if (intake.step && ratio > FLAT_RATIO) {
        onset = intake.step.between
        const order = orderEvidence(facts, onset, 'intake rose', 'on intake')
        if (order) evidence.push(order)
      }
    }
    if (facts.excess && facts.excessSeconds > 0) {
      const rows = rowsExplain(facts, facts.excess.volume / facts.excessSeconds)
      if (rows) evidence.push(rows)
      const before = facts.tasksBefore?.runPerRowMs
      const now = facts.tasksNow?.runPerRowMs
      if (before && now) {
        const up = ramp(now / before, 1.25, 1.8)
        evidence.push(
          observation(
            'task.cost_unchanged',
            'task',
            up > 0 ? weightOf('seldom', 'symptom', up) : 0.5,
            `A record costs ${now.toFixed(2)} ms of task time now, ${before.toFixed(2)} ms before.`,
            stageCheck(facts),
          ),
        )
      }
    }
    const rise = intake === null ? 0 : intake.now - intake.before
    const began = onset?.[1] ?? facts.episode?.since ?? null
    return {
      evidence,
      missing: [],
      onset,
      place: { ...nowhere, topic },
      headline:
        intake === null
          ? 'more records arrive than the reader can work off'
          : `intake of ${topic ?? 'the topic'} rose from ${rate(intake.before)} to ${rate(intake.now)}, more than the reader can work off`,
      lagWithout: facts.lag === null || began === null ? null : Math.max(0, facts.lag.now - rise * (timeline.now - began)),
    }
  },
}

/** null where rows or jobs were not seen: then more rows explain neither much nor little. */
function rowsExplain(facts: Facts, byRows: number): Evidence | null {
  if (!rowsToldApart(facts)) return null
  const first = facts.ill.find((a) => a.rows !== null)
  return observation(
    'batch.rows_explain',
    'batch',
    weightOf('often', 'symptom', ramp(byRows, ROWS_EXPLAIN_NOTHING, ROWS_EXPLAIN_MOST)),
    `More rows explain ${share(Math.max(0, byRows))} of the ${duration(facts.excessSeconds)} that batches took longer` +
      (first?.rows && facts.usual?.rows
        ? ` (${count(facts.usual.rows)} rows usually, ${count(first.rows)} in the first slow batch).`
        : '.'),
    rowsCheck(
      facts,
      facts.episode?.ill.find((b) => b.id === first?.id),
    ),
  )
}

/** Late uploads arrive like a surge but are another matter: records/s of them in the window that is judged. */
function lateRate(facts: Facts): number {
  if (facts.lateness === null || facts.intake === null || facts.lateness.records === 0) return 0
  const [from, to] = facts.intake.nowWindow
  return facts.lateness.arrived[1] >= from && facts.lateness.arrived[0] <= to ? facts.lateness.records / (to - from) : 0
}
