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
import type { Cause, Missing } from '../cause.ts'
import { checkpointCheck } from '../checks.ts'
import type { Facts } from '../facts.ts'
import { unknownCap } from '../keeps-up.ts'
import { observation } from '../weight.ts'

/** Batches that must be seen well before calm is claimed. */
const ENOUGH = 5
/** The reader's age of silence, in triggers (or usual batches), after which it no longer counts as seen. */
const SILENT_TRIGGERS = 4

export const none: Cause = {
  name: 'none',
  prior: 0.12,
  weigh(facts) {
    const evidence: Evidence[] = []
    const missing: Missing[] = []
    const { timeline, episode, stall, well } = facts
    const last = timeline.batches.at(-1)
    const limit = timeline.triggerS ?? (well.length > 0 ? median(well.map((b) => b.seconds)) : null)
    if (episode !== null) {
      const worst = Math.max(...episode.ill.map((b) => b.seconds))
      evidence.push(
        observation('batch.within_limit', 'batch', -3, `A batch took ${duration(worst)}; its limit is ${duration(episode.limit)}.`),
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
        ),
      )
      missing.push(...unknownCap(facts))
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
          ok ? 2 : -2,
          ok
            ? `The last ${well.length} batches took ${duration(median(well.map((b) => b.seconds)))} (median) of ${duration(limit)}.`
            : `No batch has ended for ${duration(silent)}.`,
          checkpointCheck(facts, 'a new file every trigger'),
        ),
      )
    } else missing.push({ signal: 'batches', how: 'give Headwater the checkpoint path or let it reach the Spark UI', weight: 2 })
    if (stall !== null && stall.asLongBefore < 2)
      evidence.push(observation('flow.usual', 'flow', -2.5, `Nothing arrives since {at ${stall.between[1].toFixed(1)}}.`))
    else if (facts.intake !== null && facts.intake.before > 0) {
      const ratio = facts.intake.now / facts.intake.before
      // More or fewer records than a minute ago harm nobody while the reader takes them.
      evidence.push(
        observation(
          'flow.usual',
          'flow',
          ratio > 0.5 && ratio < 1.5 ? 1.2 : 0.8,
          `Records arrive: ${rate(facts.intake.now)}, ${times(ratio)} the level before.`,
        ),
      )
    } else
      missing.push({
        signal: 'partition.log_end_offset',
        how: 'let Headwater reach the Kafka brokers (Describe on the topic)',
        weight: 1.2,
      })
    const [unled, silent] = [unreadOf(facts, 'no leader'), unreadOf(facts, 'no answer')]
    if (unled.length > 0)
      evidence.push(observation('partition.led', 'leadership', -3, `Nobody can write to or read ${partitionsNamed(unled)}: no leader.`))
    if (silent.length > 0) {
      evidence.push(observation('partition.seen', 'leadership', -2, `The log end of ${partitionsNamed(silent)} could not be read.`))
      missing.push({ signal: 'partition.log_end_offset', how: 'look again once every broker answers', weight: 1.5 })
    }
    if (facts.losses.length > 0) evidence.push(observation('executor.same', 'executor', -1, 'An executor was lost a moment ago.'))
    else if (facts.executorsSeen) evidence.push(observation('executor.same', 'executor', 0.4, 'No executor was lost.'))
    if (facts.lateness !== null && facts.lateness.seconds > 60 && facts.lateness.partitions.length > 0) {
      evidence.push(observation('arrival.on_time', 'arrival', -1.5, `${count(facts.lateness.records)} records arrived late.`))
    }
    return { evidence, missing, onset: null, place: nowhere, headline: 'nothing is wrong that these signals could show' }
  },
}

function unreadOf(facts: Facts, why: PartitionFlow['unread']): number[] {
  return facts.timeline.partitions.filter((flow) => flow.unread === why).map((flow) => flow.partition)
}
