/**
 * Nothing (or nearly nothing) arrives any more: the producer stopped, or something before it.
 * Looks like: log ends stand still, lag is flat or falls, the table gets old although no batch is stuck.
 * Confused with: a topic that pauses like this every day, a reader that stands still (records arrive, lag grows), broker trouble
 * (log ends cannot be read). Ruled out by: records still arriving.
 */
import { duration, rate } from '../../incident/format.ts'
import { known } from '../../timeline/line.ts'
import { alwaysQuiet } from '../../timeline/stall.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { batchCheck, newestCommitCheck } from '../checks/files.ts'
import { intakeCheck } from '../checks/kafka.ts'
import type { Facts } from '../facts.ts'
import { logEnds } from '../needs.ts'
import { observation, ramp } from '../weight.ts'

/** A pause of this length in expected records is surely no chance. */
const SURE_RECORDS = 300
/** Two earlier pauses as long as this one make it a habit. */
const HABIT = 2

export const sourceStall: CauseFile = {
  name: 'source_stall',
  prior: 0.06,
  needs: [logEnds(3, (facts) => recent(facts).length === 0)],
  through: null,
  remedy: { action: 'hand_over', to: 'producer', why: 'the reader has nothing to read: no setting of it brings records' },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const { stall, timeline } = facts
    const topic = timeline.partitions[0]?.topic ?? timeline.pipeline.topics[0]?.name ?? null
    const last = recent(facts).at(-1)
    if (last === undefined) {
      // Nothing to go by: what is needed says so.
    } else if (stall === null && alwaysQuiet(timeline) !== null) {
      evidence.push(
        observation(
          'flow.stopped',
          'flow',
          0.6,
          `Nothing arrived in all the time that was seen (${duration(alwaysQuiet(timeline) ?? 0)}).`,
          intakeCheck(facts),
        ),
      )
      missing.push({
        signal: 'what is usual for this topic',
        how: 'older intake is not kept: ask the owner of the producer whether it should be sending',
        weight: 2,
      })
    } else if (stall === null) {
      const says = `Records arrive: ${rate(last[1])} in the last seconds.`
      evidence.push(observation('flow.stopped', 'flow', -3, says, intakeCheck(facts)))
    } else {
      const habit = stall.asLongBefore >= HABIT
      evidence.push(
        observation(
          'flow.stopped',
          'flow',
          habit ? -1 : 1.5 + 1.5 * ramp(stall.seconds * stall.usual, 0, SURE_RECORDS),
          `${stall.now < 0.01 ? 'Nothing' : `Only ${rate(stall.now)}`} has arrived since {at ${stall.between[1].toFixed(1)}} (${duration(stall.seconds)}); usual ${rate(stall.usual)}` +
            (habit
              ? `; ${stall.asLongBefore} pauses of this length were seen before.`
              : stall.longestBefore > 0
                ? `; the longest earlier pause took ${duration(stall.longestBefore)}.`
                : '.'),
          intakeCheck(facts),
        ),
      )
      const open = timeline.batches.at(-1)?.open === true
      const lagNow = timeline.lag.v.at(-1) ?? null
      if (timeline.batches.length > 0) {
        evidence.push(
          observation(
            'batch.idle',
            'batch',
            open && facts.episode ? -0.5 : 1.2,
            open && facts.episode
              ? `Batch ${timeline.batches.at(-1)?.id} is still running, so the reader may be held up as well.`
              : `The reader is idle since batch ${timeline.batches.at(-1)?.id}${lagNow === null ? '' : ` with a lag of ${Math.round(lagNow)} records`}: no batch is waiting for anything but records.`,
            batchCheck(facts, timeline.batches.at(-1)),
          ),
        )
      } else missing.push({ signal: 'partition.position', how: 'give Headwater the path of the checkpoint (checkpoint: …)', weight: 1.2 })
      if (timeline.freshness.t.length > 0) {
        const age = timeline.freshness.v.at(-1) ?? 0
        evidence.push(
          observation(
            'sink.ages',
            'sink',
            age >= stall.seconds * 0.5 ? 0.7 : -0.7,
            `The table's newest data commit is ${duration(age ?? 0)} old.`,
            newestCommitCheck(facts),
          ),
        )
      }
    }
    return {
      evidence,
      missing,
      onset: stall?.between ?? null,
      place: { ...nowhere, topic },
      headline:
        stall === null
          ? 'nothing arrives any more'
          : `nothing arrives in ${topic ?? 'the topic'} any more: ${rate(stall.now)} instead of ${rate(stall.usual)}`,
      lagWithout: null,
    }
  },
}

/** Rates of the last minute. */
const recent = ({ timeline }: Facts) => known(timeline.intake, timeline.now - 60, timeline.now)
