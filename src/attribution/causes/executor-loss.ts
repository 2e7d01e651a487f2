/**
 * An executor died: its tasks run again elsewhere, slots are gone until a new one comes, and the new one is cold for a batch.
 * Looks like: executor removed with a reason, slots down, one batch (or, without replacement, every batch) longer.
 * Confused with: full collections (GC first, then the heartbeat is lost), memory (exit 52 or 137 by the container), an idle release.
 * Ruled out by: the same executors throughout.
 */
import { duration, share } from '../../incident/format.ts'
import { rowsToldApart } from '../account-evidence.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { batchCheck, longestIll } from '../checks/files.ts'
import { executorCountCheck, executorsCheck } from '../checks/spark.ts'
import { orderEvidence } from '../order.ts'
import { standsStill } from '../stands-still.ts'
import { observation, ramp, weightOf } from '../weight.ts'

/** spark.network.timeout: until then a silent executor counts as alive. */
const HEARTBEAT_TIMEOUT_SECONDS = 120
/**
 * Some losses begin with a silence (P = 0.2), and so do other troubles of a host (base rate 0.1): ln 2 at most, and less than what counts
 * as a witness, for a silent executor is not a lost one yet.
 */
const STANDS = 0.6
/** Rows explain a batch that a lost executor did not make long. */
const ROWS_EXPLAIN_LITTLE = 0.4
const ROWS_EXPLAIN_MOST = 0.8

export const executorLoss: CauseFile = {
  name: 'executor_loss',
  prior: 0.08,
  needs: [{ signal: 'executor.count', how: 'let Headwater reach the Spark UI', weight: 3, unmet: ({ executorsSeen }) => !executorsSeen }],
  through: { terms: ['slots', 'cost', 'skew_or_wait', 'driver'], by: 'slower work' },
  remedy: {
    action: 'restore_slots',
    why: 'as many task slots as before do the same work in the same time; more than that hides why they went',
  },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const { losses } = facts
    const [first] = losses
    const executor = first?.event.entity?.executor ?? null
    const host = first?.event.entity?.host ?? null
    let onset: readonly [number, number] | null = null
    const stands = standsStill(facts)
    if (first === undefined && stands !== null) {
      evidence.push(observation('executor.stands', 'executor', STANDS, stands.says, stands.check))
      missing.push({
        signal: 'the end of the silence',
        how: `ask again in ${duration(HEARTBEAT_TIMEOUT_SECONDS)}: until its heartbeats time out a silent executor counts as alive`,
        weight: 1.5,
      })
    } else if (first === undefined && facts.executorsSeen) {
      const count = facts.timeline.executors.v.at(-1)
      const says = `No executor was lost${typeof count === 'number' ? `: ${count} throughout` : ''}.`
      evidence.push(observation('executor.removed', 'executor', -3, says, executorCountCheck(facts)))
    } else if (first !== undefined && facts.executorsSeen) {
      // A killed process is noticed at once; one that fell silent only when its heartbeats time out.
      const silent =
        /exit|code/i.test(first.event.text ?? '') && !/143|timed? out|heartbeat/i.test(first.event.text ?? '')
          ? 1
          : HEARTBEAT_TIMEOUT_SECONDS
      onset = [first.event.at - silent, first.event.at]
      const slots =
        first.slotsBefore !== null && first.slotsAfter !== null && first.slotsAfter < first.slotsBefore
          ? `; slots ${first.slotsBefore} → ${first.slotsAfter}`
          : ''
      const back = first.replacedAt === null ? ', not replaced yet' : `, replaced after ${duration(first.replacedAt - first.event.at)}`
      evidence.push(
        observation(
          'executor.removed',
          'executor',
          3,
          `Executor ${executor ?? '?'}${host === null ? '' : ` on ${host}`} was removed at {at ${first.event.at.toFixed(1)}} (${first.event.text ?? 'no reason given'})${slots}${back}.`,
          executorsCheck(facts, `executor ${executor ?? '?'} with "isActive" : false and a removeReason`),
        ),
      )
      const order = orderEvidence(facts, onset, 'the executor was gone', 'on work')
      if (order) evidence.push(order)
    }
    if (first !== undefined && facts.excess && facts.excessSeconds > 0 && rowsToldApart(facts)) {
      const byRows = Math.max(0, facts.excess.volume) / facts.excessSeconds
      const others =
        Math.max(0, facts.excess.cost + facts.excess.slots + facts.excess.unevenness + facts.excess.driver + facts.excess.work) /
        facts.excessSeconds
      evidence.push(
        observation(
          'batch.not_by_rows',
          'batch',
          weightOf('always', 'symptom', 1 - ramp(byRows, ROWS_EXPLAIN_LITTLE, ROWS_EXPLAIN_MOST)) * 0.8,
          `Of the ${duration(facts.excessSeconds)} that batches took longer, ${share(Math.min(1, others))} are repeated work, fewer slots or a cold start, ${share(byRows)} more rows.`,
          batchCheck(facts, longestIll(facts)),
        ),
      )
    } else if (first !== undefined && facts.episode) {
      const open = facts.episode.ill.find((b) => b.open)
      if (open)
        evidence.push(
          observation(
            'batch.open',
            'batch',
            0.9,
            `The batch that ran then has run for ${duration(open.seconds)} (usual ${duration(facts.episode.usual)}).`,
            batchCheck(facts, open),
          ),
        )
    }
    return {
      evidence,
      missing,
      onset,
      place: first === undefined && stands !== null ? { ...nowhere, ...stands.place } : { ...nowhere, executor, host },
      headline:
        first === undefined
          ? (stands?.headline ?? 'an executor was lost')
          : `executor ${executor ?? '?'}${host === null ? '' : ` on ${host}`} was lost, and batches had to wait for its work`,
      lagWithout: facts.lag?.before ?? null,
    }
  },
}
