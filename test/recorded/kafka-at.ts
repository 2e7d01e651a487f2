/** Kafka as a diagnosis would have had it: log ends by arrival, every 2.5 s. The recording has no history by record time. */
import type { Series } from '../../src/incident/evidence.ts'
import type { Findings } from '../../src/incident/findings.ts'
import { emptyFindings } from '../../src/incident/findings.ts'
import type { Poll } from './recording.ts'
import { newest } from './recording.ts'

/** A broker that does not answer at the instant gives nothing, of the past neither: its history is read when asked. */
export function kafkaAt(polls: readonly Poll[], atMs: number, topic: string): Findings {
  const last = newest(polls, 'kafka', atMs)
  if (last === undefined || endsOf(last) === null) {
    return emptyFindings('kafka', {
      gaps: [{ source: 'kafka', signal: null, reason: `the log ends of ${topic} could not be read: the broker did not answer` }],
    })
  }
  const readings = polls.filter((poll) => poll.src === 'kafka' && poll.t <= atMs).map((poll) => ({ t: poll.t / 1000, ends: endsOf(poll) }))
  const partitions = Object.keys(endsOf(last) ?? {}).map(Number)
  return emptyFindings('kafka', {
    series: partitions.map(
      (partition): Series => ({
        signal: 'partition.log_end_offset',
        entity: { topic, partition },
        source: 'kafka',
        clock: 'arrival',
        t: readings.map(({ t }) => t),
        v: readings.map(({ ends }) => ends?.[partition] ?? null),
      }),
    ),
    clocks: [{ source: 'kafka', skew_bound_s: 0.1 }],
    topics: [{ name: topic, partitions: partitions.length, timestamp_type: 'CreateTime' }],
  })
}

/** null = not answered. A frozen broker has been seen to give -1001 without an error. */
function endsOf({ status, body }: Poll): Readonly<Record<number, number>> | null {
  if (status !== 200) return null
  const ends = JSON.parse(body) as Record<number, number>
  return Object.values(ends).some((end) => end < 0) ? null : ends
}
