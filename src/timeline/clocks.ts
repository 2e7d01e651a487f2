/**
 * Many clocks, one axis. What the driver stamps (batches, stages, executors, plans in the checkpoint) is on its clock, what brokers are
 * asked on ours, record times on those of producers. A difference that was measured is taken out before anything is compared; what is
 * left of it, and what nobody measured, is a bound, and widens only comparisons between two clocks (engine.md §3.1).
 */
import type { Batch, Clock, Evidence, LookHere } from '../incident/evidence.ts'
import { toMillis } from './rebase.ts'

/** Whose clock a time is of: the source that declares its bound. */
export type ClockName = string

/** The driver's clock, by every source that shows its times. Its own word counts before that of the files it writes. */
export const DRIVER: ClockName = 'spark'
/** The clock that stamps the commits of the table. */
export const TABLE: ClockName = 'delta'
const ON_DRIVER_CLOCK = ['spark', 'spark-ui', 'event-log', 'checkpoint']

/** Clocks of one host, or of hosts that keep time by NTP; clocks nobody knows anything of, s. */
const SAME_HOST_SECONDS = 2
const UNKNOWN_SECONDS = 30

export function clockOf(source: string): ClockName {
  return ON_DRIVER_CLOCK.includes(source) ? DRIVER : source
}

/** Seconds by which the driver's clock is ahead of the one that asked, as measured; 0 where it was not, or nothing was found. */
export function driverAhead(clocks: readonly Clock[] | undefined): number {
  return declared(clocks ?? [], DRIVER)?.ahead_s ?? 0
}

/** The evidence with every time of the driver on the clock of `asked_at`. */
export function onOneClock(evidence: Evidence): Evidence {
  const ahead = driverAhead(evidence.clocks)
  if (ahead === 0) return evidence
  const at = (t: number) => toMillis(t - ahead)
  const driven = (source: string | undefined) => source !== undefined && clockOf(source) === DRIVER
  return {
    ...evidence,
    batches: evidence.batches.map((batch) => moved(batch, at)),
    series: evidence.series.map((s) => (driven(s.source) ? { ...s, t: s.t.map(at) } : s)),
    events: evidence.events.map((e) => (driven(e.source) ? { ...e, at: at(e.at) } : e)),
  }
}

function moved(batch: Batch, at: (t: number) => number): Batch {
  return {
    ...batch,
    start: at(batch.start),
    end: batch.end === null ? null : at(batch.end),
    ...(batch.end_bounds === undefined ? {} : { end_bounds: [at(batch.end_bounds[0]), at(batch.end_bounds[1])] as const }),
    ...(batch.planned_at === undefined ? {} : { planned_at: at(batch.planned_at) }),
    ...(batch.batch_time === undefined ? {} : { batch_time: at(batch.batch_time) }),
    ...(batch.phase_since === undefined ? {} : { phase_since: at(batch.phase_since) }),
    ...(batch.jobs === undefined
      ? {}
      : { jobs: batch.jobs.map((job) => ({ ...job, start: at(job.start), end: job.end === null ? null : at(job.end) })) }),
  }
}

/** Seconds by which the two clocks may still differ; 0 for one clock. */
export function skewBetween(a: ClockName, b: ClockName, clocks: readonly Clock[], look: LookHere | undefined): number {
  if (a === b) return 0
  const bounds = [a, b].map((name) => boundOf(declared(clocks, name)))
  if (bounds.every((bound) => bound !== null)) return bounds.reduce((sum, bound) => sum + bound, 0)
  const unknown = sameHost(look) ? SAME_HOST_SECONDS : UNKNOWN_SECONDS
  return bounds.reduce<number>((sum, bound) => sum + (bound ?? 0), unknown)
}

/** What is declared of a clock: for the driver by the first of its sources that is there. */
function declared(clocks: readonly Clock[], name: ClockName): Clock | undefined {
  const names = name === DRIVER ? ON_DRIVER_CLOCK : [name]
  for (const source of names) {
    const clock = clocks.find((one) => one.source === source)
    if (clock !== undefined) return clock
  }
  return undefined
}

/** What is left of a clock's difference once what was measured is taken out, s; null = nobody knows. */
export function boundOf(clock: Clock | undefined): number | null {
  return clock === undefined ? null : (clock.ahead_error_s ?? clock.skew_bound_s)
}

function sameHost(look: LookHere | undefined): boolean {
  const hosts = [hostOf(look?.bootstrap), hostOf(look?.spark)]
  return hosts[0] !== null && hosts[0] === hosts[1]
}

/** Host of the first address: "driver" of "http://driver:4040/x" and of "driver:9092,other:9092". */
function hostOf(address: string | undefined): string | null {
  return /^(?:\w+:\/\/)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/,]+)/.exec(address ?? '')?.[1] ?? null
}
