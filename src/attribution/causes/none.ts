/**
 * Nothing is wrong: batches are within their limit, records come as usual, nobody was lost.
 * Looks like: time to spare in every batch; lag no more than a batch's worth. A high lag alone is no incident.
 * Confused with: a stop that nobody measured (a gap is not calm). Ruled out by: one ill batch, a stall, an upload of old records.
 */
import { count, duration, partitionsNamed, rate, times } from '../../incident/format.ts'
import { limitIsKnown } from '../../timeline/episode.ts'
import { median } from '../../timeline/robust.ts'
import type { PartitionFlow } from '../../timeline/timeline.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile, Missing } from '../cause.ts'
import { batchCheck, longestIll, positionCheck } from '../checks/files.ts'
import { intakeCheck, leaderCheck, recordTimeCheck, unreadCheck } from '../checks/kafka.ts'
import { executorCountCheck, executorsCheck } from '../checks/spark.ts'
import type { Facts } from '../facts.ts'
import { capOfReader, logEnds } from '../needs.ts'
import { standsStill } from '../stands-still.ts'
import { observation } from '../weight.ts'

/** Batches that must be seen well before calm is claimed. */
const ENOUGH = 5
/** The reader's age of silence, in triggers (or usual batches), after which it no longer counts as seen. */
const SILENT_TRIGGERS = 4

export const none: CauseFile = {
  name: 'none',
  prior: 0.12,
  needs: [capOfReader, logEnds(2, (facts) => !stopped(facts) && (!arrivalsKnown(facts) || !((facts.intake?.before ?? 0) > 0)))],
  through: null,
  remedy: { action: 'nothing', why: 'nothing was seen that a change could relieve, and what is well is left alone' },
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const { timeline, episode, stall, well } = facts
    const last = timeline.batches.at(-1)
    const limit = timeline.triggerS ?? (well.length > 0 ? median(well.map((b) => b.seconds)) : null)
    if (episode !== null) {
      const worst = Math.max(...episode.ill.map((b) => b.seconds))
      evidence.push(
        observation(
          'batch.within_limit',
          'batch',
          -3,
          `A batch took ${duration(worst)}; its limit is ${duration(episode.limit)}.`,
          batchCheck(facts, longestIll(facts)),
        ),
      )
    } else if (facts.behind !== null) {
      // Batches in time say nothing for a reader that leaves records behind.
      const { arrived, taken, left } = facts.behind
      evidence.push(
        observation(
          'lag.grows',
          'lag',
          -3,
          `The reader takes ${rate(taken)} of the ${rate(arrived)} that arrive: its last batch left ${count(left)} records in the log.`,
          positionCheck(facts),
        ),
      )
    } else if (facts.blip !== null) {
      missing.push({
        signal: 'the next batch',
        how: `ask again in ${duration(facts.blip.seconds)}: one batch is somewhat over its limit, and no later one is known yet`,
        weight: 2,
      })
    } else if (!limitIsKnown(timeline) && timeline.batches.length > 0) {
      const [oldest] = timeline.batches
      missing.push({
        signal: 'the trigger interval',
        how: `batches run one after the other, back to {at ${(oldest as { start: number }).start.toFixed(0)}}, the oldest that is kept: add "trigger: <interval>" to the pipeline to tell whether they may`,
        weight: 2,
      })
    } else if (well.length >= ENOUGH && last !== undefined && limit !== null) {
      const silent = timeline.now - (last.end ?? timeline.now)
      const ok = silent <= SILENT_TRIGGERS * limit || stall !== null
      evidence.push(
        observation(
          'batch.within_limit',
          'batch',
          ok ? (arrivalsKnown(facts) ? 2 : 0) : -2,
          ok
            ? `The last ${well.length} batches took ${duration(median(well.map((b) => b.seconds)))} (median) of ${duration(limit)}.`
            : `No batch has ended for ${duration(silent)}.`,
          batchCheck(facts, last),
        ),
      )
    } else missing.push({ signal: 'batches', how: 'give Headwater the checkpoint path or let it reach the Spark UI', weight: 2 })
    if (stall !== null && stopped(facts))
      evidence.push(
        observation('flow.usual', 'flow', -2.5, `Nothing arrives since {at ${stall.between[1].toFixed(1)}}.`, intakeCheck(facts)),
      )
    else if (facts.intake !== null && facts.intake.before > 0) {
      const ratio = facts.intake.now / facts.intake.before
      // More or fewer records than a minute ago harm nobody while the reader takes them.
      evidence.push(
        observation(
          'flow.usual',
          'flow',
          !arrivalsKnown(facts) ? 0 : ratio > 0.5 && ratio < 1.5 ? 1.2 : 0.8,
          `Records arrive: ${rate(facts.intake.now)}, ${times(ratio)} the level before.`,
          intakeCheck(facts),
        ),
      )
    }
    const [unled, silent] = [unreadOf(facts, 'no leader'), unreadOf(facts, 'no answer')]
    if (unled.length > 0) {
      const says = `Nobody can write to or read ${partitionsNamed(unled)}: no leader.`
      evidence.push(observation('partition.led', 'leadership', -3, says, leaderCheck(facts, unled)))
    }
    if (silent.length > 0) {
      const says = `The log end of ${partitionsNamed(silent)} could not be read.`
      evidence.push(observation('partition.seen', 'leadership', -2, says, unreadCheck(facts, silent)))
      missing.push({ signal: 'partition.log_end_offset', how: 'look again once every broker answers', weight: 1.5 })
    }
    evidence.push(...executors(facts))
    const { lateness } = facts
    const latest = lateness?.partitions[0]
    if (lateness !== null && latest !== undefined && lateness.seconds > 60) {
      const says = `${count(lateness.records)} records arrived up to ${duration(lateness.seconds)} late.`
      evidence.push(observation('arrival.on_time', 'arrival', -1.5, says, recordTimeCheck(facts, latest, lateness.arrived[0])))
    }
    return { evidence, missing, onset: null, place: nowhere, headline: 'nothing is wrong that these signals could show' }
  },
}

