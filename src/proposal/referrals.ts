/** To whom a cause goes that no knob of the reader relieves, and what to tell them: what was seen, what happens otherwise, what to ask for. */
import type { Facts } from '../attribution/facts.ts'
import { count, duration, rate, share, tableNamed, times } from '../incident/format.ts'
import type { Referral } from '../incident/proposal.ts'
import { median } from '../timeline/robust.ts'
import type { Grounds } from './grounds.ts'
import { placeOf } from './lever.ts'
import { drainsOnceBack, oneTask, settlesAt } from './prognosis.ts'

export type Whom = Referral['to']

interface Words {
  readonly to: Whom
  /** Sentences for this cause; without them only what the verdict says is passed on. */
  readonly say?: (grounds: Grounds) => readonly (string | null)[]
}

/** A deployment or change of configuration this long before the trouble is the first thing to look at, s. */
const CHANGED_BEFORE = 900

export const referrals: Readonly<Record<string, Words>> = {
  intake_surge: {
    to: 'producer',
    say: (g) => [
      g.facts.intake === null
        ? null
        : `Intake rose from ${rate(g.facts.intake.before)} to ${rate(g.facts.intake.now)}, over all partitions alike. Where does it come from, and will it last?`,
      settlesAt(g),
      g.facts.intake === null ? null : drainsOnceBack(g, g.facts.intake.before),
    ],
  },
  hot_partition: { to: 'producer', say: saltTheKey },
  source_stall: {
    to: 'producer',
    say: ({ facts, timeline }) => [
      facts.stall === null
        ? null
        : `${facts.stall.now < 0.01 ? 'Nothing has' : `Only ${rate(facts.stall.now)} have`} arrived for ${duration(facts.stall.seconds)}; usual are ${rate(facts.stall.usual)}.`,
      `From the topic onwards all is well: the reader waits${timeline.lag.v.at(-1) === 0 ? ' with nothing left to read' : ''}. Restarting or scaling it would change nothing.`,
      'Is the producer up, can it reach the brokers, and has something before it stopped?',
    ],
  },
  upstream_late: {
    to: 'producer',
    say: (g) => [
      g.facts.lateness === null
        ? null
        : `${count(g.facts.lateness.records)} records of ${placeOf(g.attribution.place)} arrived up to ${duration(g.facts.lateness.seconds)} after they were made. What held them back, and is there more to come?`,
      g.facts.intake === null ? null : drainsOnceBack(g, g.facts.intake.now),
      'The reader keeps up with what arrives usually: by the time it were restarted with another setting, the upload would be read.',
    ],
  },
  slow_sink: {
    to: 'sink',
    say: (g) => [
      slowSink(g),
      settlesAt(g),
      'More executors or smaller batches would write to it more often and make it worse.',
      'Ask for latency, rejected requests, throttling and other writers of the store behind the table.',
    ],
  },
  slow_processing: {
    to: 'reader',
    say: (g) => [
      slowProcessing(g.facts),
      settlesAt(g),
      'Compare the newest release of the job, and the records themselves, with before: taking a release back is smaller than more executors.',
    ],
  },
  executor_loss: { to: 'platform', say: ({ attribution, facts }) => [attribution.headline, whyItWent(facts)] },
  straggler_host: {
    to: 'platform',
    say: () => [
      'Take the host out of the cluster or look at its CPU, disk and neighbours; the others are healthy, so more executors would not help.',
    ],
  },
  resource_starvation: { to: 'platform' },
  broker_degraded: { to: 'platform' },
  leader_or_isr: { to: 'platform' },
  throttling_quota: {
    to: 'platform',
    say: () => ['More readers share the same quota: only a higher quota helps, and that is the owner of the cluster to decide.'],
  },
  retention_overrun: { to: 'platform', say: () => ['Can retention of the topic be extended now? What is deleted unread is lost.'] },
  checkpoint_latency: { to: 'platform' },
  open_transaction: { to: 'producer' },
  watermark_ran_ahead: { to: 'producer' },
  watermark_held_back: { to: 'producer' },
  schema_or_deserialization: { to: 'producer' },
  stuck_consumer: { to: 'reader' },
  data_skew: {
    to: 'reader',
    say: () => ['The partitions of the topic are even, leave them alone: a key of a later stage has most of the rows.'],
  },
  state_store_growth: { to: 'reader' },
  driver_blocking: { to: 'reader' },
  rebalance_storm: { to: 'reader' },
  overlap_or_gap: { to: 'reader' },
  planning_overhead: { to: 'sink', say: () => ['The table has too many files or log entries: its owner can compact them.'] },
  memory_gc: { to: 'reader' },
  rate_cap: { to: 'reader' },
  consumer_parallelism: { to: 'reader' },
}

