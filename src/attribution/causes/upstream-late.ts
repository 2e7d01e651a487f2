/**
 * Records arrive long after they were made: a gateway was offline and uploads what it kept, an upstream job published late.
 * Looks like: many records at once whose own times reach far back; by record time it seems a steady flow of the past, by arrival a burst.
 * Confused with: a surge in the past (by record time), a surge now (by arrival). Ruled out by: every record arriving when it was made.
 */
import { count, duration, numbered, rate } from '../../incident/format.ts'
import { ON_TIME_SECONDS } from '../../timeline/arrival.ts'
import type { LatePartition } from '../../timeline/lateness.ts'
import { known } from '../../timeline/line.ts'
import { plannedAt } from '../../timeline/partitions.ts'
import { accountEvidence } from '../account-evidence.ts'
import type { Evidence } from '../attribution.ts'
import { nowhere } from '../attribution.ts'
import type { CauseFile } from '../cause.ts'
import { rowsCheck } from '../checks/files.ts'
import { intakeCheck, recordTimeCheck } from '../checks/kafka.ts'
import type { Facts } from '../facts.ts'
import { orderEvidence } from '../order.ts'
import { observation, ramp } from '../weight.ts'

/** Seconds of lateness: a slow link, surely an upload of old records. */
const SLIGHTLY_LATE = 20
const SURELY_LATE = 90
/** Old records that arrive at once lift the rate of arrival above this many times the usual. */
const BURST = 1.5
/** Late records against what a usual batch reads: lost among them, more than the reader is made for. */
const FEW = 0.25
const MANY = 1.5

export const upstreamLate: CauseFile = {
  name: 'upstream_late',
  prior: 0.04,
  needs: [
    {
      signal: 'arrival of records',
      how: 'give Headwater the path of the checkpoint (checkpoint: …): it tells where the log ended at every batch',
      weight: 3,
      unmet: ({ lateness, timeline }) => lateness === null && timeline.recordClock,
    },
    {
      signal: 'record time',
      how: 'the topic keeps no CreateTime; an event-time column in the table would tell',
      weight: 1,
      unmet: (facts) => facts.lateness === null && !facts.timeline.recordClock && noBurst(facts) === null,
    },
  ],
  through: null,
  remedy: { action: 'hand_over', to: 'producer', why: 'records were held back before the topic; the reader takes them as they come' },
  weigh(facts) {
    const evidence: Evidence[] = []
    const { lateness, timeline } = facts
    const partitions = lateness?.partitions.map((p) => p.partition).sort((a, b) => a - b) ?? []
    const topic = lateness?.partitions[0]?.topic ?? timeline.partitions[0]?.topic ?? null
    const late = lateness !== null && lateness.partitions.length > 0
    const even = lateness === null && !timeline.recordClock ? noBurst(facts) : null
    if (even !== null) evidence.push(even)
    if (lateness === null) {
      // Neither times nor arrivals: what is needed says so.
    } else if (!late) {
      const [flow] = timeline.partitions
      const parts = numbered(timeline.partitions.length, 'partition')
      const says =
        lateness.longest <= ON_TIME_SECONDS
          ? `Every record of ${parts} arrived within ${duration(ON_TIME_SECONDS)} of its own time.`
          : `No record of ${parts} came later than is usual for this topic (${duration(lateness.longest)} after its own time at most).`
      const check = flow === undefined ? intakeCheck(facts) : recordTimeCheck(facts, flow, timeline.now)
      evidence.push(observation('arrival.late', 'arrival', -3, says, check))
    } else {
      const usual = Math.max(1, facts.usual?.rows ?? (facts.intake?.before ?? 0) * (timeline.triggerS ?? 10))
      const sure = ramp(lateness.beyondUsual, SLIGHTLY_LATE, SURELY_LATE) * ramp(lateness.records / usual, FEW, MANY)
      evidence.push(
        observation(
          'arrival.late',
          'arrival',
          -1 + 4 * sure,
          `${count(lateness.records)} records of partition ${partitions.slice(0, 6).join(', ')}${partitions.length > 6 ? ' …' : ''} arrived between {at ${lateness.arrived[0].toFixed(1)}} and {at ${lateness.arrived[1].toFixed(1)}} and bear times up to ${duration(lateness.seconds)} older.`,
          recordTimeCheck(facts, lateness.partitions[0] as LatePartition, lateness.arrived[0]),
        ),
      )
      const burst = facts.timeline.batches.find((b) => plannedAt(b) >= lateness.arrived[1] - 0.5 && (b.rows ?? 0) > 0)
      if (burst && facts.usual?.rows) {
        const more = (burst.rows as number) / facts.usual.rows
        evidence.push(
          observation(
            'batch.burst',
            'batch',
            more >= 1.3 ? 1.5 : 0,
            `The batch that took them read ${count(burst.rows as number)} rows, usual ${count(facts.usual.rows)}.`,
            rowsCheck(facts, burst),
          ),
        )
      }
      const account = accountEvidence(facts, ['intake', 'skew_or_wait'])
      if (account) evidence.push(account)
      const order = orderEvidence(facts, lateness.arrived, 'the old records arrived', 'on intake')
      if (order) evidence.push(order)
    }
    return {
      evidence,
      missing: [],
      onset: late ? lateness.arrived : null,
      place: { ...nowhere, topic, partitions },
      headline: late
        ? `${count(lateness.records)} records of ${topic} arrived up to ${duration(lateness.seconds)} late: upstream held them back`
        : 'records arrive long after they were made',
      lagWithout: late && facts.lag ? Math.max(0, facts.lag.now - lateness.records) : null,
    }
  },
}

/** Without record times: an upload arrives at once, so where no stretch of the intake stands out there was none. null = one does, or not seen. */
function noBurst(facts: Facts): Evidence | null {
  const { timeline, intake } = facts
  if (intake === null || intake.before <= 0) return null
  const peak = Math.max(...known(timeline.intake, intake.beforeWindow[1], intake.nowWindow[1]).map(([, v]) => v))
  if (!(peak <= BURST * intake.before)) return null
  const says = `Records arrived evenly: ${rate(peak)} at most, ${rate(intake.before)} before.`
  return observation('arrival.no_burst', 'arrival', -2, says, intakeCheck(facts))
}