function unreadOf(facts: Facts, why: PartitionFlow['unread']): number[] {
  return facts.timeline.partitions.filter((flow) => flow.unread === why).map((flow) => flow.partition)
}

/** Readings that tell what arrives by another way than the reader's own plans, or what it left. */
const ARRIVALS = ['partition.log_end_offset', 'topic.intake_rate', 'partition.lag', 'group.lag']
const OVER_SECONDS = 30

/**
 * Whether anybody but the reader told what arrives: one that leaves records behind plans as steadily as one that takes them all, so its
 * own plans say nothing of calm unless it is known to have no cap.
 */
function arrivalsKnown({ timeline }: Facts): boolean {
  if (timeline.pipeline.reader.max_offsets_per_trigger === null) return true
  const told = timeline.signals.some((signal) => ARRIVALS.includes(signal))
  return told && timeline.partitions.every(({ logEnd }) => (logEnd.t[0] ?? Number.NEGATIVE_INFINITY) <= timeline.now - OVER_SECONDS)
}

/** Nothing arrives, and that is not its habit. */
const stopped = ({ stall }: Facts) => stall !== null && stall.asLongBefore < 2

function executors(facts: Facts): Evidence[] {
  const stands = standsStill(facts)
  const still = stands === null ? [] : [observation('executor.stands', 'executor', -2, stands.says, stands.check)]
  const [lost] = facts.losses
  if (lost !== undefined) {
    const who = lost.event.entity?.executor === undefined ? 'An executor' : `Executor ${lost.event.entity.executor}`
    const gone = executorsCheck(facts, 'an entry with "isActive" : false and its removeTime')
    return [observation('executor.same', 'executor', -1, `${who} was lost at {at ${lost.event.at.toFixed(1)}}.`, gone), ...still]
  }
  if (!facts.executorsSeen) return still
  const count = facts.timeline.executors.v.at(-1)
  const says = `No executor was lost${typeof count === 'number' ? `: ${count} throughout` : ''}.`
  return [observation('executor.same', 'executor', 0.4, says, executorCountCheck(facts)), ...still]
}