/** @param whyNot why no lever of the reader was pulled, as sentences */
export function referralFor(cause: string, grounds: Grounds, whyNot: readonly string[]): Referral | null {
  const words = Object.hasOwn(referrals, cause) ? referrals[cause] : undefined
  if (words === undefined) return null
  const { headline } = grounds.attribution
  const said = (words.say?.(grounds) ?? []).filter((line) => line !== null)
  return {
    kind: 'referral',
    to: words.to,
    say: [...(said.length === 0 ? [capital(headline)] : said), ...whyNot.map(capital)],
  }
}

/** Half a sentence as a whole one. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** A deployment or change shortly before the trouble began; null = none was seen. */
export function changedBefore({ facts, timeline }: Grounds): string | null {
  const since = facts.episode?.from ?? timeline.now
  const event = timeline.events.findLast(
    (e) => (e.kind === 'deploy' || e.kind === 'config_change') && e.at <= since && since - e.at <= CHANGED_BEFORE,
  )
  if (event === undefined) return null
  const what = event.kind === 'deploy' ? 'a deployment' : 'a change of the configuration'
  return `${what} ${duration(since - event.at)} before it began${event.text === undefined ? '' : ` (${event.text})`} is to be taken back first`
}

function saltTheKey(grounds: Grounds): (string | null)[] {
  const { concentration, intake } = grounds.facts
  const able = oneTask(grounds)
  if (concentration === null || intake === null) return []
  const hot = concentration.partitions.reduce((sum, one) => sum + one.now, 0)
  const ordinary = median(intake.partitions.map((one) => one.now))
  const keys = Math.max(2, Math.ceil(hot / Math.max(1, 2 * ordinary)))
  return [
    `It takes ${rate(hot)}, ${share(concentration.shareNow)} of all; ${times(concentration.timesMedian)} the median partition.${able === null ? '' : ` One task works off ${rate(able)} within a trigger.`}`,
    `Which key or tenant is it? Spread over ${count(keys)} keys (the key and a number from 0 to ${count(keys - 1)}) no partition would take more than twice the median. Whoever reads by key has to know of it.`,
  ]
}

function slowSink({ facts: { usual, ill, costBefore, costNow }, evidence }: Grounds): string {
  const table = tableNamed(evidence.pipeline.sink?.table)
  const commits = ill.map((a) => a.sinkCommit).filter((s) => s !== null)
  if (commits.length > 0 && usual?.sinkCommit != null && Math.max(...commits) > usual.sinkCommit + 0.5) {
    return `The commit of ${table} takes up to ${duration(Math.max(...commits))} a batch, ${duration(usual.sinkCommit)} before; reading and working take as long as ever.`
  }
  if (costNow === null) return `Writing to ${table} takes longer than before.`
  const before = costBefore === null || costBefore.rowsRange < 1.25 ? null : Math.max(0, costBefore.perTaskMs) / 1000
  return `Writing to ${table} is slow: every task needs ${duration(costNow.perTaskMs / 1000)} besides its records${before === null ? '' : `, ${duration(before)} before`}: that is opening and closing its file.`
}

/** What an exit says of its reason (rig-spark.md §8). */
export function whyItWent({ losses }: Facts): string | null {
  const text = losses[0]?.event.text
  if (text === undefined) return null
  const code = /code (\d+)/.exec(text)?.[1]
  const meaning = {
    52: 'the JVM ran out of memory',
    137: 'killed from outside, often for the memory of its container',
    143: 'asked to stop',
  }[code ?? '']
  return `Why it went: ${text}${meaning === undefined ? '' : `, that is ${meaning}`}.`
}

function slowProcessing({ tasksBefore, tasksNow }: Facts): string | null {
  const [before, now] = [tasksBefore?.runPerRowMs, tasksNow?.runPerRowMs]
  if (!before || !now) return null
  return `A record costs ${now.toFixed(2)} ms of task time, ${before.toFixed(2)} ms before, on every executor alike.`
}
