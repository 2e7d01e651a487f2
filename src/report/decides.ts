/**
 * What an inconclusive verdict asks for, in terms of the reader that is there. The engine asks for the work of a Spark query
 * (batches, stages, executors); a plain consumer group has none of these. What decides there is who waits for whom: members
 * that wait in poll are held back from outside (quota, broker, own limit), members that do not are slow themselves, or their
 * sink is (causes.md, Q4).
 */
import type { Attribution } from '../attribution/attribution.ts'
import type { Timeline } from '../timeline/timeline.ts'

export interface Decides {
  readonly signal: string | null
  /** How to get it. */
  readonly how: string | null
  /** Reason code of the verdict; `unjudged` = it was seen, and this version does not weigh it. */
  readonly reason: string | null
}

interface Answer {
  readonly signal: string
  readonly how: string
  readonly seen?: boolean
}

/** Asked for by the engine where the work of a Spark query was not seen. */
const sparkWork: readonly string[] = [
  'batches',
  'executor.count',
  'stage task times',
  'stage.run_ms',
  'stage.run_ms against cpu_ms',
  'stage.run_ms over tasks of different size',
  'end of the write job against the end of the batch',
  'the trigger interval',
  'the cap of the reader',
]

export function decides(attribution: Attribution, timeline: Timeline): Decides {
  const { decidingSignal: signal, howToDecide: how, reason } = attribution
  const answer = signal === null ? null : answerFor(signal, how, timeline)
  if (signal === null || answer === null) return { signal, how, reason }
  const asked = reason === `missing:${signal}`
  return {
    signal: answer.signal,
    how: answer.how,
    reason: asked ? `${answer.seen === true ? 'unjudged' : 'missing'}:${answer.signal}` : reason,
  }
}

/** null = what the engine asks for fits the reader. */
function answerFor(signal: string, how: string | null, timeline: Timeline): Answer | null {
  switch (timeline.pipeline.reader.kind) {
    case 'consumer-group':
      return ofGroup(signal, timeline)
    case 'spark-dstreams':
      return ofDStreams(signal)
    case 'other':
      return signal === 'batches' || signal === 'partition.position' ? { signal, how: nameTheReader } : null
    case 'spark-structured-streaming':
      return ofSpark(signal, how, timeline)
  }
}

/** It keeps a number of batches, and nothing of an application before this one: nobody is asked to let us in where we were. */
function ofSpark(signal: string, how: string | null, { executors }: Timeline): Answer | null {
  const answered = executors.v.some((count) => count !== null)
  if (!answered || how?.includes('let Headwater reach the Spark UI') !== true) return null
  return { signal, how: 'ask again after ten more batches: the Spark UI answered, but keeps none to compare with' }
}

const nameTheReader =
  'name the reader: "checkpoint: <folder>" or "spark: <driver UI>" of a Spark query, "group: <name>" of a plain consumer'

const arrivals = 'ask what polls the log ends (an exporter), and give them in a bundle: this reader keeps no history of arrivals'

function ofGroup(signal: string, timeline: Timeline): Answer | null {
  if (signal === 'partition.position')
    return { signal: 'partition.committed_offset', how: 'add "group: <its consumer group>" to the pipeline (Describe on the group)' }
  if (signal === 'arrival of records') return { signal, how: arrivals }
  return sparkWork.includes(signal) ? workOfMembers(timeline) : null
}

/** In the order in which they part the causes; the first that is not there is asked for. */
const ofMembers: readonly Answer[] = [
  {
    signal: 'member.poll_idle_share',
    how: 'read poll-idle-ratio-avg of the members (JMX): near 1 they wait for records (quota, broker, own limit), near 0 their own work or the sink is slow',
  },
  { signal: 'member.processing_ms', how: 'measure in the members how long a record takes, and compare with before' },
  { signal: 'client.throttle_ms', how: 'read fetch-throttle-time-avg of the members (JMX): above 0 a quota holds them back' },
  { signal: 'sink.write_ms', how: 'measure in the members how long a write to the sink takes, and compare with before' },
]

function workOfMembers(timeline: Timeline): Answer {
  const seen = timeline.signals
  const missing = ofMembers.find(({ signal }) => !seen.includes(signal))
  if (missing !== undefined) return missing
  const [first] = ofMembers as [Answer]
  const how = `compare ${ofMembers.map(({ signal }) => signal).join(', ')} with before: they are in the evidence, but not weighed by this version`
  return { signal: first.signal, how, seen: true }
}

function ofDStreams(signal: string): Answer | null {
  switch (signal) {
    case 'batches':
      return { signal, how: 'the batches of DStreams are not read live: give them in a bundle' }
    case 'partition.position':
      return { signal: 'partition.committed_offset', how: 'add "group: <the group it commits to>" to the pipeline' }
    case 'arrival of records':
      return { signal, how: arrivals }
    case 'the cap of the reader':
      return {
        signal,
        how: 'batches have time to spare and leave records behind: look at spark.streaming.kafka.maxRatePerPartition and at back-pressure',
      }
    default:
      return null
  }
}
