/**
 * Collects what can be seen of one pipeline: all sources side by side, each under its own deadline, twice.
 *
 * The second look begins 2.5 s after the first, and at least 2 s after the first looks are over: it builds on what they found
 * (running tasks, the offsets up to which the reader has committed), and needs that time between two readings however slow the
 * first one was. A source that hangs spends its own time, not that of others.
 */
import { HeadwaterError } from '../errors.ts'
import type { Gap } from '../incident/evidence.ts'
import type { Findings, Seen } from '../incident/findings.ts'
import { emptyFindings } from '../incident/findings.ts'
import type { Clock } from './clock.ts'
import { committedOffsets } from './committed.ts'
import type { Look } from './look.ts'
import { graceMs, longer, look } from './look.ts'
import type { Question, Source } from './ports.ts'
import { soundFindings } from './sound.ts'

/** Between the begin of the first look and that of the second, ms. */
const secondLookAfterMs = 2500
/** Between the end of the first looks and the begin of the second, ms: longer than two usual task times of a healthy reader. */
const leastApartMs = 2000
/** Share of the whole deadline that the first looks may take; the rest is for the second, and to judge and draw. */
const firstShare = 0.6
/** Kept back from the deadline for merging and judging, ms. */
const judgingMs = 600

export interface Collected {
  readonly findings: readonly Findings[]
  readonly looks: readonly Look[]
  /** false = no source brought any reading. */
  readonly sawAnything: boolean
}

/**
 * @param deadlineMs for everything together, from now
 * @throws HeadwaterError interrupted when the question's signal aborts
 */
export async function collect(question: Question, sources: readonly Source[], deadlineMs: number, clock: Clock): Promise<Collected> {
  const { pipeline, signal } = question
  const begin = clock.nowMs()
  const applying = sources.filter((source) => source.applies(pipeline))
  const absent = sources.flatMap((source) => {
    const gap = source.applies(pipeline) ? null : source.absent(pipeline)
    return gap === null ? [] : [emptyFindings(source.name, { gaps: [gap] })]
  })

  const firstLimit = Math.max(0, deadlineMs * firstShare - graceMs)
  const firsts = await Promise.all(
    applying.map((source) => look({ source: source.name, turn: 1, limitMs: firstLimit, ask: (q) => source.collect(q) }, question, clock)),
  )
  interruptedBy(signal)

  const first = firsts.map((one) => one.findings)
  const seen: Seen = { committed: committedOffsets(first), findings: first }
  const again = applying.filter((source, i) => source.lookAgain !== undefined && hasReadings(first[i]!))
  const end = begin + deadlineMs - judgingMs - graceMs
  const at = Math.max(clock.nowMs() + leastApartMs, begin + secondLookAfterMs)
  const inTime = at < end
  if (again.length > 0 && inTime) await clock.wait(at - clock.nowMs(), signal)
  interruptedBy(signal)
  const seconds = inTime ? await Promise.all(again.map((source) => lookAgain(source, seen, end - clock.nowMs(), question, clock))) : []
  const unseen = inTime ? [] : again.map((source) => emptyFindings(source.name, { gaps: [noSecondLook(source.name)] }))
  interruptedBy(signal)

  const looks = [...firsts, ...seconds]
  const cut = looks.flatMap((one) => (one.gap === null ? [] : [emptyFindings(one.findings.source, { gaps: [one.gap] })]))
  const findings = [...looks.map((one) => soundFindings(one.findings)), ...cut, ...unseen, ...absent]
  return { findings, looks, sawAnything: first.some(hasReadings) }
}

function lookAgain(source: Source, seen: Seen, limitMs: number, question: Question, clock: Clock): Promise<Look> {
  return look({ source: source.name, turn: 2, limitMs, ask: (q) => source.lookAgain!(q, seen) }, question, clock)
}

function noSecondLook(source: string): Gap {
  const reason = 'no time was left for a second look, so what stands still cannot be told from what is slow'
  return { source, signal: null, reason, mend: longer }
}

/** Events alone do not count: "the driver cannot be reached" may be one. */
function hasReadings(findings: Findings): boolean {
  return findings.series.length > 0 || findings.sightings.length > 0 || findings.commits.length > 0
}

function interruptedBy(signal: AbortSignal): void {
  if (signal.aborted) throw new HeadwaterError('interrupted', 'interrupted')
}
